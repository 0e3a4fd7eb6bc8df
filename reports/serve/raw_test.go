package serve

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// raw sends a request whose path no client would send, and returns the whole answer.
func raw(t testing.TB, a *asker, path string) string {
	t.Helper()
	return rawRequest(t, a, "GET "+path+" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
}

// rawRequest sends a request as it is given, and returns the whole answer.
func rawRequest(t testing.TB, a *asker, request string) string {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(a.base, "http://"))
	noError(t, err)
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	io.WriteString(conn, request)
	text, err := io.ReadAll(conn)
	noError(t, err)
	return string(text)
}

// TestSlow holds that who sends slowly keeps nobody from anything, and is hung up on.
func TestSlow(t *testing.T) {
	t.Parallel()
	d, _, _ := guarded(t, Options{})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- d.Serve(ctx, l) }()
	var slow []net.Conn
	for range 40 {
		conn, err := net.Dial("tcp", l.Addr().String())
		noError(t, err)
		defer conn.Close()
		fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
		slow = append(slow, conn)
	}
	began := time.Now()
	a := &asker{t: t, base: "http://" + l.Addr().String()}
	if answer, _ := a.do("GET", "/", "", "Accept", "application/json"); answer.StatusCode != 200 || time.Since(began) > 3*time.Second {
		t.Errorf("beside slow ones: %s after %s", answer.Status, time.Since(began))
	}
	for _, conn := range slow {
		conn.SetDeadline(began.Add(20 * time.Second))
		if _, err := io.ReadAll(conn); err != nil && strings.Contains(err.Error(), "timeout") {
			t.Fatalf("a slow one was not hung up on after %s", time.Since(began))
		}
	}
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
