package delivery

import (
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/alert"
)

// part is a decoded part of a mail without parts of its own.
type part struct{ kind, name, text string }

// parts reads a mail with the standard library, which shares no code with what wrote it.
func parts(t *testing.T, kind, encoding, disposition string, body io.Reader) (list []part) {
	t.Helper()
	media, params, err := mime.ParseMediaType(kind)
	noError(t, err)
	if strings.HasPrefix(media, "multipart/") {
		r := multipart.NewReader(body, params["boundary"])
		for {
			p, err := r.NextRawPart()
			if err == io.EOF {
				return list
			}
			noError(t, err)
			list = append(list, parts(t, p.Header.Get("Content-Type"), p.Header.Get("Content-Transfer-Encoding"), p.Header.Get("Content-Disposition"), p)...)
		}
	}
	switch encoding {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	text, err := io.ReadAll(body)
	noError(t, err)
	_, dispositionParams, _ := mime.ParseMediaType(disposition)
	return []part{{media, dispositionParams["filename"], string(text)}}
}

func read(t *testing.T, data string) (mail.Header, []part) {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(data))
	noError(t, err)
	return m.Header, parts(t, m.Header.Get("Content-Type"), m.Header.Get("Content-Transfer-Encoding"), "", m.Body)
}

func TestMail(t *testing.T) {
	s := newMailServer(t, nil)
	folder := t.TempDir()
	run := filepath.Join(folder, "runs", "20261123T060000Z")
	noError(t, os.MkdirAll(run, 0o755))
	workbooks := map[string]string{"www.shop.example": strings.Repeat("workbook\x00\xff", 3000), "b.example": strings.Repeat("x", 40_000)}
	for site, text := range workbooks {
		noError(t, os.WriteFile(filepath.Join(run, site+".xlsx"), []byte(text), 0o644))
	}
	c := s.channel()
	c.AttachBelow = 50_000
	noError(t, c.Check())
	rows := plan(t, []Channel{c}, began, blocked, event("b.example", "AL07", compare.High, "b.example: sitemap lost."), event("gone.example", "AL07", compare.High, "gone.example: sitemap lost."))
	store := newTable(rows...)
	tries, _, err := Send(t.Context(), store, []Channel{c}, alert.Home{Folder: folder}, func() time.Time { return began.Add(time.Minute) })
	if err != nil || len(tries) != 1 || tries[0].State != Accepted || tries[0].Text != "" {
		t.Fatalf("%+v %v", tries, err)
	}
	got := s.all()[0]
	if got.from != "audit@ops.example" || fmt.Sprint(got.to) != "[seo@shop.example j@shop.example]" || got.user != "audit" || !got.tls {
		t.Errorf("envelope %q %q, user %q, TLS %t", got.from, got.to, got.user, got.tls)
	}
	header, list := read(t, got.data)
	words := mime.WordDecoder{}
	for name, want := range map[string]string{
		"Message-Id": "<" + rows[0].ID + "@ops.example>", "X-Robots-Audit-Delivery": rows[0].ID, "Date": "Mon, 23 Nov 2026 06:00:00 +0000",
		"From": `"Robots Audit" <audit@ops.example>`, "To": `<seo@shop.example>, Jürgen Müller <j@shop.example>`, "Auto-Submitted": "auto-generated",
	} {
		value, err := words.DecodeHeader(header.Get(name))
		if err != nil || value != want {
			t.Errorf("%s: %q, want %q (%v)", name, value, want, err)
		}
	}
	if subject, _ := words.DecodeHeader(header.Get("Subject")); !strings.HasPrefix(subject, "Critical: www.shop.example: the home page is blocked (+2 sites)") {
		t.Errorf("subject %q", subject)
	}
	if len(list) != 3 || list[0].kind != "text/plain" || list[1].kind != "text/html" || list[2].kind != xlsx {
		t.Fatalf("%d parts", len(list))
	}
	if !strings.Contains(list[0].text, hostile) || !strings.Contains(list[0].text, "Too large to attach: b.example.xlsx") {
		t.Errorf("text: %s", list[0].text)
	}
	if !strings.Contains(list[1].text, "&lt;b&gt;bold") || !strings.Contains(list[1].text, "東京") || strings.Contains(list[1].text, "<b>bold") {
		t.Errorf("page: %s", list[1].text)
	}
	if list[2].name != "www.shop.example.xlsx" || list[2].text != workbooks["www.shop.example"] {
		t.Errorf("attached: %q, %d bytes", list[2].name, len(list[2].text))
	}
	save(t, "mail.eml", got.data)
	save(t, "mail.html", list[1].text)
}

