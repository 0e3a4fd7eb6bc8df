//go:build readers

package delivery

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/alert"
)

// pythonMail is the output of testdata/mailserver.py about a mail.
type pythonMail struct {
	From          string
	To            []string
	TLS           bool
	User          string
	Headers       map[string]string
	HeaderDefects []string `json:"header_defects"`
	LongestLine   int      `json:"longest_line"`
	ASCII         bool
	BareNewlines  int `json:"bare_newlines"`
	Parts         []struct {
		Type, Charset, Encoding, Disposition, Name string
		Body                                       []byte
		Defects                                    []string
	}
	Source string
}

// pythonServer starts aiosmtpd, and returns its address and what it received.
func pythonServer(t *testing.T, config *tls.Config) (address string, mails <-chan pythonMail) {
	t.Helper()
	readers := os.Getenv("ROBOTS_AUDIT_READERS")
	if readers == "" {
		t.Fatal("ROBOTS_AUDIT_READERS names no folder: see .ci/install-readers")
	}
	dir := t.TempDir()
	key, err := x509.MarshalPKCS8PrivateKey(config.Certificates[0].PrivateKey)
	noError(t, err)
	files := map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: config.Certificates[0].Certificate[0]}, "key.pem": {Type: "PRIVATE KEY", Bytes: key}}
	for name, block := range files {
		noError(t, os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600))
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(readers, "python3"), "testdata/mailserver.py", filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"), "audit", mailSecret)
	cmd.Stderr = t.Output()
	out, err := cmd.StdoutPipe()
	noError(t, err)
	noError(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	lines := json.NewDecoder(out)
	var port int
	noError(t, lines.Decode(&port))
	received := make(chan pythonMail, 10)
	go func() { // the server waits until its line is read
		defer close(received)
		for m := (pythonMail{}); lines.Decode(&m) == nil; m = (pythonMail{}) {
			received <- m
		}
	}()
	return fmt.Sprintf("127.0.0.1:%d", port), received
}

func unmarshal(t *testing.T, text []byte) (m alert.Message) {
	t.Helper()
	noError(t, json.Unmarshal(text, &m))
	return m
}

// TestReadersMail sends mails to a server that shares no code with us, and has them read
// by Python's email package.
func TestReadersMail(t *testing.T) {
	config, roots := certificate(t, "127.0.0.1")
	address, mails := pythonServer(t, config)
	folder := t.TempDir()
	run := filepath.Join(folder, "runs", "20261123T060000Z")
	noError(t, os.MkdirAll(run, 0o755))
	workbook := []byte(strings.Repeat("PK\x03\x04\x00\xff\r\n.\r\n", 5000))
	noError(t, os.WriteFile(filepath.Join(run, "www.shop.example.xlsx"), workbook, 0o644))
	m := (&mailServer{address: address, roots: roots}).channel()
	m.AttachBelow = 5_000_000
	channels := []Channel{m}
	long := event("lang.example", "AL02", compare.Critical, "lang.example: "+strings.Repeat("ein sehr langer Satz mit ümlauten ", 100), ".", "..dots at the start of a line", "From here", strings.Repeat("x", 3000))
	rows := plan(t, channels, began, blocked, long)
	now := func() time.Time { return began }
	tries, _, err := Send(t.Context(), newTable(rows...), channels, alert.Home{Folder: folder}, now)
	if err != nil || tries[0].State != Accepted {
		t.Fatalf("%+v %v", tries, err)
	}
	got, ok := <-mails
	if !ok {
		t.Fatal("the server said nothing")
	}
	if got.From != "audit@ops.example" || fmt.Sprint(got.To) != "[seo@shop.example j@shop.example]" || !got.TLS || got.User != "audit" {
		t.Errorf("envelope %q %q, TLS %t, user %q", got.From, got.To, got.TLS, got.User)
	}
	for name, want := range map[string]string{
		"message-id": "<" + rows[0].ID + "@ops.example>", "x-robots-audit-delivery": rows[0].ID, "date": "Mon, 23 Nov 2026 06:00:00 +0000",
		"from": "Robots Audit <audit@ops.example>", "to": "seo@shop.example, Jürgen Müller <j@shop.example>", "auto-submitted": "auto-generated", "mime-version": "1.0",
		"subject": unmarshal(t, rows[0].Message).Subject(),
	} {
		if got.Headers[name] != want {
			t.Errorf("%s: %q, want %q", name, got.Headers[name], want)
		}
	}
	if len(got.HeaderDefects) > 0 || got.LongestLine > 998 || !got.ASCII || got.BareNewlines > 0 {
		t.Errorf("defects %v, a line of %d, ASCII %t, %d bare newlines", got.HeaderDefects, got.LongestLine, got.ASCII, got.BareNewlines)
	}
	var shape []string
	bodies := map[string]string{}
	for _, p := range got.Parts {
		shape = append(shape, strings.TrimSpace(p.Type+" "+p.Charset+" "+p.Encoding+" "+p.Disposition+" "+p.Name))
		bodies[p.Type] = string(p.Body)
		if len(p.Defects) > 0 {
			t.Errorf("%s: %v", p.Type, p.Defects)
		}
	}
	if want := "multipart/mixed; multipart/alternative; text/plain utf-8 quoted-printable; text/html utf-8 quoted-printable; " + xlsx + "  base64 attachment www.shop.example.xlsx"; strings.Join(shape, "; ") != want {
		t.Errorf("parts\n%s\nwant\n%s", strings.Join(shape, "; "), want)
	}
	message := unmarshal(t, rows[0].Message)
	message.Home.Folder = folder
	if text := strings.ReplaceAll(bodies["text/plain"], "\r\n", "\n"); text != message.Text() {
		t.Errorf("text\n%s\nwant\n%s", text, message.Text())
	}
	if page := strings.ReplaceAll(bodies["text/html"], "\r\n", "\n"); page != message.HTML() {
		t.Errorf("page\n%s\nwant\n%s", page, message.HTML())
	}
	if bodies[xlsx] != string(workbook) {
		t.Errorf("workbook: %d bytes, want %d", len(bodies[xlsx]), len(workbook))
	}
	save(t, "mail-python.eml", got.Source)

	for want, change := range map[string]func(*Mail){
		`refused the login of user "audit": it answered 535`:         func(m *Mail) { m.Password = "wrong-password" },
		"refused every recipient: nobody@shop.example (550 5.1.1 no": func(m *Mail) { m.To = []string{"nobody@shop.example"} },
		"its certificate is not trusted":                             func(m *Mail) { m.Roots = x509.NewCertPool() },
		"it answered 530":                                            func(m *Mail) { m.User, m.Password = "", "" },
	} {
		m := (&mailServer{address: address, roots: roots}).channel()
		change(m)
		try := sendOne(t, m, blocked)
		if try.State != Failed || !strings.Contains(try.Text, want) {
			t.Errorf("%+v, want %q", try, want)
		}
		t.Log(try.Text)
	}
	m.To = append(m.To, "nobody@shop.example")
	tries, _ = send(t, newTable(plan(t, channels, began, blocked)...), channels, began)
	if tries[0].State != Accepted || !strings.Contains(tries[0].Text, "not taken for nobody@shop.example (550 5.1.1 no such mailbox)") {
		t.Errorf("%+v", tries)
	}
}
