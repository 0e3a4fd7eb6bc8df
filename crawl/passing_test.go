package crawl

import (
	"net/http"
	"testing"
	"time"
)

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

func TestRetryAfterOfOutcome(t *testing.T) {
	now := time.Date(2027, 1, 4, 6, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "300": 5 * time.Minute, "1e300": 24 * time.Hour, "-3": 0, "Mon, 04 Jan 2027 07:00:00 GMT": time.Hour, "Mon, 04 Jan 2021 07:00:00 GMT": 0, "soon": 0,
	} {
		out := Outcome{Hops: []Hop{{}, {Header: http.Header{"Retry-After": {value}}}}}
		if got := RetryAfter(&out, now); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
	if got := RetryAfter(&Outcome{}, now); got != 0 {
		t.Errorf("no answer: %v", got)
	}
}
