package crawl

import (
	"errors"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"sync/atomic"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"robots-audit/crawl/internal/weburl"
)

// special are URLs with addresses that redirects and Sitemap lines must not lead to
// (fault 33).
var special = []string{
	"http://127.0.0.1/", "http://127.0.0.1:1/", "http://127.1/", "http://2130706433/", "http://0x7f000001/", "http://017700000001/",
	"http://0177.0.0.1/", "http://0/", "http://0.0.0.0/", "http://10.0.0.1/", "http://172.16.0.1/", "http://192.168.1.1/", "http://100.64.0.1/",
	"http://169.254.169.254/latest/meta-data/", "http://169.254.169.254./", "https://169.254.169.254/", "http://[::1]/", "http://[::]/",
	"http://[::ffff:127.0.0.1]/", "http://[::ffff:a9fe:a9fe]/", "http://[::127.0.0.1]/", "http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/",
	"http://[fe80::1]/", "http://[fe80::1%25eth0]/", "http://[fe80::1%25.]/", "http://[fc00::1]/", "http://[fd00:ec2::254]/", "http://[ff02::1]/", "http://224.0.0.1/", "http://255.255.255.255/",
	"http://①②⑦.⓪.⓪.①/", "http://user@127.0.0.1/",
}

// A literal special address is refused without a request, routed or not.
func TestSpecialAddressesAreRefused(t *testing.T) {
	var asked atomic.Int32
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Host == "example.test" {
			w.Header().Set("Location", r.URL.Query().Get("to"))
			w.WriteHeader(http.StatusFound)
			return
		}
		asked.Add(1)
	})
	c := led(address)
	c.ConnectTo = []string{"::" + address}
	s := c.Site("example.test")
	defer s.Close()
	for _, to := range special {
		for _, url := range []string{to, "http://example.test/?to=" + url.QueryEscape(to)} {
			body, out := s.open(t.Context(), url, limits{Hops: 5})
			io.Copy(io.Discard, body)
			body.Close()
			if out.Code != CodeBlockedAddress || out.Status != 0 || out.Hops[len(out.Hops)-1].Code != CodeBlockedAddress {
				t.Errorf("%s: got code %q, status %d (%s)", url, out.Code, out.Status, out.Detail)
			}
		}
	}
	if asked.Load() != 0 {
		t.Errorf("%d requests went out", asked.Load())
	}
}

func TestTrust(t *testing.T) {
	g := newGuard(false, []string{"Intranet.Example.", "10.0.0.1:8080", "192.168.0.1", "[fd00::1]:8443", "fd00::2", "bücher.example"}, parseRoutes([]string{"::10.9.9.9:81", "::10.8.8.8:"}).targets)
	tests := []struct {
		host, port string
		want       bool
	}{
		{"intranet.example", "80", true},
		{"INTRANET.example.", "443", true},
		{"intranet.example", "22", false},
		{"www.intranet.example", "80", false},
		{"10.0.0.1", "8080", true},
		{"0xa.1", "8080", true},
		{"10.0.0.1", "80", false},
		{"10.0.0.2", "8080", false},
		{"192.168.0.1", "80", true},
		{"192.168.0.1", "25", false},
		{"fd00::1", "8443", true},
		{"fd00::1", "443", false},
		{"fd00::2", "443", true},
		{"xn--bcher-kva.example", "80", true},
		{"10.9.9.9", "81", true},
		{"10.9.9.9", "80", false},
		{"10.8.8.8", "80", true},
	}
	for _, tt := range tests {
		if got := g.trusts(tt.host, tt.port); got != tt.want {
			t.Errorf("trusts(%s, %s) = %v", tt.host, tt.port, got)
		}
		if !newGuard(true, nil, nil).trusts(tt.host, tt.port) {
			t.Errorf("AllowPrivate does not allow %s:%s", tt.host, tt.port)
		}
	}
}

