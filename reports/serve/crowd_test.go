package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"
)

// TestCrowd holds that 400 connections that say nothing, and 400 that say it slowly, three times as
// many as may be open, keep nobody out: neither who has the token, nor who has none and a desk that asks for none.
// Most of them are hung up on, so that they take neither memory nor open files.
func TestCrowd(t *testing.T) {
	const each = 400
	for _, token := range []string{"", "a token of a desk"} {
		var open []net.Conn
		d, _, _ := guarded(t, Options{Token: token})
		l, err := net.Listen("tcp", "127.0.0.1:0")
		noError(t, err)
		ctx, cancel := context.WithCancel(context.Background())
		served := make(chan error, 1)
		go func() { served <- d.Serve(ctx, l) }()
		open = append(open, crowd(t, l.Addr().String(), each, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")...)
		if token != "" { // what has a body is answered before that has come, or waits for it
			open = append(open, crowd(t, l.Addr().String(), 300, "POST /enter HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 999\r\n\r\nt")...)
		}
		client := &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
		for range 3 {
			began := time.Now()
			r := httptest.NewRequest("GET", "http://"+l.Addr().String()+"/", nil)
			r.RequestURI = ""
			r.Header.Set("Authorization", "Bearer "+token)
			answer, err := client.Do(r)
			if err != nil {
				t.Errorf("token %q: %v after %s", token, err, time.Since(began))
				continue
			}
			answer.Body.Close()
			if answer.StatusCode != 200 || time.Since(began) > 2*time.Second {
				t.Errorf("token %q: %s after %s", token, answer.Status, time.Since(began))
			}
			t.Logf("token %q: %s", token, time.Since(began))
		}
		if n := stillOpen(open); n > maxConnections {
			t.Errorf("token %q: %d connections of %d are open, and at most %d may be", token, n, len(open), maxConnections)
		}
		for _, conn := range open {
			if token != "" { // without one the end comes while they are open
				conn.Close()
			}
		}
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
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

// crowd opens so many connections that say nothing, and as many that begin with what is given and say
// no more. They are closed at the end of the test, unless that is done before.
func crowd(t *testing.T, address string, each int, begin string) (list []net.Conn) {
	t.Helper()
	for i := range 2 * each {
		conn, err := net.DialTimeout("tcp", address, 10*time.Second)
		if err != nil {
			t.Fatalf("connection %d: %v", i, err)
		}
		t.Cleanup(func() { conn.Close() })
		list = append(list, conn)
		if i%2 == 1 {
			fmt.Fprint(conn, begin) // it may have been hung up on
		}
	}
	return list
}
