package delivery

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"robots-audit/audit/compare"
)

// received is what a server on loopback was sent.
type received struct {
	header http.Header
	body   string
}

// receiver is such a server, and the channel that leads to it.
type receiver struct {
	*httptest.Server
	*Webhook
	mu   sync.Mutex
	seen []received
}

// newReceiver starts a server that answers as handler does, after it has read the request.
func newReceiver(t *testing.T, handler http.HandlerFunc) *receiver {
	r := &receiver{}
	r.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		r.mu.Lock()
		r.seen = append(r.seen, received{req.Header.Clone(), string(body)})
		r.mu.Unlock()
		handler(w, req)
	}))
	r.Config.ErrorLog = log.New(io.Discard, "", 0)
	r.StartTLS()
	t.Cleanup(r.Close)
	roots := x509.NewCertPool()
	roots.AddCert(r.Certificate())
	r.Webhook = &Webhook{
		Route: Route{Name: "webhook 1"}, URL: Secret(r.Server.URL + "/services/T000000/" + pathSecret), Secret: keySecret, Internal: true, Roots: roots,
	}
	return r
}

func (r *receiver) all() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seen
}

const (
	pathSecret = "XyZZy0123456789abcdefPATH"
	keySecret  = "key-of-the-signature"
)

// overdue is a channel whose time is over as soon as its receiver has the request. So a
// receiver that hangs costs no time, and none is left too little under load.
type overdue struct {
	*Webhook
	asked chan struct{}
}

// newOverdue starts a receiver that never answers.
func newOverdue(t *testing.T) (*receiver, overdue) {
	asked := make(chan struct{})
	r := newReceiver(t, func(_ http.ResponseWriter, req *http.Request) {
		asked <- struct{}{}
		<-req.Context().Done()
		panic(http.ErrAbortHandler) // else 200 is on its way before the socket is closed, and may be read
	})
	return r, overdue{r.Webhook, asked}
}

func (o overdue) send(ctx context.Context, p parcel) (receipt, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-o.asked:
			cancel(context.DeadlineExceeded)
		case <-ctx.Done():
		}
	}()
	return o.Webhook.send(ctx, p)
}

// quick makes the bounds of tries short for a test, in which no receiver answers: one
// that does may take longer under load.
func quick(t *testing.T, step, whole time.Duration) {
	oldStep, oldTry := stepTime, tryTime
	stepTime, tryTime = step, whole
	t.Cleanup(func() { stepTime, tryTime = oldStep, oldTry })
}

var blocked = event("www.shop.example", "AL01", compare.Critical, "www.shop.example: Googlebot is blocked from / by line 14.", hostile)

func TestWebhook(t *testing.T) {
	r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	channels := []Channel{r.Webhook}
	store := newTable(plan(t, channels, began, blocked, event("b.example", "AL12", compare.Medium, "b.example: new error."))...)
	tries, more := send(t, store, channels, began)
	if len(tries) != 1 || more || tries[0].State != Accepted || tries[0].Text != "" {
		t.Fatalf("%+v %t", tries, more)
	}
	got := r.all()[0]
	if want := Signature(keySecret, []byte(got.body)); got.header.Get("X-Robots-Audit-Signature") != want {
		t.Errorf("signature %q, want %q", got.header.Get("X-Robots-Audit-Signature"), want)
	}
	// By openssl: printf '{"id":1}' | openssl dgst -sha256 -hmac key-of-the-signature
	if s := Signature(keySecret, []byte(`{"id":1}`)); s != signatureByOpenSSL {
		t.Errorf("signature of a known body: %s", s)
	}
	if got.header.Get("X-Robots-Audit-Delivery") != tries[0].ID || got.header.Get("User-Agent") != "robots-audit" || !strings.HasPrefix(got.header.Get("Content-Type"), "application/json") {
		t.Errorf("headers %v", got.header)
	}
	var body struct {
		ID, Condition, Severity, Site, Since, Run, Text string
		Counts                                          map[string]int64  `json:"url_counts"`
		Links                                           map[string]string `json:"links"`
		Events                                          []map[string]any  `json:"events"`
	}
	noError(t, json.Unmarshal([]byte(got.body), &body))
	if body.ID != tries[0].ID || body.Condition != "AL01" || body.Severity != "critical" || body.Site != "www.shop.example" ||
		body.Since != "2026-11-23T06:00:00Z" || body.Run != "20261123T060000Z" || !strings.Contains(body.Text, "Googlebot is blocked") ||
		body.Counts["newly_blocked"] != 2408 || body.Links["page"] != "runs/20261123T060000Z/index.html" || len(body.Events) != 2 {
		t.Errorf("body %s", got.body)
	}
	if strings.Contains(got.body, `\u003c`) || strings.Contains(got.body, "attachments") {
		t.Errorf("body %s", got.body)
	}
	if again, _ := send(t, store, channels, began.Add(time.Hour)); len(again) != 0 {
		t.Errorf("sent again: %+v", again)
	}
}

