package crawl

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// ftpSite is an FTP server of one folder (RFC 959, RFC 2428), with optional faults.
type ftpSite struct {
	files    map[string]string
	greeting string            // instead of 220
	replies  map[string]string // to commands, instead of its own
	passive  string            // address and port in PASV's reply, "h1,h2,h3,h4,p1,p2" [the real ones]
	end      string            // after the data, instead of 226
	data     func(net.Conn)    // sends the data instead; the connection is closed then

	mu   sync.Mutex
	told []string // commands
}

// talk serves one control connection.
func (s *ftpSite) talk(c net.Conn) {
	say := func(line string) { io.WriteString(c, line+"\r\n") }
	if s.greeting != "" {
		say(s.greeting)
	} else {
		say("220-Welcome\r\n to the archive\r\n220 ready")
	}
	var data net.Listener
	defer func() {
		if data != nil {
			data.Close()
		}
	}()
	in := bufio.NewScanner(c)
	for in.Scan() {
		s.mu.Lock()
		s.told = append(s.told, in.Text())
		s.mu.Unlock()
		command, argument, _ := strings.Cut(in.Text(), " ")
		if reply, ok := s.replies[command]; ok {
			if reply == "" {
				return // disconnects
			}
			say(reply)
			continue
		}
		switch command {
		case "USER":
			say("331 any mail address as the password")
		case "PASS":
			say("230 logged in")
		case "FEAT":
			say("211-Features:\r\n EPSV\r\n UTF8\r\n211 End")
		case "TYPE", "OPTS":
			say("200 fine")
		case "EPSV", "PASV":
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				say("425 " + err.Error())
				continue
			}
			data = l
			port := l.Addr().(*net.TCPAddr).Port
			address := s.passive
			if address == "" {
				address = fmt.Sprintf("127,0,0,1,%d,%d", port/256, port%256)
			}
			if command == "EPSV" {
				say(fmt.Sprintf("229 Entering Extended Passive Mode (|||%d|)", port))
			} else {
				say("227 Entering Passive Mode (" + address + ")")
			}
		case "RETR":
			file, ok := s.files["/"+strings.TrimPrefix(argument, "/")]
			if !ok {
				say("550 no such file")
				continue
			}
			say("150 here it comes")
			conn, err := data.Accept()
			if err != nil {
				return
			}
			if s.data != nil {
				s.data(conn)
			} else {
				io.WriteString(conn, file)
			}
			conn.Close()
			if s.end != "" {
				say(s.end)
			} else {
				say("226 done")
			}
		default:
			say("502 not implemented")
		}
	}
}

