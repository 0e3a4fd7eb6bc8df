package delivery

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/watch/history"
)

// entered is a history on disk with a run and its deliveries.
func entered(t *testing.T, dir string, channels []Channel) {
	t.Helper()
	db := opened(t, dir)
	defer db.Close()
	tx, err := db.Begin(t.Context())
	noError(t, err)
	defer tx.Rollback()
	noError(t, tx.AddRun(history.Run{ID: "20261123T060000Z", Folder: "runs/20261123T060000Z", Schedule: "shops", Started: began, Finished: began, Program: "test"}))
	for _, d := range plan(t, channels, began, blocked) {
		noError(t, tx.SaveDelivery(d))
	}
	noError(t, tx.Commit())
}

func opened(t *testing.T, dir string) *history.DB {
	t.Helper()
	db, err := history.Open(t.Context(), dir)
	noError(t, err)
	return db
}

// TestOutage has a webhook and a mail server that are down for an hour, and a webhook that is
// always down, by the clock of the test. The program restarts between tries, so that only the file
// knows of the failures.
func TestOutage(t *testing.T) {
	now, ever := began, began.AddDate(100, 0, 0)
	up := func() bool { return now.Sub(began) >= time.Hour }
	mending := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
		if !up() {
			w.WriteHeader(503)
		}
	})
	dead := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) })
	dead.Name = "webhook 2"
	free, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	address := free.Addr().String()
	free.Close()
	var mails *mailServer
	mail := &Mail{Route: Route{Name: "mail 1"}, SMTP: address, TLS: "starttls", From: "audit@ops.example", To: []string{"seo@shop.example"}, User: "audit", Password: mailSecret}
	channels := []Channel{mending.Webhook, dead.Webhook, mail}

	dir := t.TempDir()
	entered(t, dir, channels)
	states := map[string][]State{}
	ids := map[string]map[string]bool{}
	db := opened(t, dir)
	defer func() { db.Close() }()
	for i := range 1000 {
		if i < 10 || i%8 == 0 { // each time takes the file system a while
			noError(t, db.Close())
			db = opened(t, dir)
		}
		pending, err := db.DueDeliveries(t.Context(), ever, ever) // all that wait
		noError(t, err)
		if len(pending) == 0 {
			break
		}
		now = pending[0].Next
		if up() && mails == nil {
			mails = newMailServer(t, func(s *mailServer) { s.address = address })
			mail.Roots = mails.roots
		}
		tries, more := send(t, db, channels, now)
		if more || len(tries) == 0 {
			t.Fatalf("%s: %+v, more %t", now, tries, more)
		}
		for _, try := range tries {
			states[try.Channel] = append(states[try.Channel], try.State)
			if ids[try.Channel] == nil {
				ids[try.Channel] = map[string]bool{}
			}
			ids[try.Channel][try.ID] = true
		}
	}
	for _, name := range []string{"webhook 1", "mail 1"} { // at 0, 1, 3, 8, 23, 53 and 113 minutes, about
		if got := states[name]; len(got) != 7 || got[6] != Accepted || strings.Count(fmt.Sprint(got), "accepted") != 1 {
			t.Errorf("%s, down for an hour: %v", name, got)
		}
	}
	if got := states["webhook 2"]; len(got) < 26 || len(got) > 32 || got[len(got)-1] != GivenUp || strings.Contains(fmt.Sprint(got), "accepted") {
		t.Errorf("down for good: %v", got)
	}
	for name, of := range ids {
		if len(of) != 1 {
			t.Errorf("%s: ids %v", name, of)
		}
	}
	seen := map[string]bool{}
	for _, got := range append(mending.all(), dead.all()...) {
		seen[got.header.Get("X-Robots-Audit-Delivery")] = true
	}
	if len(seen) != 2 || len(mending.all()) != 7 || len(dead.all()) != len(states["webhook 2"]) {
		t.Errorf("%d ids in %d and %d requests", len(seen), len(mending.all()), len(dead.all()))
	}
	if got := mails.all(); len(got) != 1 || !strings.Contains(got[0].data, "Date: Mon, 23 Nov 2026 06:00:00 +0000") {
		t.Errorf("%d mails", len(got))
	}

	// A message that was given up is reported once, in the next message.
	lost, err := db.GivenUp(t.Context())
	if err != nil || len(lost) != 1 || !lost[0].GivenUp.Equal(began.Add(GiveUpAfter)) || !strings.Contains(lost[0].Error, "answered 503") {
		t.Fatalf("given up: %+v, %v", lost, err)
	}
	rows, told, err := Plan(channels, digest(), lost, now)
	if err != nil || len(rows) != 2 || len(told) != 1 {
		t.Fatal(rows, told, err)
	}
	if text := string(rows[0].Message); !strings.Contains(text, "webhook 2: 127.0.0.1") || !strings.Contains(text, "answered 503") || !strings.Contains(text, "the home page is blocked") {
		t.Errorf("told: %s", text)
	}
	tx, err := db.Begin(t.Context())
	noError(t, err)
	noError(t, errors.Join(tx.MarkTold(told...), tx.Commit()))
	if lost, err = db.GivenUp(t.Context()); err != nil || len(lost) != 0 {
		t.Errorf("still to be told: %+v, %v", lost, err)
	}
}

