package fleetwork

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/audit/fleet"
	"robots-audit/audit/fleet/store"
	"robots-audit/cmd/internal/audits"
	"robots-audit/crawl"
	"robots-audit/reports"
)

// placeOf is a place whose runs test a list of crawlers, without other settings.
func placeOf(t *testing.T, crawlers string) *Place {
	t.Helper()
	bucket, err := store.Open(t.Context(), store.FolderURL(filepath.Join(t.TempDir(), "bucket")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { bucket.Close() })
	asked, err := audit.ParseCrawlers(crawlers)
	if err != nil {
		t.Fatal(err)
	}
	return &Place{Bucket: bucket, Scratch: t.TempDir(), Prepare: func(context.Context, *fleet.Run, string, func() (io.ReadCloser, error)) (*audits.Preparation, error) {
		return &audits.Preparation{Auditor: &audit.Auditor{Client: new(crawl.Client), Crawlers: asked}, Options: reports.Options{Crawlers: asked}}, nil
	}}
}

func begin(t *testing.T, p *Place, run string) *merged {
	t.Helper()
	m, err := Merge{p}.Begin(t.Context(), &fleet.Run{ID: run, Sites: 3})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m.(*merged)
}

// resultOf is a result in its stored form.
func resultOf(t *testing.T, m *merged, ordinal int, site string) []byte {
	t.Helper()
	data, err := m.GiveUp(t.Context(), &fleet.Job{Run: m.run.ID, Ordinal: ordinal, Site: audit.Domain{Name: site, Host: site}}, "since a test wants it")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestResultRefused: any object that is not the result of the key's site is refused, and the run
// accepts the right one after it.
func TestResultRefused(t *testing.T) {
	place := placeOf(t, "Googlebot,Bingbot")
	m := begin(t, place, "r1")
	good := resultOf(t, m, 1, "b.example")
	head, line, _ := bytes.Cut(good, []byte{'\n'})
	others := resultOf(t, begin(t, placeOf(t, "Googlebot,GPTBot"), "r1"), 1, "b.example")
	figure := regexp.MustCompile(`"problems":\d+`)
	if !figure.Match(good) {
		t.Fatalf("%s", good)
	}
	for what, data := range map[string][]byte{
		"nothing":                      {},
		"an empty object":              []byte("{}"),
		"no JSON":                      []byte("}{\n}{\n"),
		"the line alone":               line,
		"the head alone":               append(bytes.Clone(head), '\n'),
		"a part":                       good[:len(good)/2],
		"without its end":              good[:len(good)-1],
		"more than it":                 append(bytes.Clone(good), "{}\n"...),
		"a changed figure":             figure.ReplaceAll(good, []byte(`"problems":7`)),
		"another site's":               resultOf(t, m, 1, "c.example"),
		"another place's":              resultOf(t, m, 2, "b.example"),
		"another run's":                resultOf(t, begin(t, place, "r2"), 1, "b.example"),
		"another site's, a false head": append(append(bytes.Clone(head), '\n'), lineOf(resultOf(t, m, 2, "c.example"))...),
		"of other crawlers":            others,
	} {
		if err := m.Add(1, fleet.SiteKey("r1", "b.example"), data); !errors.Is(err, fleet.ErrRefused) {
			t.Errorf("%s: %v", what, err)
		}
	}
	key := fleet.SiteKey("r1", "b.example")
	if err := m.Add(1, key, good); err != nil {
		t.Fatal(err)
	}
	if err := m.Add(1, key, good); !errors.Is(err, fleet.ErrRefused) {
		t.Errorf("a second time: %v", err)
	}
	if err := m.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	outcome, err := ReadOutcome(t.Context(), place.Bucket, "r1")
	if err != nil || outcome.Totals.Sites != 1 || outcome.Totals.Unknown != 1 {
		t.Errorf("%+v, %v", outcome, err)
	}
	text, err := place.Bucket.Get(t.Context(), fleet.FolderKey("r1")+"summary.json", 1<<20)
	if err != nil || !strings.Contains(string(text), audit.CodeTriedTooOften) {
		t.Errorf("the site that is given up has no code: %s, %v", text, err)
	}
}

func lineOf(result []byte) []byte {
	_, line, _ := bytes.Cut(result, []byte{'\n'})
	return line
}

// TestResultGiven: hosts whose robots.txt was replaced by a file are part of the result.
func TestResultGiven(t *testing.T) {
	m := begin(t, placeOf(t, "Googlebot"), "r1")
	m.unused = map[string]bool{"a.example": true, "b.example": true}
	key := fleet.SiteKey("r1", "a.example")
	r, err := decodeResult(resultOf(t, m, 0, "a.example"), "r1", 0, key)
	if err != nil {
		t.Fatal(err)
	}
	r.Given = []string{"a.example"}
	if err := m.Add(0, key, r.encode()); err != nil || len(m.unused) != 1 || !m.unused["b.example"] {
		t.Errorf("%v, unused %v", err, m.unused)
	}
}