// TestWebhookFailures checks the text for each kind of bad answer, and the time of the next try.
func TestWebhookFailures(t *testing.T) {
	for _, c := range []struct {
		name  string
		serve http.HandlerFunc
		text  string
		wait  time.Duration
	}{
		{"500", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "out of\nmemory\x1b[31m", 500) }, `answered 500: out of memory\x1B[31m`, time.Minute},
		{"closes in the middle", func(w http.ResponseWriter, _ *http.Request) {
			c, _, _ := w.(http.Hijacker).Hijack()
			c.Write([]byte("HTTP/1.1 200 OK\r\nContent-Le"))
			c.Close()
		}, "its answer was incomplete", time.Minute},
		{"closes before the header", func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }, "it closed the connection", time.Minute},
		{"redirects inward", func(w http.ResponseWriter, req *http.Request) {
			http.Redirect(w, req, "http://169.254.169.254/latest/"+pathSecret, http.StatusFound)
		}, "answered 302, a redirect, which is not followed", time.Hour},
		{"429 with seconds", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "600")
			w.WriteHeader(429)
		}, "answered 429", 10 * time.Minute},
		{"429 with a date", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Date", "Mon, 23 Nov 2026 06:00:00 GMT")
			w.Header().Set("Retry-After", "Mon, 23 Nov 2026 06:20:00 GMT")
			w.WriteHeader(429)
		}, "answered 429", 20 * time.Minute},
		{"429 with nonsense", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "soon")
			w.WriteHeader(429)
		}, "answered 429", time.Minute},
		{"429 for a year", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "31536000")
			w.WriteHeader(429)
		}, "answered 429", LongestPause},
		{"404", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no_service", 404) }, "answered 404: no_service", time.Hour},
		{"410", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(410) }, "answered 410", time.Hour},
		{"an answer without end", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(503)
			for range 1000 {
				w.Write([]byte(strings.Repeat("x", 10_000)))
			}
		}, "answered 503: xxxx", time.Minute},
		{"repeats our secrets", func(w http.ResponseWriter, req *http.Request) {
			http.Error(w, "no "+req.URL.Path+" "+keySecret, 500)
		}, "answered 500: no (secret) (secret)", time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newReceiver(t, c.serve)
			try := sendOne(t, r.Webhook, blocked)
			host := strings.TrimPrefix(r.Server.URL, "https://")
			if try.State != Failed || !strings.HasPrefix(try.Text, host) || !strings.Contains(try.Text, c.text) {
				t.Fatalf("%+v, want %q of %s", try, c.text, host)
			}
			if len(try.Text) > maxError+20 {
				t.Errorf("%d bytes of text", len(try.Text))
			}
			checkWait(t, try, c.wait)
			if n := len(r.all()); n != 1 {
				t.Errorf("asked %d times", n)
			}
		})
	}
}

// TestWebhookHangs has a receiver that accepts the request and does not answer, and one that does
// not even answer by TLS.
func TestWebhookHangs(t *testing.T) {
	hanging, channel := newOverdue(t)
	try := sendOne(t, channel, blocked)
	if !strings.HasSuffix(try.Text, ": no answer in time") || len(hanging.all()) != 1 {
		t.Errorf("%+v, asked %d times", try, len(hanging.all()))
	}
	checkWait(t, try, time.Minute)
	quick(t, 100*time.Millisecond, 300*time.Millisecond)
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	defer mute.Close()
	for _, scheme := range []string{"http://", "https://"} {
		w := &Webhook{Route: Route{Name: "webhook 1"}, URL: Secret(scheme + mute.Addr().String() + "/hook"), Internal: true}
		if try := sendOne(t, w, blocked); try.State != Failed || try.Text != mute.Addr().String()+": no answer in time" {
			t.Errorf("%s: %+v", scheme, try)
		}
	}
}

// An answer with an accepting status counts, even if its body fails.
func TestWebhookAcceptedThenCut(t *testing.T) {
	r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		w.Write([]byte("ok"))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	if try := sendOne(t, r.Webhook, blocked); try.State != Accepted {
		t.Errorf("%+v", try)
	}
}

