package health

import (
	"fmt"
	"net"
	"net/http"
	"runtime"
	"testing"
	"time"
)

// TestCrowd holds that /healthz is answered within a second beside 2,000 connections that say nothing,
// and 2,000 that begin with a request and never end it.
func TestCrowd(t *testing.T) {
	connections := 4000
	if runtime.GOOS == "windows" { // as Wine has it, each takes milliseconds to be accepted
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
			fmt.Fprint(conn, "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ") // it may have been hung up on
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
		if took := time.Since(began); answer.StatusCode != http.StatusServiceUnavailable || took > time.Second { // no schedule is known
			t.Errorf("%s after %s", answer.Status, took)
		}
	}
	if err := end(); err != nil {
		t.Error(err)
	}
}
