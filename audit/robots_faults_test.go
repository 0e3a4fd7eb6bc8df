package audit

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"robots-audit/crawl"
)

// refuser is a name server on loopback that knows no name: names with
// "servfail" in them it fails to look up, others do not exist.
func refuser(t *testing.T) *net.Resolver {
	t.Helper()
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	noError(t, err)
	var done sync.WaitGroup
	t.Cleanup(func() { pc.Close(); done.Wait() })
	done.Go(func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := pc.ReadFrom(buf)
			if err != nil {
				return
			}
			if n < 12 {
				continue
			}
			buf[2] |= 0x80 // an answer; its code is in the byte after (RFC 1035 4.1.1)
			if buf[3] = 3; strings.Contains(string(buf[:n]), "servfail") {
				buf[3] = 2
			}
			pc.WriteTo(buf[:n], from)
		}
	})
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", pc.LocalAddr().String())
	}}
}

// TestRobotsFaultsJudged has a site for each possible fault of a robots.txt, all in one run. It
// checks the results: status and code, the behaviour of Googlebot and YandexBot, the number of
// valid rules, the state of the site, and the flags of the fault.
func TestRobotsFaultsJudged(t *testing.T) {
	const rules = "User-agent: *\nDisallow: /private/\n"
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n"
	status := func(n int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(n); io.WriteString(w, rules) }
	}
	body := func(b string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, b) }
	}
	raw := func(b string, reset bool) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			c, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				panic(err)
			}
			io.WriteString(c, b)
			if reset {
				c.(*net.TCPConn).SetLinger(0)
			}
			c.Close()
		}
	}
	to := func(location string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", location)
			w.WriteHeader(http.StatusMovedPermanently)
		}
	}
	hops := func(n int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			hop := 0
			fmt.Sscanf(r.URL.RawQuery, "hop=%d", &hop)
			if hop == n {
				io.WriteString(w, rules)
				return
			}
			to(fmt.Sprintf("/robots.txt?hop=%d", hop+1))(w, r)
		}
	}
	endless := func(w io.Writer) {
		for _, err := io.WriteString(w, rules); err == nil; {
			_, err = io.WriteString(w, strings.Repeat("# more of nothing\n", 1000))
		}
	}
	home := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			to("/")(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!doctype html><html><head><title>x</title></head><body>hello</body></html>")
	}
	tests := map[string]struct {
		answer http.HandlerFunc // nil = the server is not asked
		want   string           // status, code, access for Googlebot and for YandexBot, rules of Googlebot's group, state
		flag   string           // one of the codes of Problems and ids of Findings
	}{
		"http://fine.example": {body(rules), "200 - parsed parsed 1 unknown", ""},

		// The network.
		"http://nobody.example:81":   {nil, "0 dns_not_found disallow_all allow_all 0 unknown", "FET001"},
		"http://servfail.example:81": {nil, "0 dns_temp disallow_all allow_all 0 unknown", "FET001"},
		"http://refused.example:82":  {nil, "0 connect_refused disallow_all allow_all 0 unknown", "FET001"},
		"http://hangup.example":      {raw("", false), "0 reset disallow_all allow_all 0 unknown", "FET001"},
		"http://rst.example":         {raw(head+rules, true), "200 reset disallow_all allow_all 0 critical", "FET001"},
		"http://short.example":       {raw(head+rules, false), "200 body_incomplete disallow_all allow_all 0 critical", "FET001"},
		"http://garbage.example":     {raw("\x00\x01\r\n\r\n", false), "0 bad_http disallow_all allow_all 0 unknown", "FET001"},
		"http://silent.example":      {func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "0 timeout disallow_all allow_all 0 unknown", "FET001"},
		"http://header.example":      {func(w http.ResponseWriter, r *http.Request) { w.Header().Set("X", strings.Repeat("x", 1<<20)) }, "0 headers_too_large disallow_all allow_all 0 unknown", "FET001"},

		// Redirects.
		"http://five.example":    {hops(5), "200 - parsed parsed 1 unknown", ""},
		"http://six.example":     {hops(6), "301 too_many_redirects allow_all allow_all 0 warn", "FET003"},
		"http://loop.example":    {to("/robots.txt"), "301 redirect_loop allow_all allow_all 0 warn", "FET003"},
		"http://file.example":    {to("file:///etc/hostname"), "301 bad_redirect allow_all allow_all 0 warn", "bad_redirect"},
		"http://ftp.example":     {to("ftp://fine.example/robots.txt"), "301 bad_redirect allow_all allow_all 0 warn", "bad_redirect"},
		"http://script.example":  {to("javascript:alert(1)"), "301 bad_redirect allow_all allow_all 0 warn", "bad_redirect"},
		"http://private.example": {to("http://10.0.0.1/robots.txt"), "0 blocked_address unknown unknown 0 unknown", "blocked_address"},
		"http://other.example":   {to("http://fine.example/robots.txt"), "200 - parsed parsed 1 unknown", "FET004"},
		"http://home.example":    {home, "200 - parsed parsed 0 critical", "FET006"},

		// Statuses.
		"http://s401.example": {status(401), "401 http_status allow_all allow_all 0 warn", "FET002"},
		"http://s403.example": {status(403), "403 http_status allow_all allow_all 0 warn", "FET002"},
		"http://s404.example": {status(404), "404 http_status allow_all allow_all 0 ok", "FET002"},
		"http://s410.example": {status(410), "410 http_status allow_all allow_all 0 ok", "FET002"},
		"http://s429.example": {status(429), "429 http_status disallow_all allow_all 0 critical", "FET001"},
		"http://s500.example": {status(500), "500 http_status disallow_all allow_all 0 critical", "FET001"},
		"http://s502.example": {status(502), "502 http_status disallow_all allow_all 0 critical", "FET001"},
		"http://s503.example": {status(503), "503 http_status disallow_all allow_all 0 critical", "FET001"},

		"http://s777.example": {raw("HTTP/1.1 777 Odd\r\nContent-Length: 0\r\n\r\n", false), "777 http_status disallow_all allow_all 0 critical", "FET001"},
		"http://s099.example": {raw("HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n", false), "99 http_status disallow_all allow_all 0 critical", "FET001"},
		"http://s000.example": {raw("HTTP/1.1 000 Odd\r\nContent-Length: 0\r\n\r\n", false), "0 http_status disallow_all allow_all 0 critical", "FET001"},

		// Bodies. Yandex takes a file that is too long for none.
		"http://long.example":    {body(rules + strings.Repeat("# "+strings.Repeat("x", 61)+"\n", 501<<4) + "Disallow: /late/\n"), "200 - parsed allow_all 1 warn", CodeRobotsTooBig},
		"http://comment.example": {body(rules + "# " + strings.Repeat("x", 700_000)), "200 - parsed allow_all 1 warn", CodeRobotsTooBig},
		"http://oneline.example": {body("# " + strings.Repeat("x", 700_000)), "200 - parsed allow_all 0 warn", CodeRobotsTooBig},
		"http://endless.example": {func(w http.ResponseWriter, r *http.Request) { endless(w) },
			"200 - parsed allow_all 1 warn", CodeRobotsTooBig},
		"http://bomb.example": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			endless(gzip.NewWriter(w))
		}, "200 - parsed allow_all 1 warn", CodeRobotsTooBig},
		"http://utf16.example":  {body("\xff\xfe" + strings.Join(strings.Split(rules, ""), "\x00") + "\x00"), "200 - parsed parsed 0 warn", CodeRobotsNotText},
		"http://bom.example":    {body("\xef\xbb\xbf" + rules), "200 - parsed parsed 1 unknown", "FMT001"},
		"http://nul.example":    {body("User-agent: *\n\x00\x00Disallow: /nul/\nDisallow: /private/\n"), "200 - parsed parsed 1 unknown", "FMT003"},
		"http://binary.example": {body(strings.Repeat("\x00\x01\x02\xff", 1000)), "200 - parsed parsed 0 warn", CodeRobotsNotText},
		"http://html.example":   {body("<!doctype html><html><body>x\n" + rules + "</body></html>"), "200 - parsed parsed 1 critical", CodeRobotsHTML},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if tt := tests["http://"+r.Host]; tt.answer != nil && (r.URL.Path == "/robots.txt" || r.URL.Path == "/") {
			tt.answer(w, r)
			return
		}
		http.NotFound(w, r)
	}))
	defer server.Close()
	defer server.CloseClientConnections()
	system := net.DefaultResolver
	net.DefaultResolver = refuser(t)
	defer func() { net.DefaultResolver = system }()
	var list strings.Builder
	for site := range tests {
		fmt.Fprintln(&list, site)
	}
	// A busy machine may need longer than the timeout for requests that should succeed. With the
	// longest timeout they must.
	const longest = 40 * time.Second
	for _, timeout := range []time.Duration{time.Second, 4 * time.Second, longest} {
		got, flags := map[string]string{}, map[string][]string{}
		a := &Auditor{Crawlers: crawlersOf(t, "Googlebot,YandexBot"), Workers: 4, Client: &crawl.Client{
			ConnectTo: []string{":80:" + server.Listener.Addr().String(), ":82:127.0.0.1:1"}, Retries: -1, Timeout: timeout}}
		for rec := range a.All(t.Context(), Domains(strings.NewReader(list.String()))) {
			site := "http://" + rec.Domain
			switch {
			case rec.Robots != nil && rec.Robots.Index == 0:
				f, reads := rec.Robots.File, rec.Robots.Reads
				code := f.Code
				if code == "" {
					code = "-"
				}
				got[site] = fmt.Sprintf("%d %s %s %s %d", f.Status, code, reads[0].Access, reads[1].Access, reads[0].Rules)
			case rec.Problem != nil:
				flags[site] = append(flags[site], rec.Problem.Code)
			case rec.Findings != nil:
				for _, f := range rec.Findings.List {
					flags[site] = append(flags[site], f.ID)
				}
			case rec.Done != nil:
				got[site] += " " + string(rec.Done.State)
			}
		}
		var wrong []string
		for site, tt := range tests {
			if got[site] != tt.want {
				wrong = append(wrong, fmt.Sprintf("%s: got %s, want %s", site, got[site], tt.want))
			}
			if said := " " + strings.Join(flags[site], " ") + " "; !strings.Contains(said, " "+tt.flag+" ") && tt.flag != "" {
				wrong = append(wrong, fmt.Sprintf("%s: flagged by %s, want %s", site, said, tt.flag))
			}
		}
		if wrong == nil {
			return
		}
		if timeout == longest {
			t.Error(strings.Join(wrong, "\n"))
		} else {
			t.Log(strings.Join(wrong, "\n"))
		}
	}
}
