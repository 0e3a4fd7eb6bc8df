package audit

import "testing"

// TestNothingAfterAGap lets the loop miss one record of a site, as when the run stops, and then
// take others, which a select may do. The site is never finished, whichever record it was.
func TestNothingAfterAGap(t *testing.T) {
	const list = "http://a.example"
	pages := map[string]string{
		"a.example/robots.txt": "User-agent: *\nDisallow: /x\nDisallow: /x/y\nSitemap: http://a.example/s.xml\nSitemap: http://a.example/none.xml\n",
		"a.example/s.xml":      urlset("http://a.example/x", "http://a.example/1"),
	}
	for refused := 0; ; refused++ {
		a := world(t, pages)
		d, why := ParseDomain(list)
		if why != "" {
			t.Fatal(why)
		}
		n, done := 0, false
		a.site(t.Context(), a.Pool().TryStart(), d, 0, func(rec Record) bool {
			n, done = n+1, rec.Done != nil
			return n-1 != refused
		})
		if n <= refused { // no such record
			if refused < 8 || !done {
				t.Errorf("%d records in all, the last one's a Done: %v", n, done)
			}
			return
		}
		if n > refused+1 {
			t.Errorf("record %d was not taken, and %d followed", refused, n-refused-1)
		}
	}
}
