package crawl

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// trickle is a body that returns so many bytes, each after a pause, until the
// request's context ends.
type trickle struct {
	ctx   context.Context
	bytes int // per pause
	pause time.Duration
	left  int // 0 = endless
}

func (b *trickle) Read(p []byte) (int, error) {
	if !sleep(b.ctx, b.pause) {
		return 0, b.ctx.Err()
	}
	n := min(len(p), b.bytes)
	if b.left > 0 {
		n = min(n, b.left)
		if b.left -= n; b.left == 0 {
			return n, io.EOF
		}
	}
	return n, nil
}

func (b *trickle) Close() error { return nil }

// Times are exact: the bubble's clock only moves when all goroutines wait.
func TestBodyDeadlines(t *testing.T) {
	const second = time.Second
	tests := []struct {
		name   string
		whole  bool
		bytes  int
		pause  time.Duration
		left   int
		reader time.Duration // our own pause after each read
		code   string
		takes  time.Duration
	}{
		{name: "a byte a second", bytes: 1, pause: second, code: CodeTimeout, takes: 10*second + 10*(second/minRate)}, // ten bytes add ten times 1/1024 s
		{name: "a byte a second, whole", whole: true, bytes: 1, pause: second, code: CodeTimeout, takes: 10 * second},
		{name: "2 KiB a second", bytes: 2048, pause: second, left: 2048 * 60, takes: 60 * second},
		{name: "2 KiB a second, for longer than a minute", bytes: 2048, pause: second, code: CodeTimeout, takes: 79 * second}, // 19 s that add half a second each, and the last half
		{name: "1.2 KB a second, ten at a time", bytes: 120, pause: second / 10, code: CodeTimeout, takes: 74100*second/1000 + 10*second - 141*(second/10-120*second/lateRate)},
		{name: "4 KiB a second", bytes: 4096, pause: second, left: 4096 * 600, takes: 600 * second},
		{name: "2 KiB a second, whole", whole: true, bytes: 2048, pause: second, left: 2048 * 100, code: CodeTimeout, takes: 10 * second},
		{name: "400 bytes a second", bytes: 400, pause: second, code: CodeTimeout, takes: 10*second + 15*400*second/minRate},
		{name: "exactly 1 KiB a second", bytes: 1024, pause: second, left: 1024 * 60, takes: 60 * second},
		{name: "stalls", bytes: 1 << 20, pause: 11 * second, code: CodeTimeout, takes: 10 * second},
		{name: "fast first does not buy a stall", bytes: 1 << 20, pause: 9 * second, left: 3 << 20, takes: 27 * second},
		{name: "a slow reader of ours costs nothing", bytes: 2048, pause: second / 10, left: 2048 * 20, reader: 60 * second, takes: 20*60*second - 60*second + 2*second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rt := deadlines{timeout: 10 * second, whole: tt.whole, next: tripFunc(func(r *http.Request) (*http.Response, error) {
					return &http.Response{StatusCode: 200, Body: &trickle{r.Context(), tt.bytes, tt.pause, tt.left}}, nil
				})}
				resp := trip(t, &rt, "http://example.test/")
				defer resp.Body.Close()
				start := time.Now()
				buf := make([]byte, 4<<20)
				_, err := resp.Body.Read(buf)
				for ; err == nil; _, err = resp.Body.Read(buf) {
					time.Sleep(tt.reader)
				}
				code := ""
				var e *Error
				if errors.As(err, &e) {
					code = e.Code
				}
				if took := time.Since(start); code != tt.code || took != tt.takes {
					t.Errorf("got %q (%v) after %v, want %q after %v", code, err, took, tt.code, tt.takes)
				}
			})
		})
	}
}

// obliging is a body that ends properly as soon as the client gives up.
type obliging struct{ ctx context.Context }

func (b obliging) Read([]byte) (int, error) { <-b.ctx.Done(); return 0, io.EOF }
func (b obliging) Close() error             { return nil }

func TestEndAfterTheDeadlineIsNoEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rt := deadlines{timeout: 10 * time.Second, next: tripFunc(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: obliging{r.Context()}}, nil
		})}
		for want, parent := range map[string]time.Duration{CodeTimeout: time.Hour, CodeCancelled: time.Second} {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(parent, cancel)
			req, _ := http.NewRequestWithContext(ctx, "GET", "http://example.test/", nil)
			resp, err := rt.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			_, err = io.ReadAll(resp.Body)
			var e *Error
			if !errors.As(err, &e) || e.Code != want {
				t.Errorf("after %v: got %v, want %s", parent, err, want)
			}
			cancel()
		}
	})
}

// Connecting has its own timeout, and the answer another one after that.
func TestHeaderDeadlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rt := deadlines{timeout: 10 * time.Second, next: tripFunc(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})}
		for _, parent := range []time.Duration{time.Hour, 5 * time.Second} {
			ctx, cancel := context.WithTimeout(t.Context(), parent)
			req, _ := http.NewRequestWithContext(ctx, "GET", "http://example.test/", nil)
			start := time.Now()
			_, err := rt.RoundTrip(req)
			cancel()
			var e *Error
			if !errors.As(err, &e) || time.Since(start) != min(parent, 10*time.Second) {
				t.Fatalf("got %v after %v", err, time.Since(start))
			}
			if want := map[bool]string{true: CodeConnectTimeout, false: CodeTimeout}[parent == time.Hour]; e.Code != want {
				t.Errorf("parent of %v: got %q, want %q", parent, e.Code, want)
			}
		}
	})
}

func TestLimit(t *testing.T) {
	for _, tt := range []struct {
		limit int64
		size  int
		code  string
		bytes int64
	}{
		{0, 1000, "", 1000}, {1001, 1000, "", 1000}, {1000, 1000, "", 1000}, {999, 1000, CodeBodyTooLarge, 999}, {1, 1000, CodeBodyTooLarge, 1},
	} {
		for _, encoding := range []string{"identity", "gzip"} {
			content := string(bytes.Repeat([]byte("x"), tt.size))
			if encoding == "gzip" {
				content = gzipped(content)
			}
			s := led(serve(t, encoded(encoding, content))).Site()
			body, out := s.open(t.Context(), "http://example.test/sitemap.xml", limits{Bytes: tt.limit})
			n, err := io.Copy(io.Discard, body)
			body.Close()
			s.Close()
			var e *Error
			if errors.As(err, &e); e != nil && e.Code != tt.code || e == nil && tt.code != "" {
				t.Errorf("%s, limit %d of %d: Read failed with %v", encoding, tt.limit, tt.size, err)
			}
			if out.Code != tt.code || n != tt.bytes || out.Bytes != tt.bytes || out.Truncated != (tt.code != "") || len(out.SHA256) != 64 {
				t.Errorf("%s, limit %d of %d: got %d bytes, %+v", encoding, tt.limit, tt.size, n, out)
			}
			if encoding == "gzip" && out.Wire >= 100 {
				t.Errorf("%d bytes over the wire", out.Wire)
			}
		}
	}
}

func TestErrorInWords(t *testing.T) {
	cause := errors.New("no connection in time")
	err := &Error{CodeConnectTimeout, cause}
	if err.Error() != "connect_timeout: no connection in time" || !errors.Is(err, cause) || (&Error{Code: CodeTimeout}).Error() != "timeout" {
		t.Errorf("got %q", err)
	}
}

func TestClosedEarly(t *testing.T) {
	s := led(serve(t, endless)).Site()
	defer s.Close()
	body, out := s.open(t.Context(), "http://example.test/sitemap.xml", limits{})
	io.CopyN(io.Discard, body, 100)
	body.Close()
	body.Close()
	if out.Code != "" || !out.Truncated || out.Bytes != 100 || out.Millis <= 0 {
		t.Errorf("got %+v", out)
	}
	if n, err := body.Read(make([]byte, 10)); n != 0 || err == nil {
		t.Errorf("read %d bytes after Close, %v", n, err)
	}
}
