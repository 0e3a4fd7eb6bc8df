package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"
)

// TestCrowd checks that 400 silent connections, and 400 slow ones, three times as many as may be open, block no other
// clients: with the token, or on a dashboard without one. Most of them are closed, so that they take neither memory nor
// open files.
func TestCrowd(t *testing.T) {
	const each = 400
	for _, token := range []string{"", "a token of a desk"} {
		d, _, _ := guarded(t, Options{Token: token})
		a, stop := serving(t, d)
		open := crowd(a, each, slowHead)
		if token != "" { // a request with a body is answered before the body has come, or waits for it
			open = append(open, crowd(a, 300, "POST /enter HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 999\r\n\r\nt")...)
		}
		for range 3 {
			began := time.Now()
			answer, _ := a.do("GET", "/", "", "Authorization", "Bearer "+token, "Accept", "application/json", "Connection", "close")
			if answer.StatusCode != 200 || time.Since(began) > 2*time.Second {
				t.Errorf("token %q: %s after %s", token, answer.Status, time.Since(began))
			}
			t.Logf("token %q: %s", token, time.Since(began))
		}
		if n := stillOpen(open); n > maxConnections {
			t.Errorf("token %q: %d connections of %d are open, and at most %d may be", token, n, len(open), maxConnections)
		}
		for _, conn := range open {
			if token != "" { // without one the test ends while they are open
				conn.Close()
			}
		}
		stop()
	}
}

// TestSlow checks that silent and slow connections are closed even if there are free places.
func TestSlow(t *testing.T) {
	t.Parallel()
	d, _, _ := guarded(t, Options{})
	a, stop := serving(t, d)
	began := time.Now()
	for _, conn := range crowd(a, 20, slowHead) {
		conn.SetDeadline(began.Add(20 * time.Second))
		if _, err := io.ReadAll(conn); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("a slow one was not hung up on after %s", time.Since(began))
		}
	}
	stop()
}

// slowHead is the beginning of a request with an endless head.
const slowHead = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "

// serving runs a dashboard on its own port until stop is called.
func serving(t *testing.T, d *Desk) (a *asker, stop func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- d.Serve(ctx, l) }()
	return &asker{t: t, base: "http://" + l.Addr().String()}, func() {
		cancel()
		noError(t, <-served)
	}
}

// stillOpen counts the connections that the other side has not closed.
func stillOpen(list []net.Conn) (n int) {
	for _, conn := range list {
		conn.SetReadDeadline(time.Now().Add(2 * time.Millisecond))
		if _, err := io.Copy(io.Discard, conn); errors.Is(err, os.ErrDeadlineExceeded) {
			n++
		}
	}
	return n
}

// crowd opens each silent connections, and as many that send only a beginning. They are closed at the
// end of the test, or before.
func crowd(a *asker, each int, begin string) (list []net.Conn) {
	a.t.Helper()
	for i := range 2 * each {
		conn, err := net.DialTimeout("tcp", strings.TrimPrefix(a.base, "http://"), 10*time.Second)
		if err != nil {
			a.t.Fatalf("connection %d: %v", i, err)
		}
		a.t.Cleanup(func() { conn.Close() })
		list = append(list, conn)
		if i%2 == 1 {
			fmt.Fprint(conn, begin) // it may have been closed
		}
	}
	return list
}
