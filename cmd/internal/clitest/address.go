package clitest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
	"time"
)

// FreeAddress returns a loopback address without a listener. The system does not assign it to
// processes that request any free port, as clients do.
func FreeAddress(t *testing.T) string {
	t.Helper()
	for {
		if l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10000+rand.IntN(20000))); err == nil {
			defer l.Close()
			return l.Addr().String()
		}
	}
}

// Until polls until a condition is true.
func Until(t testing.TB, limit time.Duration, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", limit, what)
		}
	}
}
