package crawl

import (
	"fmt"
	"net"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// A server with a full connection queue drops the SYN, like a firewall: no
// answer comes, and the dial must end by itself.
func TestConnectTimeout(t *testing.T) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(name.(*syscall.SockaddrInet4).Port))
	withLongerTimeouts(t, func(timeout time.Duration) string {
		for { // until the queue is full
			c, err := net.DialTimeout("tcp", address, timeout/2)
			if err != nil {
				break
			}
			defer c.Close()
		}
		c := led(address)
		c.Timeout, c.Retries = timeout, 2
		start := time.Now()
		f := robots(t, c)
		if took := time.Since(start); f.Code != CodeConnectTimeout || f.Tries != 1 || took > 5*timeout {
			return fmt.Sprintf("got code %q after %d tries and %v (%s)", f.Code, f.Tries, took, f.Detail)
		}
		return ""
	})
}