// save keeps what was received where TEST_KEEP says, to be looked at.
func save(t *testing.T, name, text string) {
	t.Helper()
	if dir := os.Getenv("TEST_KEEP"); dir != "" {
		noError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
}

func TestMailFailures(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	closed.Close()
	mute, err := net.Listen("tcp", "127.0.0.1:0") // takes connections, and says nothing
	noError(t, err)
	defer mute.Close()
	refusal := func(code int, text string) *smtp.SMTPError { return &smtp.SMTPError{Code: code, Message: text} }
	for _, c := range []struct {
		name    string
		server  func(*mailServer)
		channel func(*Mail)
		text    string
		wait    time.Duration
	}{
		{"nobody listens", nil, func(m *Mail) { m.SMTP = closed.Addr().String() }, "cannot be reached: the connection was refused", time.Minute},
		{"says nothing", nil, func(m *Mail) { m.SMTP = mute.Addr().String() }, "did not greet: no answer in time", time.Minute},
		{"unknown certificate", nil, func(m *Mail) { m.Roots = x509.NewCertPool() }, "could not change to TLS: its certificate is not trusted", time.Minute},
		{"certificate of another host", func(s *mailServer) { s.TLSConfig, s.roots = certificate(t, "127.0.0.9") }, nil, "its certificate is not trusted", time.Minute},
		{"no STARTTLS", func(s *mailServer) { s.TLSConfig = nil }, nil, "has no STARTTLS. Use tls", time.Hour},
		{"TLS where there is none", nil, func(m *Mail) { m.TLS = "tls" }, "cannot be reached: it does not use TLS there", time.Minute},
		{"refused login", nil, func(m *Mail) { m.Password = "wrong-password" }, `refused the login of user "audit": it answered 535 5.7.8 authentication failed for (secret)`, time.Hour},
		{"no login is offered", func(s *mailServer) { s.mechanisms = nil }, nil, "offers no login", time.Hour},
		{"login is wanted", nil, func(m *Mail) { m.User, m.Password = "", "" }, "refused the sender audit@ops.example: it answered 502 5.7.0 Please authenticate first", time.Hour},
		{"all recipients refused", func(s *mailServer) {
			s.refuse["seo@shop.example"], s.refuse["j@shop.example"] = refusal(550, "no such user"), refusal(550, "no such user")
		}, nil, "refused every recipient: seo@shop.example (550 5.0.0 no such user); j@shop.example (550", time.Hour},
		{"greylisted", func(s *mailServer) { s.refuse["seo@shop.example"] = refusal(451, "try again") }, nil, "refused recipients for now: seo@shop.example (451 4.0.0 try again)", time.Minute},
		{"refused content", func(s *mailServer) { s.refuse[""] = refusal(554, "spam") }, nil, "refused the mail: it answered 554 5.0.0 spam", time.Hour},
		{"a full server", func(s *mailServer) { s.refuse[""] = refusal(452, "disk full") }, nil, "refused the mail: it answered 452 4.0.0 disk full", time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newMailServer(t, c.server)
			m := s.channel()
			if c.channel != nil {
				c.channel(m)
			}
			if m.SMTP == mute.Addr().String() {
				quick(t, 200*time.Millisecond, 500*time.Millisecond)
			}
			try := sendOne(t, m, blocked)
			if try.State != Failed || !strings.HasPrefix(try.Text, m.SMTP) || !strings.Contains(try.Text, c.text) {
				t.Fatalf("%+v\nwant %q", try, c.text)
			}
			checkWait(t, try, c.wait)
			if len(s.all()) != 0 {
				t.Error("a mail came through")
			}
		})
	}
}

// Reachable recipients get the mail: at once if the others are refused permanently, after some
// tries if temporarily.
func TestMailToSome(t *testing.T) {
	for _, c := range []struct{ code, tries int }{{550, 1}, {451, patience + 1}} {
		s := newMailServer(t, func(s *mailServer) {
			s.refuse["seo@shop.example"] = &smtp.SMTPError{Code: c.code, Message: "not today"}
		})
		m := s.channel()
		store := newTable(plan(t, []Channel{m}, began, blocked)...)
		var last Try
		n := 0
		for at := began; !at.IsZero(); at = store.next() {
			tries, _ := send(t, store, []Channel{m}, at)
			n, last = n+1, tries[0]
		}
		if n != c.tries || last.State != Accepted || !strings.Contains(last.Text, fmt.Sprintf("not taken for seo@shop.example (%d", c.code)) || len(s.all()) != 1 || fmt.Sprint(s.all()[0].to) != "[j@shop.example]" {
			t.Errorf("%d: %d tries, %+v, %v", c.code, n, last, s.all())
		}
	}
}

