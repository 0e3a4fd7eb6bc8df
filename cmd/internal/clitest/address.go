package clitest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// FreeAddress is one of loopback where nobody listens, and that the system gives to nobody who asks
// for any port, as whoever connects does.
func FreeAddress(t *testing.T) string {
	t.Helper()
	for {
		if l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10000+rand.IntN(20000))); err == nil {
			defer l.Close()
			return l.Addr().String()
		}
	}
}
