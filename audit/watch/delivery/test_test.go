package delivery

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/alert"
)

// TestTest: a test goes through each kind of channel, whatever its minimum severity. The result
// shows the answer, or why there was none and what to do, and no secret.
func TestTest(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	closed.Close()
	mails := newMailServer(t, nil)
	login := mails.channel()
	login.Password = "wrong-password"
	dead := mails.channel()
	dead.SMTP = closed.Addr().String()
	untrusted := mails.channel()
	untrusted.Roots = nil
	answers := func(status int, text string) *receiver {
		return newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "https://elsewhere.example/"+pathSecret)
			w.WriteHeader(status)
			io.WriteString(w, text)
		})
	}
	json200, slack, teams := answers(200, "ok, "+pathSecret), answers(200, "ok"), answers(202, "")
	slack.Format, teams.Format = "slack", "teams"
	gone, moved, strange, busy, closedTo := answers(404, "no_service"), answers(301, ""), answers(400, "invalid_blocks."), answers(429, ""), answers(403, "")
	deadHook := answers(200, "")
	deadHook.Server.Close()
	dir := t.TempDir()
	file := &File{Path: filepath.Join(dir, "alerts.jsonl")}
	for _, c := range []struct {
		name    string
		channel Channel
		state   State
		want    string // HOST is the host of the receiver
		host    string
	}{
		{"STARTTLS and a login", mails.channel(), Accepted, "HOST: 250 2.0.0 OK: queued", mails.address},
		{"refused login", login, Failed, `HOST refused the login of user "audit": it answered 535 5.7.8 authentication failed for (secret). Check user and its password`, mails.address},
		{"dead host", dead, Failed, "HOST cannot be reached: the connection was refused. Check the host and the port, and the firewalls on the way", dead.SMTP},
		{"unknown authority", untrusted, Failed, "its certificate is not trusted: x509: certificate signed by unknown authority. Check the name of the host. If the certificate is from your own authority, set ca_cert", mails.address},
		{"JSON", json200.Webhook, Accepted, "HOST: 200 ok, (secret)", json200.Listener.Addr().String()},
		{"Slack", slack.Webhook, Accepted, "HOST: 200 ok", slack.Listener.Addr().String()},
		{"Teams", teams.Webhook, Accepted, "HOST: 202", teams.Listener.Addr().String()},
		{"no such webhook", gone.Webhook, Failed, "HOST answered 404: no_service. The receiver does not know this URL. Make a new webhook there, and use its URL", gone.Listener.Addr().String()},
		{"redirect", moved.Webhook, Failed, "HOST answered 301, a redirect, which is not followed. Configure the final URL", moved.Listener.Addr().String()},
		{"another format", strange.Webhook, Failed, "HOST answered 400: invalid_blocks. Check the URL, and format or template: the receiver does not accept this message", strange.Listener.Addr().String()},
		{"too many", busy.Webhook, Failed, "HOST answered 429. Try again in some minutes", busy.Listener.Addr().String()},
		{"no access", closedTo.Webhook, Failed, "HOST answered 403. Check the URL and the secret", closedTo.Listener.Addr().String()},
		{"dead webhook", deadHook.Webhook, Failed, "HOST: the connection was refused. Check the host and the port, and the firewalls on the way", deadHook.Listener.Addr().String()},
		{"file", file, Accepted, file.Path, ""},
		{"no folder", &File{Path: filepath.Join(dir, "none", "alerts.jsonl")}, Failed, "Make its folder, or correct path", ""},
	} {
		switch channel := c.channel.(type) {
		case *Webhook:
			channel.Min = compare.Critical
		case *Mail:
			channel.Min = compare.Critical
		}
		got := Test(t.Context(), c.channel, alert.Home{}, began)
		want := strings.ReplaceAll(c.want, "HOST", c.host)
		if got.State != c.state || !strings.HasSuffix(got.Text, want) || strings.Contains(got.Text, pathSecret) || strings.Contains(got.Text, "wrong-password") {
			t.Errorf("%s: %s: %q, want %s: %q", c.name, got.State, got.Text, c.state, want)
		}
	}

	header, list := read(t, mails.all()[0].data)
	if subject := header.Get("Subject"); !strings.HasPrefix(subject, "Test: Critical: shop.example:") {
		t.Errorf("subject %q", subject)
	}
	if !strings.HasPrefix(list[0].text, alert.TestNote+"\r\n") && !strings.HasPrefix(list[0].text, alert.TestNote+"\n") || strings.Contains(list[0].text, "schedule -config") {
		t.Errorf("text: %s", list[0].text)
	}
	if !strings.Contains(list[1].text, "<p><b>"+alert.TestNote+"</b></p>") {
		t.Errorf("page: %s", list[1].text)
	}
	save(t, "test.html", list[1].text)
	line, err := os.ReadFile(file.Path)
	noError(t, err)
	for _, body := range []string{json200.all()[0].body, string(line)} {
		var m struct {
			Test     bool
			Text     string
			Severity string
			Events   []alert.Event
		}
		noError(t, json.Unmarshal([]byte(body), &m))
		if !m.Test || !strings.HasPrefix(m.Text, alert.TestNote+"\n") || m.Severity != "critical" || len(m.Events) != 1 || !strings.HasPrefix(m.Events[0].Alert, "test-") {
			t.Errorf("%+v", m)
		}
	}
	for _, r := range []*receiver{slack, teams} {
		if body := r.all()[0].body; !strings.Contains(body, `"text":"Test: Critical: shop.example: the home page is blocked"`) || !strings.Contains(body, alert.TestNote) {
			t.Errorf("%s", body)
		}
	}
	if strings.Contains(parcelBody(t), `"test"`) {
		t.Error("a real message is marked as a test")
	}
}

// parcelBody is the JSON of a real message.
func parcelBody(t *testing.T) string {
	body, err := jsonBody(parcelOf(t, blocked))
	noError(t, err)
	return string(body)
}

// TestTestTime: a receiver that never answers ends the test of its channel, and not that of others.
func TestTestTime(t *testing.T) {
	_, hangs := newOverdue(t)
	got := Test(t.Context(), hangs, alert.Home{}, began)
	if got.State != Failed || !strings.HasSuffix(got.Text, "no answer in time. Check the host and the port, and the firewalls on the way") {
		t.Errorf("%+v", got)
	}
}
