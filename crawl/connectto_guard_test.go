package crawl

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// An entry of connect-to only allows what it names: an entry with a port alone
// does not allow the address, and one with a host alone does not allow the
// port. In every case the user routes evil.test, and its robots.txt redirects
// to a server that the user did not name.
func TestConnectToLetsInOnlyWhatItNames(t *testing.T) {
	var asked atomic.Int32
	inner := serve(t, func(w http.ResponseWriter, r *http.Request) { asked.Add(1); io.WriteString(w, rules) })
	_, port, err := net.SplitHostPort(inner)
	if err != nil {
		t.Fatal(err)
	}
	var location string
	evil := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, location, http.StatusFound) })
	resolver, _ := nameServer(t, func(name string, _ int) ([]string, dnsmessage.RCode) {
		return map[string][]string{"inward.test": {"127.0.0.1"}, "private.test": {"10.0.0.1"}, "outer.test": {"8.8.8.8"}}[name], 0
	})
	for _, tt := range []struct {
		name, entry, to string
		listed          []string
		code            string
	}{
		{name: "a port alone, and a name of this machine", entry: ":81::PORT", to: "http://localhost:81/secret", code: CodeBlockedAddress},
		{name: "a port alone, and a name that points inwards", entry: ":81::PORT", to: "http://inward.test:81/secret", code: CodeBlockedAddress},
		{name: "a port alone, and a name that points into the network", entry: ":81::PORT", to: "http://private.test:81/secret", code: CodeBlockedAddress},
		{name: "a port alone, and an address", entry: ":81::PORT", to: "http://127.0.0.1:81/secret", code: CodeBlockedAddress},
		{name: "a port alone, and an IPv6 address", entry: ":81::PORT", to: "http://[::1]:81/secret", code: CodeBlockedAddress},
		{name: "any port to one", entry: ":::PORT", to: "http://localhost/secret", code: CodeBlockedAddress},
		{name: "a port of one host", entry: "localhost:81::PORT", to: "http://localhost:81/secret", code: CodeBlockedAddress},
		{name: "any port of one host", entry: "localhost:::PORT", to: "http://localhost/secret", code: CodeBlockedAddress},
		{name: "an entry that changes nothing", entry: ":PORT::", to: "http://localhost:PORT/secret", code: CodeBlockedAddress},
		{name: "an entry without any part", entry: ":::", to: "http://localhost:PORT/secret", code: CodeBlockedAddress},
		{name: "a port to port 80", entry: ":81::80", to: "http://localhost:81/secret", code: CodeBlockedAddress},
		{name: "an IPv6 host's port", entry: "[::1]:81::PORT", to: "http://[::1]:81/secret", code: CodeBlockedAddress},
		{name: "another host is led there", entry: "other.test:81:127.0.0.1:PORT", to: "http://localhost:PORT/secret", code: CodeBlockedAddress},
		{name: "another port is led there", entry: "localhost:82:127.0.0.1:PORT", to: "http://localhost:PORT/secret", code: CodeBlockedAddress},
		{name: "a host, and any port of it", entry: "staging.test::127.0.0.1:", to: "http://staging.test:PORT/secret", code: CodeBlockedAddress},
		{name: "a host, and a mail server", entry: "staging.test::127.0.0.1:", to: "http://staging.test:25/", code: CodeBlockedAddress},
		{name: "a port alone does not open others", entry: ":81::PORT", to: "http://outer.test:22/", code: CodeBlockedAddress},
		{name: "ftp, a port alone", entry: ":21::PORT", to: "ftp://localhost/robots.txt", code: CodeBadRedirect},

		{name: "the target by its own name", entry: "other.test:81:127.0.0.1:PORT", to: "http://127.0.0.1:PORT/robots.txt"},
		{name: "what is led to the target", entry: "other.test:81:127.0.0.1:PORT", to: "http://other.test:81/robots.txt"},
		{name: "any host is led to the target", entry: ":81:127.0.0.1:PORT", to: "http://inward.test:81/robots.txt"},
		{name: "a host, and the port that was named", entry: "staging.test:PORT:127.0.0.1:", to: "http://staging.test:PORT/robots.txt"},
		{name: "a host of the list, and its port mapped", entry: ":81::PORT", to: "http://localhost:81/robots.txt", listed: []string{"localhost:81"}},
		{name: "a host of the list on its usual port, mapped", entry: ":80::PORT", to: "http://localhost/robots.txt", listed: []string{"localhost"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked.Store(0)
			location = strings.ReplaceAll(tt.to, "PORT", port)
			c := &Client{Retries: -1, resolver: resolver, ConnectTo: []string{"evil.test:80:" + evil, strings.ReplaceAll(tt.entry, "PORT", port)}}
			s := c.Site(append(tt.listed, "evil.test")...)
			defer s.Close()
			f := s.Robots(t.Context(), "http://evil.test")
			if got := asked.Load(); f.Code != tt.code || (got > 0) != (tt.code == "") {
				t.Errorf("got code %q (%s), %d requests arrived", f.Code, f.Detail, got)
			}
		})
	}
}

