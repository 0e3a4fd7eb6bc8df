package clitest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
	"time"
)

// FreeAddress returns a loopback address without a listener. The system does not give it to processes that
// ask for any free port, as clients do.
func FreeAddress(t *testing.T) string {
	t.Helper()
	for {
		if l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10000+rand.IntN(20000))); err == nil {
			defer l.Close()
			return l.Addr().String()
		}
	}
}

// Until waits until something holds, and asks for it again and again.
func Until(t testing.TB, limit time.Duration, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", limit, what)
		}
	}
}
