package audit

import (
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestSameFile: if http and https serve the same file, its lines count for the URLs of both, and
// its findings are reported once. If the files differ, or a reader reads one differently, each is
// reported separately.
func TestSameFile(t *testing.T) {
	const sitemap = "<urlset><url><loc>https://example.com/a/1</loc></url><url><loc>http://example.com/a/2</loc></url><url><loc>http://example.com/b</loc></url></urlset>"
	const file = "User-agent: *\nDisallow: /a/\nDisallow: /idle/\nSitemap: https://example.com/s.xml\n"
	for _, c := range []struct {
		name, plain      string
		files            int
		decided, sampled int64 // by line 2 of the first file, and pages counted for its policy
	}{
		{"the same", file, 1, 2, 3},
		{"another", file + "# and more\n", 2, 1, 1},
	} {
		handler := func(robots string) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/robots.txt":
					io.WriteString(w, robots)
				case "/s.xml":
					io.WriteString(w, sitemap)
				default:
					http.NotFound(w, r)
				}
			}
		}
		secure, plain := httptest.NewTLSServer(handler(file)), httptest.NewServer(handler(c.plain))
		a := world(t, nil)
		a.Client.RootCAs = x509.NewCertPool()
		a.Client.RootCAs.AddCert(secure.Certificate())
		a.Client.ConnectTo = []string{":80:" + plain.Listener.Addr().String(), ":443:" + secure.Listener.Addr().String()}
		var files, told int
		var decided, frees int64
		for rec := range a.All(t.Context(), Domains(strings.NewReader("example.com"))) {
			switch {
			case rec.Robots != nil && rec.Robots.SameAs == "":
				files++
			case rec.Robots != nil && rec.Robots.SameAs != "https://example.com":
				t.Errorf("%s: the file is that of %q", c.name, rec.Robots.SameAs)
			case rec.Findings != nil:
				told++
			case rec.Rules != nil && rec.Rules.Origin == 0:
				decided, frees = rec.Rules.Counts[0].Decided, rec.Rules.Counts[0].Frees
			case rec.Done != nil && rec.Done.Policy.Pages != c.sampled:
				t.Errorf("%s: the policy is held to %d pages", c.name, rec.Done.Policy.Pages)
			case rec.Done != nil && (rec.Done.URLs != 3 || rec.Done.BlockedAny != 2):
				t.Errorf("%s: %d of %d blocked", c.name, rec.Done.BlockedAny, rec.Done.URLs)
			}
		}
		if files != c.files || told != c.files || decided != c.decided || frees != c.decided {
			t.Errorf("%s: %d files, findings about %d; line 2 decides %d, its deletion frees %d", c.name, files, told, decided, frees)
		}
		secure.Close()
		plain.Close()
	}
}
