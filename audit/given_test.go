package audit

import (
	"net/http"
	"strings"
	"testing"
)

// TestGiven audits a site with another robots.txt in the place of its own: the records say
// so, and nowhere that the server has answered.
func TestGiven(t *testing.T) {
	a := served(t, "Googlebot,YandexBot", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			t.Error("robots.txt was asked for")
		}
		http.NotFound(w, r)
	})
	a.Client.Served = map[string][]byte{"a.example": []byte("User-agent: *\nDisallow: /a\n")}
	seen := false
	for rec := range a.All(t.Context(), Domains(strings.NewReader("http://a.example\n"))) {
		if rec.Robots == nil {
			continue
		}
		seen = true
		text := string(Encode(nil, rec))
		if !strings.Contains(text, `"given":true`) || strings.Contains(text, `"hops"`) || strings.Contains(text, `"tries"`) || strings.Contains(text, "HTTP 200") {
			t.Errorf("the record tells of an answer: %s", text)
		}
		for i, r := range rec.Robots.Reads {
			if r.Why != "the file of -robots: the rules apply" || !strings.Contains(text, r.Why) {
				t.Errorf("crawler %d: %q", i, r.Why)
			}
		}
		if got := describe(rec.Robots.File); !strings.HasPrefix(got, "the file of -robots with 27 bytes, sha256 ") {
			t.Errorf("described as %q", got)
		}
	}
	if !seen {
		t.Error("no robots.txt in the records")
	}
}
