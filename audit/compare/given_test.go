package compare

import (
	"iter"
	"slices"
	"testing"

	"robots-audit/audit"
)

// given returns records as an audit has them to which robots.txt was given by -robots.
func given(records iter.Seq2[audit.Record, error]) iter.Seq2[audit.Record, error] {
	return replaced(records, func(r *audit.Robots) {
		r.File.Given, r.File.Hops, r.File.Type, r.File.Status, r.File.Code = true, nil, "text/plain", 200, ""
	})
}

// TestGiven compares with runs that were given a robots.txt. The server's behaviour is not
// reported, but the content of the given file is.
func TestGiven(t *testing.T) {
	asked := func() world {
		return world{urls: []string{"/a", "/b"}, answer: answer{body: base, kind: "text/plain; charset=utf-8", way: []string{"https://example.com/robots.txt", "https://www.example.com/robots.txt"}}}
	}
	missing := asked()
	missing.answer, missing.urls = answer{status: 404}, []string{"/a"}
	short := asked()
	short.urls = missing.urls
	const place = "used your draft of robots.txt instead of https://example.com/robots.txt."
	for _, test := range []struct {
		name     string
		old, new iter.Seq2[audit.Record, error]
		told     []string
		note     string
	}{
		{"the newer", asked().records(t), given(asked().records(t)), nil, "The newer run " + place},
		{"the older", given(asked().records(t)), asked().records(t), nil, "The older run " + place},
		{"both", given(asked().records(t)), given(asked().records(t)), nil, "Both runs " + place},
		{"in place of none", missing.records(t), given(short.records(t)),
			[]string{"info status https://example.com/robots.txt: HTTP 404 Not Found → your draft of robots.txt AL14"}, "The newer run " + place},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, site := compared(t, test.old, test.new)
			if told := toldOf(site); !slices.Equal(told, test.told) {
				t.Errorf("told %q, want %q", told, test.told)
			}
			if !slices.Equal(site.Notes, []string{test.note}) {
				t.Errorf("notes %q, want %q", site.Notes, test.note)
			}
		})
	}
	if _, site := compared(t, asked().records(t), asked().records(t)); site.Notes != nil {
		t.Errorf("notes %q on runs that have asked", site.Notes)
	}
}
