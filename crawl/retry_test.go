package crawl

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// A server's Retry-After is obeyed up to a minute, and reported up to a day. Invalid or past values
// cause no wait.
func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		value       string
		want, later time.Duration
	}{
		{"", 0, 0}, {"7", 7 * time.Second, 7 * time.Second}, {" 7 ", 7 * time.Second, 7 * time.Second}, {"0.5", 500 * time.Millisecond, 500 * time.Millisecond}, {"-5", 0, 0},
		{"300", time.Minute, 5 * time.Minute}, {"315360000", time.Minute, 24 * time.Hour}, {"1e300", time.Minute, 24 * time.Hour}, {"NaN", 0, 0}, {"Inf", time.Minute, 24 * time.Hour}, {"soon", 0, 0},
		{now.Add(9 * time.Second).Format(http.TimeFormat), 9 * time.Second, 9 * time.Second},
		{now.AddDate(10, 0, 0).Format(http.TimeFormat), time.Minute, 24 * time.Hour},
		{now.Add(-time.Hour).Format(http.TimeFormat), 0, 0},
	} {
		last := Hop{Header: http.Header{"Retry-After": {tt.value}}}
		if got, later := retryAfter(last.Header, now), RetryAfter(&Outcome{Hops: []Hop{{}, last}}, now); got != tt.want || later != tt.later {
			t.Errorf("Retry-After: %s: got %v and %v, want %v and %v", tt.value, got, later, tt.want, tt.later)
		}
	}
	if got := RetryAfter(&Outcome{}, now); got != 0 {
		t.Errorf("no answer: %v", got)
	}
}

// Times are exact, since they are the bubble's clock.
func TestRetry(t *testing.T) {
	after := func(value string) []Hop { return []Hop{{Header: http.Header{"Retry-After": {value}}}} }
	const second, ms = time.Second, time.Millisecond
	tests := []struct {
		name    string
		out     Outcome
		takes   time.Duration // duration of each try
		client  *Client       // nil = a new one
		tries   int
		elapsed time.Duration
	}{
		{name: "read", out: Outcome{Status: 200}, tries: 1},
		{name: "404", out: Outcome{Status: 404, Code: CodeHTTPStatus}, tries: 1},
		{name: "503", out: Outcome{Status: 503, Code: CodeHTTPStatus}, tries: 3, elapsed: 750 * ms},
		{name: "777", out: Outcome{Status: 777, Code: CodeHTTPStatus}, tries: 3, elapsed: 750 * ms},
		{name: "099", out: Outcome{Status: 99, Code: CodeHTTPStatus}, tries: 3, elapsed: 750 * ms},
		{name: "no retries", out: Outcome{Status: 503, Code: CodeHTTPStatus}, client: &Client{Retries: -1}, tries: 1},
		{name: "five retries", out: Outcome{Status: 429, Code: CodeHTTPStatus}, client: &Client{Retries: 5}, tries: 6, elapsed: 7750 * ms},
		{name: "reset", out: Outcome{Code: CodeConnectionReset}, tries: 3, elapsed: 750 * ms},
		{name: "not found", out: Outcome{Code: CodeDNSNotFound}, tries: 1},
		{name: "blocked", out: Outcome{Code: CodeBlockedAddress}, tries: 1},
		{name: "expired", out: Outcome{Code: CodeTLSExpired}, tries: 1},
		{name: "timeout", out: Outcome{Code: CodeTimeout}, takes: 30 * second, tries: 1, elapsed: 30 * second},
		{name: "trouble that took the whole timeout", out: Outcome{Code: CodeDNSTemporary}, takes: 30 * second, tries: 1, elapsed: 30 * second},
		{name: "Retry-After: 1", out: Outcome{Status: 503, Code: CodeHTTPStatus, Hops: after("1")}, tries: 3, elapsed: 2 * second},
		{name: "Retry-After: 0", out: Outcome{Status: 503, Code: CodeHTTPStatus, Hops: after("0")}, tries: 3, elapsed: 750 * ms},
		{name: "Retry-After: ten years", out: Outcome{Status: 429, Code: CodeHTTPStatus, Hops: after("315360000")}, tries: 3, elapsed: 60 * second},
		{name: "Retry-After: ten years, five retries", out: Outcome{Status: 429, Code: CodeHTTPStatus, Hops: after("315360000")}, client: &Client{Retries: 5}, tries: 3, elapsed: 60 * second},
		{name: "Retry-After: ten years, long timeout", out: Outcome{Status: 429, Code: CodeHTTPStatus, Hops: after("315360000")}, client: &Client{Timeout: 100 * second}, tries: 3, elapsed: 120 * second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if tt.client == nil {
					tt.client = new(Client)
				}
				s := tt.client.Site()
				defer s.Close()
				start := time.Now()
				out := s.retry(t.Context(), func(left *countdown) *Outcome {
					if left := left.remaining(); left > 3*s.client.timeout() || left <= 0 {
						t.Errorf("a try was given %v", left)
					}
					time.Sleep(tt.takes)
					o := tt.out
					return &o
				})
				if took := time.Since(start); out.Tries != tt.tries || took != tt.elapsed || took > 3*s.client.timeout() {
					t.Errorf("got %d tries in %v, want %d in %v", out.Tries, took, tt.tries, tt.elapsed)
				}
			})
		})
	}
}

func TestRetryEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := new(Client).Site()
		defer s.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		start := time.Now()
		out := s.retry(ctx, func(*countdown) *Outcome { return &Outcome{Status: 503, Code: CodeHTTPStatus} })
		if took := time.Since(start); out.Tries != 1 || took != 100*time.Millisecond {
			t.Errorf("got %d tries in %v", out.Tries, took)
		}
	})
}

// A cancelled run reports this in every phase.
func TestCancelled(t *testing.T) {
	started := make(chan struct{}, 10)
	tests := map[string]http.HandlerFunc{
		"before the answer": func(w http.ResponseWriter, r *http.Request) { started <- struct{}{}; <-r.Context().Done() },
		"in the body": func(w http.ResponseWriter, r *http.Request) {
			w.Write([]byte("User"))
			w.(http.Flusher).Flush()
			started <- struct{}{}
			<-r.Context().Done()
		},
	}
	for name, h := range tests {
		ctx, cancel := context.WithCancel(t.Context())
		c := led(serve(t, h))
		c.Retries = 2
		s := c.Site()
		go func() { <-started; cancel() }()
		f := s.Robots(ctx, "http://example.test")
		s.Close()
		cancel()
		if f.Code != CodeCancelled || f.Tries != 1 {
			t.Errorf("%s: got code %q after %d tries (%s)", name, f.Code, f.Tries, f.Detail)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := new(Client).Site()
	defer s.Close()
	if f := s.Robots(ctx, "http://example.test"); f.Code != CodeCancelled {
		t.Errorf("before it began: got code %q", f.Code)
	}
}

func TestPasses(t *testing.T) {
	for _, c := range []struct {
		out  Outcome
		want bool
	}{
		{Outcome{}, false}, {Outcome{Code: CodeHTTPStatus, Status: 404}, false}, {Outcome{Code: CodeDNSNotFound}, false}, {Outcome{Code: CodeTLSExpired}, false},
		{Outcome{Code: CodeHTTPStatus, Status: 503}, true}, {Outcome{Code: CodeHTTPStatus, Status: 429}, true}, {Outcome{Code: CodeTimeout}, true}, {Outcome{Code: CodeConnectionReset}, true},
	} {
		if got := c.out.Passes(); got != c.want {
			t.Errorf("%s %d: %t", c.out.Code, c.out.Status, got)
		}
	}
}
