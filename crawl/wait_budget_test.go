package crawl

import (
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// Twenty timeouts of waiting for almost nothing end a site. A site that delivers continues.
func TestOnStall(t *testing.T) {
	const second, kib = time.Second, 1 << 10
	for name, tt := range map[string]struct {
		answer time.Duration
		bytes  int // per second
		size   int
		from   time.Duration // time of waiting at its end: between these two
		to     time.Duration // 0 = not ended in six hours
	}{
		"answers late and gives nothing":  {answer: 29 * second, size: 1, bytes: 1, from: 600 * second, to: 800 * second},
		"drips 1.2 KB a second":           {bytes: 1200, size: 60_000, from: 800 * second, to: 1200 * second},
		"answers within five seconds":     {answer: 4 * second, size: 100, bytes: 1000},
		"delivers 8 KiB a second":         {bytes: 8 * kib, size: 1 << 20},
		"delivers 1 MB after ten seconds": {answer: 10 * second, bytes: 1 << 20, size: 1 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := new(Client).Site()
				defer s.Close()
				start, ended := time.Now(), false
				var waited time.Duration
				s.OnStall(func() {
					if ended {
						t.Error("ended twice")
					}
					ended = true
				})
				rt := deadlines{timeout: s.client.timeout(), waitBudget: s.waitBudget, next: tripFunc(func(r *http.Request) (*http.Response, error) {
					time.Sleep(tt.answer)
					return &http.Response{Body: &trickle{ctx: r.Context(), bytes: tt.bytes, pause: second, left: tt.size}}, nil
				})}
				for time.Since(start) < 6*time.Hour && !ended {
					asked := time.Now()
					resp := trip(t, &rt, "http://a.test/")
					if _, err := io.Copy(io.Discard, struct{ io.Reader }{resp.Body}); err != nil {
						t.Fatal(err)
					}
					resp.Body.Close()
					waited += time.Since(asked)
					time.Sleep(time.Minute) // our own time, which does not count
				}
				if ended != (tt.to > 0) || ended && (waited < tt.from || waited > tt.to) {
					t.Errorf("ended %v after %v of waiting", ended, waited)
				}
			})
		})
	}
}
