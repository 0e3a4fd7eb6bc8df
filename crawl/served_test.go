package crawl

import (
	"context"
	"net/http"
	"strings"
	"testing"
)

// TestServed compares a robots.txt of Client.Served with a fetched one: the host is not
// asked for it, and other hosts are.
func TestServed(t *testing.T) {
	asked := 0
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		w.Header().Set("Content-Type", "text/plain")
		w.Write([]byte("User-agent: *\nDisallow: /live\n"))
	})
	const text = "User-agent: *\nDisallow: /proposed\n"
	server = "http://" + server
	host := strings.TrimPrefix(server, "http://")
	client := &Client{Served: map[string][]byte{host: []byte(text)}, AllowPrivate: true}
	site := client.Site(host)
	defer site.Close()
	file := site.Robots(context.Background(), server)
	if string(file.Body) != text || file.Status != 200 || file.Code != "" || file.Redirects() != 0 || asked != 0 || !file.Given || file.Hops != nil || file.Tries != 0 {
		t.Errorf("%+v with %q, %d requests", file.Outcome, file.Body, asked)
	}
	if variants := site.RobotsVariants(context.Background(), server, file, Variants{UserAgents: []string{"other"}}); variants != nil || asked != 0 {
		t.Errorf("%d other answers, %d requests: there is but one file", len(variants), asked)
	}
	live := (&Client{AllowPrivate: true}).Site(host)
	defer live.Close()
	fetched := live.Robots(context.Background(), server)
	same := ServedRobots(server, fetched.Body, 0)
	if fetched.Given || same.Given {
		t.Error("a file that was fetched, or that is told as if it were, counts as given")
	}
	if same.SHA256 != fetched.SHA256 || same.Bytes != fetched.Bytes || same.URL != fetched.URL || same.Type != fetched.Type || len(same.Hops) != len(fetched.Hops) {
		t.Errorf("served %+v\nfetched %+v", same.Outcome, fetched.Outcome)
	}
}

// TestServedLimit checks that a long body is cut like a fetched one.
func TestServedLimit(t *testing.T) {
	file := ServedRobots("https://example.com", []byte("Disallow: /a\nDisallow: /bcd\n"), 20)
	if string(file.Body) != "Disallow: /a\n" || !file.Truncated || file.Bytes != 13 {
		t.Errorf("%q, %d bytes, truncated %v", file.Body, file.Bytes, file.Truncated)
	}
}
