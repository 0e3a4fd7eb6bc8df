package job

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/history"
	"robots-audit/crawl"
)

// TestAskAsOthers: that other askers get another file is confirmed by asking as them, and not
// by the answer that we get.
func TestAskAsOthers(t *testing.T) {
	differs := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if differs && strings.Contains(r.UserAgent(), "Otherbot") {
			io.WriteString(w, "User-agent: *\nDisallow: /\n")
			return
		}
		io.WriteString(w, "User-agent: *\nDisallow: /private\n")
	}))
	t.Cleanup(server.Close)
	client := &crawl.Client{ConnectTo: []string{":80:" + server.Listener.Addr().String()}, Retries: -1}
	j := &Job{Now: time.Now, Others: crawl.Variants{UserAgents: []string{"Otherbot/1.0"}}, Credentials: func(string) *crawl.Credentials { return nil }}
	for _, test := range []struct{ others, differs, same bool }{{true, true, true}, {true, false, false}, {false, false, true}} {
		differs = test.differs
		q := &question{origin: "http://shop.example", first: history.AnswerOK, others: test.others}
		if got := j.ask(t.Context(), client, q, 2); got.Same != test.same || got.Answer != history.AnswerOK {
			t.Errorf("%+v: %+v", test, got)
		}
	}
}