// A mail that is too large for the server goes without its workbooks.
func TestMailTooLarge(t *testing.T) {
	s := newMailServer(t, func(s *mailServer) { s.MaxMessageBytes = 60_000 })
	folder := t.TempDir()
	noError(t, os.MkdirAll(filepath.Join(folder, "runs", "20261123T060000Z"), 0o755))
	noError(t, os.WriteFile(filepath.Join(folder, "runs", "20261123T060000Z", "www.shop.example.xlsx"), make([]byte, 100_000), 0o644))
	m := s.channel()
	m.AttachBelow = 1 << 20
	tries, _, err := Send(t.Context(), newTable(plan(t, []Channel{m}, began, blocked)...), []Channel{m}, alert.Home{Folder: folder}, func() time.Time { return began })
	if err != nil || tries[0].State != Accepted || len(s.all()) != 1 {
		t.Fatalf("%+v %v", tries, err)
	}
	if _, list := read(t, s.all()[0].data); len(list) != 2 {
		t.Errorf("%d parts", len(list))
	}
}

// The ways to log in, and to reach TLS.
func TestMailWays(t *testing.T) {
	login := newMailServer(t, func(s *mailServer) { s.mechanisms = []string{"LOGIN"} })
	plainText := newMailServer(t, func(s *mailServer) { s.AllowInsecureAuth = true; s.TLSConfig = nil })
	noLogin := newMailServer(t, func(s *mailServer) { s.mechanisms = nil })
	ways := map[string]*Mail{"LOGIN": login.channel(), "without TLS": plainText.channel(), "without login": noLogin.channel()}
	ways["without TLS"].TLS = "none"
	ways["without login"].User, ways["without login"].Password = "", ""
	for name, m := range ways {
		if err := m.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if try := sendOne(t, m, blocked); try.State != Accepted {
			t.Errorf("%s: %+v", name, try)
		}
	}
}

// Text from a site or from the configuration makes no header and no command.
func TestMailInjection(t *testing.T) {
	s := newMailServer(t, nil)
	m := s.channel()
	evil := event("e.example\r\nBcc: evil@evil.example", "AL01", compare.Critical, "e.example\r\nBcc: evil@evil.example\r\n\r\n<html>\r\n.\r\nRCPT TO:<evil@evil.example>", "\r\n.\r\nMAIL FROM:<x@x>")
	if try := sendOne(t, m, evil); try.State != Accepted {
		t.Fatalf("%+v", try)
	}
	got := s.all()
	if len(got) != 1 || len(got[0].to) != 2 {
		t.Fatalf("%d mails, to %v", len(got), got[0].to)
	}
	header, list := read(t, got[0].data)
	if header.Get("Bcc") != "" || len(list) != 2 || len(header) != 11 {
		t.Errorf("header %v, %d parts", header, len(list))
	}
}

func TestMailCheck(t *testing.T) {
	good := func() *Mail {
		return &Mail{Route: Route{Name: "mail 1"}, SMTP: "mail.example:587", TLS: "starttls", From: "a@b.example", To: []string{"c@d.example"}}
	}
	noError(t, good().Check())
	for want, change := range map[string]func(*Mail){
		`smtp = "mail.example"`:             func(m *Mail) { m.SMTP = "mail.example" },
		`smtp = "mail.example:0"`:           func(m *Mail) { m.SMTP = "mail.example:0" },
		`smtp = ":25"`:                      func(m *Mail) { m.SMTP = ":25" },
		`only for a server on this machine`: func(m *Mail) { m.TLS = "none" },
		`from = "a@b\r\nBcc: x@y"`:          func(m *Mail) { m.From = "a@b\r\nBcc: x@y" },
		`to = "c@d>\r\nDATA"`:               func(m *Mail) { m.To = append(m.To, "c@d>\r\nDATA") },
	} {
		m := good()
		change(m)
		if err := m.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
