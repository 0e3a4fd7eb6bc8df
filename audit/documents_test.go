package audit

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"robots-audit/crawl"
)

// statusRow is a statement of the source documents on what an answer to the
// request for robots.txt means; see engine/testdata/README.md.
type statusRow struct {
	ID               string
	Kind, Profile    string
	Status           *int
	Expected         string
	Error            string
	RedirectHops     int      `json:"redirect_hops"`
	FinalStatus      *int     `json:"final_status"`
	ChainDisallowed  bool     `json:"chain_has_disallowed_url"`
	LogicalRedirect  string   `json:"logical_redirect"`
	ContentType      string   `json:"content_type"`
	BodyIsText       *bool    `json:"body_is_text"`
	BodySaysNotFound bool     `json:"body_says_not_found"`
	HaveCached       *bool    `json:"have_cached"`
	Hours            *float64 `json:"unreachable_hours"`
	Days             *float64 `json:"unreachable_days"`
	SiteAvailable    *bool    `json:"site_available"`
	CacheAge         *float64 `json:"cache_age_hours"`
}

// ServeHTTP answers as the row says that a server did.
func (row *statusRow) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	const rules = "User-agent: *\nDisallow: /private/\n"
	hop := 0
	fmt.Sscanf(r.URL.Path, "/hop/%d", &hop)
	switch {
	case r.Host == "elsewhere.example" && r.URL.Path == "/robots.txt":
		io.WriteString(w, "User-agent: *\nDisallow: /hop/\n")
		return
	case r.URL.Path != "/robots.txt" && hop == 0:
		http.NotFound(w, r)
		return
	case hop < row.RedirectHops:
		to := fmt.Sprintf("/hop/%d", hop+1)
		if row.ChainDisallowed {
			to = "http://elsewhere.example" + to // whose own robots.txt disallows it
		}
		http.Redirect(w, r, to, *row.Status)
		return
	}
	switch row.Error {
	case "timeout":
		<-r.Context().Done()
		return
	case "invalid_response", "connection_reset", "connection_interrupted", "http_chunking_error":
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		defer c.Close()
		io.WriteString(c, map[string]string{
			"invalid_response":       "\x00\x01 no HTTP\r\n\r\n",
			"connection_interrupted": "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + rules,
			"http_chunking_error":    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n" + rules,
		}[row.Error])
		return
	}
	status := 200
	if row.FinalStatus != nil {
		status = *row.FinalStatus
	} else if row.RedirectHops == 0 && row.Status != nil {
		status = *row.Status
	}
	body := rules
	if row.LogicalRedirect != "" {
		body = `<meta http-equiv="refresh" content="0; url=/other.txt">` + "\n" + rules
	}
	w.Header().Set("Content-Type", "text/plain")
	if row.ContentType != "" {
		w.Header().Set("Content-Type", row.ContentType)
	}
	if row.BodyIsText != nil && !*row.BodyIsText {
		body = "\x00\x01\x02\x00\xff\xfe" + body
	}
	w.WriteHeader(status)
	if status != http.StatusNoContent && status != http.StatusNotModified {
		io.WriteString(w, body)
	}
}

// TestStatusEndToEnd lets real servers answer as in each row, and compares the audit's result with
// the row. Rows about time need a clock, so the engine's tests check them. The same is true for a
// site known to answer 5xx for missing pages, which one answer cannot show.
func TestStatusEndToEnd(t *testing.T) {
	file, err := os.Open(filepath.Join("..", "engine", "testdata", "documents.jsonl"))
	noError(t, err)
	defer file.Close()
	// No name server: every look-up fails, and nothing leaves this machine.
	system := net.DefaultResolver
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("no name server here")
	}}
	defer func() { net.DefaultResolver = system }()
	n := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var row statusRow
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil || row.Kind != "status" {
			continue
		}
		if row.Hours != nil || row.Days != nil || row.CacheAge != nil || row.BodySaysNotFound {
			continue
		}
		n++
		server := httptest.NewServer(&row)
		route := ":80:" + server.Listener.Addr().String()
		if row.Error == "dns_error" {
			route = "other.example:80:" + server.Listener.Addr().String()
		}
		a := &Auditor{Crawlers: crawlersOf(t, "token:SomeBot@"+row.Profile), Client: &crawl.Client{ConnectTo: []string{route}, Retries: -1}}
		if row.Error == "timeout" {
			a.Client.Timeout = 300 * time.Millisecond
		}
		for rec := range a.All(t.Context(), Domains(strings.NewReader("http://a.example"))) {
			if rec.Robots == nil || rec.Robots.Index != 0 {
				continue
			}
			want := map[string]string{"conditional": "parsed"}[row.Expected]
			if want == "" {
				want = row.Expected
			}
			if got := rec.Robots.Reads[0].Access.String(); got != want {
				t.Errorf("%s (%s): %s, want %s: %s", row.ID, row.Profile, got, want, rec.Robots.Reads[0].Why)
			}
			if want == "parsed" && rec.Robots.Reads[0].Rules != 1 && rec.Robots.File.Status != http.StatusNoContent {
				t.Errorf("%s: %d rules were read", row.ID, rec.Robots.Reads[0].Rules)
			}
		}
		server.CloseClientConnections()
		server.Close()
	}
	if n < 85 {
		t.Errorf("only %d rows", n)
	}
	t.Logf("%d rows", n)
}
