package summary

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"robots-audit/audit"
	"robots-audit/reports/internal/site"
)

// Writing and reading by parts gives the same as encoding/json as a whole.
func TestLineJSON(t *testing.T) {
	entry, err := json.Marshal(Entry{Domain: "a.example", Why: `a <b> & "c", "summary":1 \ `, NotMeasured: map[string]string{"summary": "{}"}, Blocked: json.RawMessage(`{"Googlebot":3}`), Errors: []Error{}})
	if err != nil {
		t.Fatal(err)
	}
	findings := &audit.Severities{Error: 2}
	for _, l := range []Line{
		{},
		{Name: "a.example", Summary: entry},
		{
			Name: "a.example", Base: "a.example", Ordinal: 7, Why: `,"summary":{`, Sums: map[string]string{"records/a.example.jsonl.zst": "01234567"}, State: audit.Warn,
			LeftOut: map[string]int64{`","summary":`: 1}, Findings: findings, Shared: &site.Shared{Rules: []string{`disallow: /","summary":`}}, Lost: &Error{Code: "x"}, Summary: entry,
		},
	} {
		text, err := l.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if want, _ := json.Marshal(l); string(text) != string(want) {
			t.Errorf("%s\nwant\n%s", text, want)
		}
		whole := [][]byte{text}
		if l.Summary != nil {
			whole = append(whole, append([]byte(nil), string(text[:len(text)-1])+`,"later":[1,{"summary":2}]}`...)) // a key of another version
		}
		for _, text := range whole {
			var want, got Line
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			wanted, wantErr := NewSite(&want)
			read, err := ReadSite([]byte(string(text)), &got)
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("%v, want %v", err, wantErr)
			}
			if diff := cmp.Diff(wanted, read); err == nil && diff != "" {
				t.Error(diff)
			}
			if p, err := PlaceOf([]byte(string(text))); err != nil || p.name != l.Name {
				t.Errorf("the place of %q (%v), want that of %q", p.name, err, l.Name)
			}
		}
	}
	for _, text := range []string{"", "{", `{"name":1,"summary":{}}`, `{"name":"a","summary":{"domain":1}}`, `{"name":"a","summary":{}`, `{"name":"a","summary":`} {
		if s, err := ReadSite([]byte(text), &Line{}); err == nil {
			t.Errorf("%s is read as %+v", text, s.Line)
		}
	}
}
