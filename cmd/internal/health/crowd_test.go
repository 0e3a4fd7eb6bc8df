package health

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"testing"
	"time"
)

// TestCrowd checks that /healthz answers within a second during 400 silent connections and 400
// unfinished requests. These are three times as many as may be open.
func TestCrowd(t *testing.T) {
	connections := 800
	if runtime.GOOS == "windows" { // under Wine each needs milliseconds to be accepted
		connections = 400
	}
	address, end := served(t, New(time.Now, time.Hour, "test"))
	for i := range connections {
		conn, err := net.DialTimeout("tcp", address, 10*time.Second)
		if err != nil {
			t.Fatalf("connection %d: %v", i, err)
		}
		defer conn.Close()
		if i%2 == 1 {
			fmt.Fprint(conn, "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ") // it may be disconnected already
		}
	}
	client := &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	for range 3 {
		began := time.Now()
		answer, err := client.Get("http://" + address + "/healthz")
		if err != nil {
			t.Fatalf("%v after %s", err, time.Since(began))
		}
		answer.Body.Close()
		if took := time.Since(began); answer.StatusCode != http.StatusServiceUnavailable || took > time.Second { // there is no schedule
			t.Errorf("%s after %s", answer.Status, took)
		}
	}
	end()
}

// TestOvertaken checks that 200 connections may be opened between a connection and its request.
func TestOvertaken(t *testing.T) {
	address, end := served(t, New(time.Now, time.Hour, "test"))
	dial := func() net.Conn {
		conn, err := net.DialTimeout("tcp", address, 10*time.Second)
		noError(t, err)
		conn.SetDeadline(time.Now().Add(20 * time.Second))
		return conn
	}
	asks := func(who string, conn net.Conn) {
		fmt.Fprint(conn, "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
		if answer, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil || answer.StatusCode != http.StatusServiceUnavailable { // there is no schedule
			t.Errorf("%s: %v, %v", who, answer, err)
		}
	}
	first := dial()
	defer first.Close()
	var others []net.Conn
	for range 200 {
		others = append(others, dial())
	}
	asks("the last", others[len(others)-1]) // all others were accepted before it
	asks("the first", first)
	for _, conn := range others { // TestCrowd covers connections that end among open ones
		conn.Close()
	}
	end()
}
