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
	maxRetryAfter = 60 * time.Second       // a server may ask for ten years
)

// retry repeats a request until the result is good or another try makes no
// sense. One countdown runs through all tries and pauses, and limits them to
// the site's allowance.
func (s *Site) retry(ctx context.Context, try func(left *countdown) *Outcome) *Outcome {
	left := newCountdown(s.allowance())
	for n := 1; ; n++ {
		before := left.remaining()
		out := try(left)
		out.Tries = n
		if n > s.client.retries() || !temporary(out) || before-left.remaining() >= s.client.timeout() {
			return out // a try that took the whole timeout is not repeated
		}
		pause := s.retryDelay(n, out)
		if pause >= left.remaining() || !s.waitRetry(ctx, left, pause) {
			return out
		}
	}
}

// waitRetry waits between two tries.
func (s *Site) waitRetry(ctx context.Context, left *countdown, pause time.Duration) bool {
	s.pace.meter.beginWait()
	defer s.pace.endWait(left.with(ctx))
	return sleep(ctx, pause)
}

// retryDelay returns the wait after the nth try: 250 ms, 500 ms, … or the
// server's Retry-After, at most min(60 s, Timeout).
func (s *Site) retryDelay(n int, out *Outcome) time.Duration {
	pause := firstPause << min(n-1, 10)
	if len(out.Hops) > 0 {
		pause = max(pause, retryAfter(out.Hops[len(out.Hops)-1].Header, time.Now()))
	}
	return min(pause, maxRetryAfter, s.client.timeout())
}

// retryAfter is pauseAsked, at most a minute.
func retryAfter(h http.Header, now time.Time) time.Duration { return pauseAsked(h, now, maxRetryAfter) }

// pauseAsked reads the header field Retry-After: seconds or a date (RFC 9110 10.2.3), at
// most limit. Invalid values and past dates are 0.
func pauseAsked(h http.Header, now time.Time, limit time.Duration) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(value, 64); seconds > 0 { // also for out of range values; not for NaN
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

// serverError reports whether a status is a server error: 5xx, and any invalid
// final status, such as 777, which counts as 5xx (RFC 9110 15).
func serverError(status int) bool { return status < 200 || status >= 500 }

// temporary reports whether another try may help.
func temporary(out *Outcome) bool {
	switch out.Code {
	case CodeDNSTemporary, CodeConnectRefused, CodeConnectFailed, CodeConnectionReset, CodeBodyIncomplete:
		return true
	case CodeHTTPStatus:
		return out.Status == 429 || serverError(out.Status)
	}
	return false
}

// Passes reports whether the error is temporary: a request some minutes later may get an answer.
// These are the errors that are retried at once, and timeouts.
func (o *Outcome) Passes() bool {
	return o.Code == CodeConnectTimeout || o.Code == CodeTimeout || temporary(o)
}

// RetryAfter returns the Retry-After of the server's last answer, as a time from now; 0 =
// none. The maximum is a day, since a server may ask for ten years.
func RetryAfter(o *Outcome, now time.Time) time.Duration {
	if len(o.Hops) == 0 {
		return 0
	}
	return pauseAsked(o.Hops[len(o.Hops)-1].Header, now, 24*time.Hour)
}
