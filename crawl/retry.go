package crawl

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Waiting between tries.
const (
	firstPause    = 250 * time.Millisecond // doubles from try to try
	maxRetryAfter = 60 * time.Second       // a server may ask for ten years; the run goes on
)

// retry tries until the outcome is worth keeping or trying again is not. One
// countdown runs through all tries and the pauses between them, and they keep
// within the site's allowance.
func (s *Site) retry(ctx context.Context, try func(left *countdown) *Outcome) *Outcome {
	left := newCountdown(s.allowance())
	for n := 1; ; n++ {
		before := left.remaining()
		out := try(left)
		out.Tries = n
		if n > s.client.retries() || !temporary(out) || before-left.remaining() >= s.client.timeout() {
			return out // what took the whole timeout once is not asked to do so again
		}
		pause := s.retryDelay(n, out)
		if pause >= left.remaining() || !s.waitRetry(ctx, left, pause) {
			return out
		}
	}
}

// waitRetry sleeps between two tries.
func (s *Site) waitRetry(ctx context.Context, left *countdown, pause time.Duration) bool {
	s.pace.meter.beginWait()
	defer s.pace.endWait(left.with(ctx))
	return sleep(ctx, pause)
}

// retryDelay returns how long to wait after the nth try: 250 ms, 500 ms, … or as
// the server asked by Retry-After, within min(60 s, Timeout).
func (s *Site) retryDelay(n int, out *Outcome) time.Duration {
	pause := firstPause << min(n-1, 10)
	if len(out.Hops) > 0 {
		pause = max(pause, retryAfter(out.Hops[len(out.Hops)-1].Header, time.Now()))
	}
	return min(pause, maxRetryAfter, s.client.timeout())
}

// retryAfter is pauseAsked within a minute.
func retryAfter(h http.Header, now time.Time) time.Duration { return pauseAsked(h, now, maxRetryAfter) }

// pauseAsked reads the header field Retry-After: seconds or a date (RFC 9110 10.2.3), at
// most as much as limit. Garbage and the past are 0.
func pauseAsked(h http.Header, now time.Time, limit time.Duration) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(value, 64); seconds > 0 { // also where it is out of range; not for NaN
		return time.Duration(min(seconds, limit.Seconds()) * float64(time.Second))
	} else if err == nil {
		return 0
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(0, at.Sub(now)), limit)
}

// serverError says whether a status is the server's trouble: 5xx, and what is
// no status of a final answer, such as 777, which counts as 5xx (RFC 9110 15).
func serverError(status int) bool { return status < 200 || status >= 500 }

// temporary says whether asking again may help.
func temporary(out *Outcome) bool {
	switch out.Code {
	case CodeDNSTemporary, CodeConnectRefused, CodeConnectFailed, CodeConnectionReset, CodeBodyIncomplete:
		return true
	case CodeHTTPStatus:
		return out.Status == 429 || serverError(out.Status)
	}
	return false
}

// Passes reports whether the trouble is one that passes: who asks again in some minutes may get an
// answer. Beside what is worth another try at once, that is a server that takes too long.
func (o *Outcome) Passes() bool {
	return o.Code == CodeConnectTimeout || o.Code == CodeTimeout || temporary(o)
}

// RetryAfter is how long the server has asked to be left alone by Retry-After with its last
// answer, from now; 0 = it has not asked. A day at most: a server may ask for ten years.
func RetryAfter(o *Outcome, now time.Time) time.Duration {
	if len(o.Hops) == 0 {
		return 0
	}
	return pauseAsked(o.Hops[len(o.Hops)-1].Header, now, 24*time.Hour)
}