// Ports other than 80 and 443 must be listed: otherwise neither a list nor a redirect
// reaches a mail server, by name or by address.
func TestPortsAreRefused(t *testing.T) {
	resolver, _ := nameServer(t, func(string, int) ([]string, dnsmessage.RCode) { return []string{"8.8.8.8"}, 0 })
	var to string
	address := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) })
	c := &Client{resolver: resolver, Retries: -1, ConnectTo: []string{"example.test:80:" + address}}
	for _, to = range []string{"http://mail.test:22", "http://mail.test:25", "https://mail.test:8443", "http://8.8.8.8:53", "http://8.8.8.8:25", "http://example.test:22"} {
		for hops, origin := range []string{to, "http://example.test"} {
			if f := robotsOf(t, c, origin); f.Code != CodeBlockedAddress || len(f.Hops) != hops+1 {
				t.Errorf("%s to %s: got code %q after %d hops (%s)", origin, to, f.Code, len(f.Hops), f.Detail)
			}
		}
	}
}

// A name that resolves to an internal address is refused when its address is
// dialled, even if only at the second lookup.
func TestRebinding(t *testing.T) {
	for _, inward := range []string{"127.0.0.1", "10.0.0.1", "169.254.169.254", "0.0.0.0"} {
		resolver, _ := nameServer(t, func(string, int) ([]string, dnsmessage.RCode) { return []string{inward}, 0 })
		f := robotsOf(t, &Client{resolver: resolver, Retries: -1}, "http://evil.test")
		if f.Code != CodeBlockedAddress {
			t.Errorf("a name for %s: got code %q (%s)", inward, f.Code, f.Detail)
		}
	}

	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		http.Redirect(w, r, "http://evil.test/", http.StatusFound)
	})
	resolver, questions := nameServer(t, func(string, int) ([]string, dnsmessage.RCode) { return []string{"127.0.0.1"}, 0 })
	c := led(address)
	c.resolver, c.ConnectTo = resolver, []string{"example.test:80:" + address}
	f := robotsOf(t, c, "http://example.test")
	if f.Code != CodeBlockedAddress || len(f.Hops) != 2 || questions.Load() == 0 {
		t.Errorf("got code %q after %d hops and %d questions (%s)", f.Code, len(f.Hops), questions.Load(), f.Detail)
	}
}

// A site's connection to an address that it may use is not available to other
// sites.
func TestConnectionsAreNotShared(t *testing.T) {
	address := serve(t, page(200, rules))
	c := &Client{Retries: -1}
	a, b := c.Site(address), c.Site()
	defer a.Close()
	defer b.Close()
	if f := a.Robots(t.Context(), "http://"+address); f.Code != "" {
		t.Fatalf("listed: got code %q", f.Code)
	}
	if f := b.Robots(t.Context(), "http://"+address); f.Code != CodeBlockedAddress {
		t.Errorf("not listed: got code %q", f.Code)
	}
}

func TestProxyOfTheEnvironmentIsIgnored(t *testing.T) {
	var asked atomic.Int32
	proxy := serve(t, func(http.ResponseWriter, *http.Request) { asked.Add(1) })
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "ALL_PROXY"} {
		t.Setenv(name, "http://"+proxy)
	}
	if f := robots(t, led(serve(t, page(200, rules)))); f.Code != "" || asked.Load() != 0 {
		t.Errorf("got code %q, %d requests through the proxy", f.Code, asked.Load())
	}
}

func FuzzGuard(f *testing.F) {
	for _, u := range special {
		f.Add(u)
	}
	f.Add("http://example.com/")
	f.Add("http://8.8.8.8:80/")
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := weburl.Read(raw)
		if err != nil {
			return
		}
		refused := newGuard(false, nil, nil).check(u)
		if refused != nil && !errors.Is(refused, errSpecialAddress) {
			t.Errorf("%q: %v", raw, refused)
		}
		// Special addresses according to net/netip must never pass.
		if a, err := netip.ParseAddr(u.Hostname()); err == nil && refused == nil {
			a = a.WithZone("").Unmap()
			if a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() || a.IsUnspecified() || a.IsMulticast() {
				t.Errorf("%q passes", raw)
			}
		}
		if again, err := weburl.Read(u.String()); err != nil || again.String() != u.String() {
			t.Errorf("%q reads as %q, which reads as %v, %v", raw, u, again, err)
		}
	})
}
