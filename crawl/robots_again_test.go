package crawl

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestRobotsAgain: an unchanged file is one 304, with and without validators of the server.
func TestRobotsAgain(t *testing.T) {
	text, statuses := "User-agent: *\nDisallow: /a\n", []int(nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		if r.Host != "plain.example" {
			w.Header().Set("Etag", `"`+text+`"`)
			if r.Header.Get("If-None-Match") == `"`+text+`"` {
				statuses = append(statuses, 304)
				w.WriteHeader(http.StatusNotModified)
				return
			}
		}
		statuses = append(statuses, 200)
		io.WriteString(w, text)
	}))
	defer server.Close()
	text = "User-agent: *"
	c := &Client{ConnectTo: []string{":80:" + server.Listener.Addr().String()}, Retries: -1}
	for host, want := range map[string][]int{"tagged.example": {200, 304, 200, 304}, "plain.example": {200, 200, 200, 200}} {
		text, statuses = "User-agent: *", nil
		last := &Outcome{}
		for n := range 4 {
			if n == 2 {
				text = "User-agent: x"
			}
			site := c.Site()
			file := site.RobotsAgain(t.Context(), "http://"+host, last)
			site.Close()
			if file != nil {
				last = &file.Outcome
				if string(file.Body) != text || file.Status != 200 {
					t.Errorf("%s: %d %q", host, file.Status, file.Body)
				}
			}
		}
		if len(statuses) != len(want) {
			t.Fatalf("%s answered %v", host, statuses)
		}
		for i := range want {
			if statuses[i] != want[i] {
				t.Errorf("%s answered %v, want %v", host, statuses, want)
			}
		}
	}
}