// TestSecretsNowhere has servers that repeat what they are sent, and looks for the
// secrets in all that is said, logged and stored.
func TestSecretsNowhere(t *testing.T) {
	var logged bytes.Buffer
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)
	hook := newReceiver(t, func(w http.ResponseWriter, req *http.Request) {
		http.Error(w, fmt.Sprint(req.URL, " ", req.Header, " ", keySecret), 500)
	})
	away := newReceiver(t, func(w http.ResponseWriter, req *http.Request) {
		http.Redirect(w, req, "/elsewhere"+req.URL.Path, http.StatusTemporaryRedirect)
	})
	away.Name = "webhook 2"
	down := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) })
	down.Name = "webhook 3"
	down.Webhook.URL += "?token=" + keySecret
	inward := &Webhook{Route: Route{Name: "webhook 4"}, URL: "https://10.0.0.1/hook/" + pathSecret}
	nowhere := &Webhook{Route: Route{Name: "webhook 5"}, URL: "https://127.0.0.1:1/hook/" + pathSecret, Internal: true}
	mails := newMailServer(t, nil)
	refused := mails.channel()
	refused.User, refused.Password = "other", mailSecret // the server's answer repeats it
	channels := []Channel{hook.Webhook, away.Webhook, down.Webhook, inward, nowhere, refused}

	dir := t.TempDir()
	entered(t, dir, channels)
	db := opened(t, dir)
	tries, _ := send(t, db, channels, began)
	if len(tries) != len(channels) {
		t.Fatalf("%d tries", len(tries))
	}
	lost, err := db.DueDeliveries(t.Context(), began.Add(48*time.Hour), began.Add(96*time.Hour))
	noError(t, err)
	rows, _, err := Plan(channels, digest(), lost, began)
	noError(t, err)
	noError(t, db.Close())
	texts := map[string]string{"log": logged.String(), "tries": fmt.Sprintf("%+v", tries)}
	for _, c := range channels {
		texts["channel "+c.Common().Name] = fmt.Sprintf("%v %+v %#v %s %q", c, c, c, c, c)
	}
	for i, d := range rows {
		texts[fmt.Sprint("message ", i)] = string(d.Message)
	}
	err = fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		texts["file "+name] = string(text)
		return err
	})
	noError(t, err)
	if !strings.Contains(texts["file history.db"], "Googlebot is blocked") {
		t.Error("the file does not hold what it was given")
	}
	for where, text := range texts {
		for _, secret := range []string{pathSecret, keySecret, mailSecret, "Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s holds %s", where, secret)
			}
		}
	}
	t.Logf("%d texts, %d bytes of database", len(texts), len(texts["file history.db"]))
	for _, try := range tries {
		t.Logf("%s: %s", try.Channel, try.Text)
	}
}

// TestClockAhead enters a run's messages, and fails to send them, by a clock that is ahead. They
// are retried as soon as the clock is right, and given up after some tries if they are never
// accepted.
func TestClockAhead(t *testing.T) {
	for _, ahead := range []time.Duration{3 * time.Hour, 24 * time.Hour, 365 * 24 * time.Hour} {
		t.Run(ahead.String(), func(t *testing.T) {
			up := false
			hook := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
				if !up {
					w.WriteHeader(503)
				}
			})
			dead := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) })
			dead.Name = "webhook 2"
			channels := []Channel{hook.Webhook, dead.Webhook}
			store := newTable(plan(t, channels, began.Add(ahead), blocked)...)
			if tries, _ := send(t, store, channels, began.Add(ahead)); len(tries) != 2 || tries[0].State != Failed || tries[1].State != Failed {
				t.Fatalf("by the clock that is ahead: %+v", tries)
			}
			up = true
			if tries, _ := send(t, store, channels, began); len(tries) != 2 || tries[0].State == tries[1].State {
				t.Fatalf("by the right clock: %+v, want one accepted and one failed", tries)
			}
			last := State("")
			n := 2
			for !store.next().IsZero() && n < 200 {
				tries, _ := send(t, store, channels, store.next())
				for _, try := range tries {
					n++
					last = try.State
				}
			}
			if last != GivenUp || n > maxTries+1 {
				t.Errorf("after %d tries: %s, want given up after %d at most", n, last, maxTries+1)
			}
		})
	}
}
