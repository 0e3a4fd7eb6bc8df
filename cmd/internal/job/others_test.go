package job

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/history"
	"robots-audit/crawl"
)

// TestAskAsOthers: an alert that another asker gets another file is confirmed by asking as that
// one. Our own answer, or that of a third asker, does not confirm it.
func TestAskAsOthers(t *testing.T) {
	answers := map[string]int{} // status for User-Agents; 0 = the same as for us
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch status := answers[r.UserAgent()]; status {
		case 0:
			io.WriteString(w, "User-agent: *\nDisallow: /private\n")
		case 200:
			io.WriteString(w, "User-agent: *\nDisallow: /\n")
		default:
			w.WriteHeader(status)
		}
	}))
	t.Cleanup(server.Close)
	client := &crawl.Client{ConnectTo: []string{":80:" + server.Listener.Addr().String(), ":443:127.0.0.1:1"}, Retries: -1}
	j := &Job{Now: time.Now, Others: crawl.Variants{UserAgents: []string{"one/1.0", "two/1.0"}, Scheme: true}}
	const one = `http://shop.example/robots.txt to the User-Agent "one/1.0"`
	file, gone := `to the User-Agent "one/1.0" HTTP 200 with 26 bytes, sha256 12345678…, `, `to the User-Agent "one/1.0" HTTP 403 Forbidden, `
	for _, test := range []struct {
		name     string
		asker    string
		given    string // in the run
		one, two int    // their status now
		same     bool
		answer   history.Answer
	}{
		{"another file again", one, file, 200, 0, true, history.AnswerOK},
		{"the same for all", one, file, 0, 0, false, history.AnswerOK},
		{"another file to another asker alone", one, file, 0, 200, false, history.AnswerOK},
		{"another file, and then an error", one, file, 503, 0, false, history.AnswerServerError},
		{"shut out, and again in another way", one, gone, 404, 0, true, history.AnswerMissing},
		{"shut out, and then another file", one, gone, 200, 0, false, history.AnswerOK},
		{"another scheme, that does not answer", "https://shop.example/robots.txt", "here no usable answer (x), ", 0, 0, true, history.AnswerNone},
		{"nobody asks so any more", `http://shop.example/robots.txt to the User-Agent "three"`, file, 200, 200, false, history.AnswerOK},
		{"we ask", "", "", 200, 200, true, history.AnswerOK},
	} {
		answers = map[string]int{"one/1.0": test.one, "two/1.0": test.two}
		q := &question{Question: alert.Question{Origin: "http://shop.example", Asker: test.asker, Given: test.given}, first: history.AnswerOK}
		if got := j.ask(t.Context(), client, q, nil, 2); got.Same != test.same || got.Answer != test.answer {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}

// TestAskAgain: an alert that the server treats a crawler's name in some way is confirmed if it does so again.
func TestAskAgain(t *testing.T) {
	asked := &audit.Asked{Ours: "ours"}
	const url = "http://shop.example/a"
	for _, test := range []struct {
		now    audit.Reply
		same   bool
		answer history.Answer
	}{
		{audit.Reply{Treatment: audit.Refused, Status: 403}, true, history.AnswerMissing},
		{audit.Reply{Treatment: audit.Refused, Status: 503}, true, history.AnswerServerError},
		{audit.Reply{Treatment: audit.Refused, Code: crawl.CodeTimeout}, true, history.AnswerNone},
		{audit.Reply{Treatment: audit.LetIn, Status: 200}, false, history.AnswerOK},
		{audit.Reply{Treatment: audit.Challenged, Status: 403}, false, history.AnswerMissing},
		{audit.Reply{Treatment: audit.Unclear, Why: audit.WhyRateLimited, Status: 429}, false, history.AnswerBusy},
	} {
		j := &Job{Now: time.Now, AskAgain: func(_ context.Context, _ *crawl.Site, a *audit.Asked, crawler, of string) audit.Reply {
			if a != asked || crawler != "GPTBot" || of != url {
				t.Errorf("asked as %s for %s", crawler, of)
			}
			return test.now
		}}
		q := &question{asked: asked, Question: alert.Question{Origin: "http://shop.example", Asker: "GPTBot: refused", Treated: compare.Treated{Crawler: "GPTBot", URL: url, Treatment: audit.Refused}}}
		if got := j.ask(t.Context(), &crawl.Client{}, q, nil, 2); got.Same != test.same || got.Answer != test.answer || got.Status != test.now.Status || got.Number != 2 {
			t.Errorf("%+v: %+v", test.now, got)
		}
	}
}