func TestFTP(t *testing.T) {
	const file = "User-agent: *\nDisallow: /pub/private/\n"
	archive := map[string]string{"/robots.txt": file}
	for _, tt := range []struct {
		name   string
		site   *ftpSite
		change func(*Client)
		status int
		code   string
		body   string
		cut    bool
		tries  int
		late   bool // with a short timeout, since the test waits for it
	}{
		{name: "a file", site: &ftpSite{files: archive}, status: 200, body: file},
		{name: "no file", site: &ftpSite{}, status: 404, code: CodeHTTPStatus},
		{name: "PASV", site: &ftpSite{files: archive, replies: map[string]string{"EPSV": "500 what?"}}, status: 200, body: file},
		{name: "data from elsewhere", site: &ftpSite{files: archive, replies: map[string]string{"EPSV": "500 what?"}, passive: "169,254,169,254,0,80"}, code: CodeBlockedAddress},
		{name: "data from a port of another service", site: &ftpSite{files: archive, replies: map[string]string{"EPSV": "229 Entering Extended Passive Mode (|||25|)"}}, code: CodeBlockedAddress},
		{name: "no anonymous user", site: &ftpSite{files: archive, replies: map[string]string{"PASS": "530 Login incorrect"}}, status: 403, code: CodeHTTPStatus},
		{name: "busy", site: &ftpSite{files: archive, greeting: "421 too many users"}, change: func(c *Client) { c.Retries = 1 }, status: 503, code: CodeHTTPStatus, tries: 2},
		{name: "file busy", site: &ftpSite{files: archive, replies: map[string]string{"RETR": "450 busy"}}, status: 503, code: CodeHTTPStatus},
		{name: "no FTP", site: &ftpSite{greeting: "* OK IMAP4rev1"}, code: CodeBadHTTP},
		{name: "a reply out of place", site: &ftpSite{replies: map[string]string{"TYPE": "354 go on"}}, code: CodeBadHTTP},
		{name: "hangs up", site: &ftpSite{files: archive, replies: map[string]string{"PASS": ""}}, code: CodeConnectionReset},
		{name: "says nothing", site: &ftpSite{files: archive, data: func(c net.Conn) { io.Copy(io.Discard, c) }}, late: true, status: 200, code: CodeTimeout},
		{name: "broken off", site: &ftpSite{files: archive, data: func(c net.Conn) { io.WriteString(c, file[:9]) }, end: "426 broken off"}, status: 200, code: CodeBodyIncomplete, body: file[:9]},
		{name: "too long", site: &ftpSite{files: archive, data: func(c net.Conn) {
			for {
				if _, err := io.WriteString(c, file); err != nil {
					return
				}
			}
		}}, change: func(c *Client) { c.MaxRobots = 100 }, status: 200, body: file + file + file[:14], cut: true},
		{name: "replies without end", site: &ftpSite{greeting: "220-" + strings.Repeat("x", maxHeader)}, code: CodeHeadersTooLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := &Client{Retries: -1, ConnectTo: []string{":21:" + serveRaw(t, tt.site.talk)}}
			if tt.change != nil {
				tt.change(c)
			}
			ask := func(timeout time.Duration) string {
				c.Timeout = timeout
				s := c.Site()
				defer s.Close()
				f := s.Robots(t.Context(), "ftp://user:secret@ftp.example.test/pub/")
				switch {
				case f.Status != tt.status || f.Code != tt.code || string(f.Body) != tt.body || f.Truncated != tt.cut || f.Tries != max(1, tt.tries):
					return fmt.Sprintf("got status %d, code %q, body %q, cut %v, %d tries (%s)", f.Status, f.Code, f.Body, f.Truncated, f.Tries, f.Detail)
				case f.URL != "ftp://ftp.example.test/robots.txt" || len(f.Hops) != 1 || f.Hops[0].URL != f.URL || f.Hops[0].Status != tt.status:
					return fmt.Sprintf("got %s and hops %+v", f.URL, f.Hops)
				case f.Code != "" && f.Detail == "":
					return "no detail for people"
				case f.Code == "" && (f.SHA256 == "" || f.Bytes < int64(len(f.Body)) || f.Wire < f.Bytes):
					return fmt.Sprintf("got %+v", f.Outcome)
				case len(s.dialer.conns) != 0 || len(c.shared.hosts.known) != 0:
					return fmt.Sprintf("%d connections are open, and hosts kept: %v", len(s.dialer.conns), c.shared.hosts.known)
				}
				return ""
			}
			inTime(t, tt.late, ask)
			tt.site.mu.Lock()
			defer tt.site.mu.Unlock()
			if all := strings.Join(tt.site.told, "\n"); strings.Contains(all, "secret") || strings.Contains(all, "PASS") && !strings.Contains(all, "USER anonymous\nPASS anonymous@") {
				t.Errorf("told:\n%s", all)
			}
		})
	}
}

// The guard refuses the same addresses for ftp as for http.
func TestFTPGuard(t *testing.T) {
	inner := serveRaw(t, (&ftpSite{files: map[string]string{"/robots.txt": rules}}).talk)
	for _, tt := range []struct {
		name, origin string
		client       *Client
		trusted      []string
		code         string
	}{
		{"an address inside", "ftp://" + inner, &Client{}, nil, CodeBlockedAddress},
		{"in another notation", "ftp://2130706433:21", &Client{ConnectTo: []string{":21:" + inner}}, nil, CodeBlockedAddress},
		{"a port of another service", "ftp://8.8.8.8:22", &Client{}, nil, CodeBlockedAddress},
		{"listed", "ftp://" + inner, &Client{}, []string{inner}, ""},
		{"allowed", "ftp://" + inner, &Client{AllowPrivate: true}, nil, ""},
		{"nobody there", "ftp://ftp.example.test", &Client{ConnectTo: []string{":21:127.0.0.1:1"}}, nil, CodeConnectRefused},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.client.Retries = -1
			if f := robotsOf(t, tt.client, tt.origin, tt.trusted...); f.Code != tt.code {
				t.Errorf("got code %q (%s)", f.Code, f.Detail)
			}
		})
	}
}

func TestFTPIsCancelledAndCached(t *testing.T) {
	started := make(chan struct{})
	silent := &ftpSite{files: map[string]string{"/robots.txt": rules}, data: func(c net.Conn) { close(started); io.Copy(io.Discard, c) }}
	c := &Client{ConnectTo: []string{":21:" + serveRaw(t, silent.talk)}}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-started; cancel() }()
	s := c.Site()
	if f := s.Robots(ctx, "ftp://ftp.example.test"); f.Code != CodeCancelled || f.Tries != 1 {
		t.Errorf("got code %q after %d tries", f.Code, f.Tries)
	}
	s.Close()

	clock, site := newTestClock(), &ftpSite{files: map[string]string{"/robots.txt": rules}}
	c = &Client{ConnectTo: []string{":21:" + serveRaw(t, site.talk)}, Cache: cacheAt(t, clock, filepath.Join(t.TempDir(), "cache.db"))}
	for _, want := range []string{`200  "%s"`, `200  "%s", ours of 1h0m0s ago`} {
		f := robotsOf(t, c, "ftp://ftp.example.test")
		if got, want := told(f, clock), fmt.Sprintf(want, strings.ReplaceAll(rules, "\n", `\n`)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		clock.pass(time.Hour)
	}
}