// Nothing is sent to an address inside, unless its host is named as internal, neither
// by address nor by name.
func TestWebhookGuard(t *testing.T) {
	r := newReceiver(t, func(http.ResponseWriter, *http.Request) {})
	_, port, err := net.SplitHostPort(r.Listener.Addr().String())
	noError(t, err)
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254", "10.0.0.1"} {
		w := &Webhook{Route: Route{Name: "webhook 1"}, URL: Secret(fmt.Sprintf("https://%s:%s/%s", host, port, pathSecret)), Roots: r.Webhook.Roots}
		noError(t, w.Check())
		if try := sendOne(t, w, blocked); try.State != Failed || !strings.Contains(try.Text, "private or special address") || try.Next.Sub(began) < 50*time.Minute {
			t.Errorf("%s: %+v", host, try)
		}
	}
	if n := len(r.all()); n != 0 {
		t.Errorf("%d requests came through", n)
	}
	if try := sendOne(t, r.Webhook, blocked); try.State != Accepted {
		t.Errorf("named as internal: %+v", try)
	}
}

func TestWebhookCertificate(t *testing.T) {
	r := newReceiver(t, func(http.ResponseWriter, *http.Request) {})
	r.Webhook.Roots = x509.NewCertPool()
	if try := sendOne(t, r.Webhook, blocked); try.State != Failed || !strings.Contains(try.Text, "its certificate is not trusted") || len(r.all()) != 0 {
		t.Errorf("%+v", try)
	}
}

// What was due while the program did not run has one more try when it runs again.
func TestGivenUpNeverUntried(t *testing.T) {
	r := newReceiver(t, func(http.ResponseWriter, *http.Request) {})
	channels := []Channel{r.Webhook}
	store := newTable(plan(t, channels, began, blocked)...)
	if tries, _ := send(t, store, channels, began.Add(72*time.Hour)); len(tries) != 1 || tries[0].State != Accepted {
		t.Errorf("%+v", tries)
	}
}

// A dead channel delays the others by one try at most, and its other deliveries wait.
func TestDeadChannel(t *testing.T) {
	hanging, dead := newOverdue(t)
	alive := newReceiver(t, func(http.ResponseWriter, *http.Request) {})
	alive.Name = "webhook 2"
	channels := []Channel{dead, alive.Webhook}
	store := newTable()
	for i := range 20 {
		for _, d := range plan(t, channels, began, event(fmt.Sprintf("s%d.example", i), "AL01", compare.Critical, "blocked")) {
			store.rows[d.ID] = d
		}
	}
	tries, more := send(t, store, channels, began)
	count := map[string]int{}
	for _, try := range tries {
		count[try.Channel+" "+string(try.State)]++
	}
	if count["webhook 1 failed"] != 1 || count["webhook 2 accepted"] != 20 || len(tries) != 21 || more {
		t.Errorf("%v, more %t", count, more)
	}
	if again, more := send(t, store, channels, began.Add(time.Second)); len(again) != 0 || more {
		t.Errorf("tried again at once: %+v", again)
	}
	// The next turn begins with another message, and so in turn.
	first := tries[slices.IndexFunc(tries, func(try Try) bool { return try.State == Failed })]
	again, _ := send(t, store, channels, first.Next)
	if len(again) != 1 || again[0].ID == first.ID {
		t.Errorf("after %s: %+v", first.ID, again)
	}
	// At the end of the day each has its last try, and none is left.
	last := map[string]bool{}
	for more := true; more; {
		tries, more = send(t, store, channels, began.Add(GiveUpAfter))
		for _, try := range tries {
			last[try.ID] = try.State == GivenUp
		}
	}
	if len(last) != 20 || slices.Contains(slices.Collect(maps.Values(last)), false) || !store.next().IsZero() {
		t.Errorf("at the end of the day: %v", last)
	}
	if n := len(hanging.all()); n != 22 {
		t.Errorf("asked %d times", n)
	}
	// A message refused because of its content does not delay the channel's other messages.
	picky := newReceiver(t, func(w http.ResponseWriter, req *http.Request) { w.WriteHeader(400) })
	rows := append(plan(t, []Channel{picky.Webhook}, began, blocked), plan(t, []Channel{picky.Webhook}, began, event("x.example", "AL01", compare.High, "x"))...)
	if tries, more := send(t, newTable(rows...), []Channel{picky.Webhook}, began); len(tries) != 2 || more {
		t.Errorf("%+v, more %t", tries, more)
	}
}

// A channel that was taken out of the configuration does not stop the others.
func TestChannelGone(t *testing.T) {
	gone := &File{Route: Route{Name: "file 9"}, Path: "x"}
	store := newTable(plan(t, []Channel{gone}, began, blocked)...)
	tries, _ := send(t, store, nil, began)
	if len(tries) != 1 || tries[0].State != Failed || !strings.Contains(tries[0].Text, "no channel of this name") {
		t.Errorf("%+v", tries)
	}
	if tries, _ = send(t, store, nil, began.Add(GiveUpAfter)); len(tries) != 1 || tries[0].State != GivenUp {
		t.Errorf("%+v", tries)
	}
}

const signatureByOpenSSL = "sha256=68437ac3a9fc8e788e3be682325fdf0155c0c4b7045b8d7e64f83e84eb0484a5"
