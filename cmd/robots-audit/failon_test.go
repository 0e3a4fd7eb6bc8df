package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// TestFailOn holds the exit code to the gravest finding of the sites, or to
// their state; a site that is unknown has an exit code of its own.
func TestFailOn(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rules, ok := map[string]string{
			"info.example":     "Disallow: /p/\nDisallow: /nothing/here/",
			"warning.example":  "Disallow: /p/\nNoindex: /p/",
			"error.example":    "Disallow: /p/\nDisallow: /open/",
			"critical.example": "Disallow: /",
		}[r.Host]
		switch {
		case !ok:
			panic(http.ErrAbortHandler)
		case r.URL.Path == "/robots.txt":
			fmt.Fprintf(w, "User-agent: *\n%s\nAllow: /p/ok/\nSitemap: http://%s/list.txt\n", rules, r.Host)
		default:
			fmt.Fprintf(w, "http://%s/open/\nhttp://%s/p/ok/\n", r.Host, r.Host)
		}
	}))
	defer server.Close()
	for _, c := range []struct {
		site, failOn string
		want         int
	}{
		{"info", "info", exitFindings}, {"info", "warning", exitDone}, {"info", "", exitDone},
		{"warning", "warning", exitFindings}, {"warning", "warn", exitFindings}, {"warning", "error", exitDone},
		{"error", "error", exitFindings}, {"error", "warn", exitFindings}, {"error", "critical", exitDone},
		{"critical", "critical", exitFindings}, {"critical", "info", exitFindings}, {"critical", "", exitDone},
		{"silent", "info", exitUnknown}, {"silent", "critical", exitUnknown},
		{"info", "grave", exitUsage},
	} {
		t.Run(c.site+"/"+c.failOn, func(t *testing.T) {
			var out, err bytes.Buffer
			code := run([]string{
				"-domains", "-", "-out", filepath.Join(t.TempDir(), "out"), "-fail-on", c.failOn, "-retries", "-1", "-quiet",
				"-connect-to", ":80:" + server.Listener.Addr().String(), "-connect-to", ":443:" + server.Listener.Addr().String(),
			}, streams{strings.NewReader("http://" + c.site + ".example\n"), &out, &err})
			if code != c.want {
				t.Errorf("exit code %d, want %d\n%s%s", code, c.want, &out, &err)
			}
		})
	}
}