// A public server on a port that the user named is asked, at that port.
func TestConnectToNamesAPort(t *testing.T) {
	routes := parseRoutes([]string{":80::8080", "staging.test::10.0.0.1:"})
	for _, tt := range []struct {
		host, port, address string
		refused             bool
	}{
		{"example.test", "80", "8.8.8.8:8080", false},
		{"example.test", "80", "[2001:4860:4860::8888]:8080", false},
		{"example.test", "80", "10.0.0.1:8080", true},
		{"example.test", "80", "[::1]:8080", true},
		{"example.test", "80", "[::ffff:10.0.0.1]:8080", true},
		{"example.test", "443", "8.8.8.8:443", false},
		{"example.test", "8443", "8.8.8.8:8443", true},
		{"staging.test", "443", "10.0.0.1:443", false},
		{"staging.test", "22", "10.0.0.1:22", true},
	} {
		control, err := newGuard(false, nil, routes.targets).controlFor(tt.host, tt.port, routes.destination(tt.host, tt.port), webPolicy)
		if err == nil && control != nil {
			network := "tcp4"
			if tt.address[0] == '[' {
				network = "tcp6"
			}
			err = control(network, tt.address, nil)
		}
		if (err != nil) != tt.refused {
			t.Errorf("%s:%s at %s: %v", tt.host, tt.port, tt.address, err)
		}
	}
}

// An HTTP/2 connection routed by an entry must not be kept for another name,
// even if the certificate is valid for both.
func TestConnectionsAreNotSharedBetweenEntries(t *testing.T) {
	a := newTestAuthority(t)
	cert := a.issue(t, "*.example.test", time.Now().Add(time.Hour))
	var asked atomic.Int32
	address := serveTLS(t, &tls.Config{Certificates: []tls.Certificate{cert}}, func(w http.ResponseWriter, r *http.Request) {
		if r.Host == "led.example.test" {
			http.Redirect(w, r, "https://inward.example.test/secret", http.StatusFound)
			return
		}
		asked.Add(1)
	})
	_, port, _ := net.SplitHostPort(address)
	resolver, _ := nameServer(t, func(string, int) ([]string, dnsmessage.RCode) { return []string{"127.0.0.1"}, 0 })
	for _, entry := range []string{":444::443", ":443::" + port} {
		c := &Client{Retries: -1, RootCAs: a.pool, resolver: resolver, ConnectTo: []string{"led.example.test:443:" + address, entry}}
		f := robotsOf(t, c, "https://led.example.test", "led.example.test")
		if f.Code != CodeBlockedAddress || len(f.Hops) != 2 || asked.Load() != 0 {
			t.Errorf("%s: got code %q after %d hops (%s), %d requests arrived", entry, f.Code, len(f.Hops), f.Detail, asked.Load())
		}
	}
}

// The same rules apply to FTP.
func TestConnectToOverFTP(t *testing.T) {
	address := serveRaw(t, func(c net.Conn) {
		fmt.Fprint(c, "220 hello\r\n")
		bufio.NewReader(c).ReadString('\n')
		fmt.Fprint(c, "421 bye\r\n")
	})
	_, port, _ := net.SplitHostPort(address)
	for entry, refused := range map[string]bool{
		":21::" + port:                 true,
		"localhost:21::" + port:        true,
		"other.test:21:" + address:     true,
		"localhost:21:" + address:      false,
		"localhost::127.0.0.1:" + port: false,
	} {
		f := robotsOf(t, &Client{Retries: -1, ConnectTo: []string{entry}}, "ftp://localhost")
		if arrived := f.Hops[0].Address == address; (f.Code == CodeBlockedAddress) != refused || arrived == refused {
			t.Errorf("%s: got code %q (%s), connected to %q", entry, f.Code, f.Detail, f.Hops[0].Address)
		}
	}
}
