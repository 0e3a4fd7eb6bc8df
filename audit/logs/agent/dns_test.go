package agent

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// fakeDNS answers from two maps. What is in neither is not found; "fail" is an error.
type fakeDNS struct {
	names map[string][]string
	addrs map[string][]string
	slow  time.Duration

	asked, now, most atomic.Int64
}

func (d *fakeDNS) LookupAddr(ctx context.Context, addr string) ([]string, error) {
	d.asked.Add(1)
	n := d.now.Add(1)
	defer d.now.Add(-1)
	for most := d.most.Load(); n > most && !d.most.CompareAndSwap(most, n); most = d.most.Load() {
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(d.slow):
	}
	return foundOr(d.names[addr])
}

func (d *fakeDNS) LookupNetIP(ctx context.Context, network, host string) (list []netip.Addr, err error) {
	if !strings.HasSuffix(host, ".") {
		return nil, fmt.Errorf("%s is searched in the machine's own domain, too", host)
	}
	addrs, err := foundOr(d.addrs[host])
	for _, a := range addrs {
		list = append(list, netip.MustParseAddr(a))
	}
	return list, err
}

func foundOr(list []string) ([]string, error) {
	switch {
	case len(list) == 0:
		return nil, &net.DNSError{Err: "no such host", IsNotFound: true}
	case list[0] == "fail":
		return nil, errors.New("server misbehaving")
	}
	return list, nil
}

func TestVerify(t *testing.T) {
	s := newSet(t, Options{})
	dns := &fakeDNS{
		names: map[string][]string{
			"192.0.2.1":   {"crawl-192-0-2-1.googlebot.com."},
			"192.0.2.2":   {"crawl-192-0-2-2.googlebot.com."}, // its forward address is another
			"192.0.2.3":   {"broken.googlebot.com."},
			"192.0.2.4":   {"host.example.com."},
			"192.0.2.5":   {"crawl.googlebot.com.example.com."},
			"192.0.2.6":   {"fakegooglebot.com."},
			"192.0.2.7":   {"host.example.com.", "CRAWL-7.googlebot.com."},
			"192.0.2.9":   {"fail"},
			"192.0.2.10":  {"none.googlebot.com."},
			"192.0.2.11":  {"google-proxy-192-0-2-11.google.com."},
			"192.0.2.12":  {"\x1b[31m.googlebot.com."},
			"192.0.2.13":  {strings.Repeat("x", 250) + ".googlebot.com."},
			"192.0.2.14":  {"a.example.com.", "b.example.com.", "c.example.com.", "d.example.com.", "crawl.googlebot.com."},
			"2001:db8::1": {"crawl-v6.googlebot.com."},
		},
		addrs: map[string][]string{
			"crawl-192-0-2-1.googlebot.com.":             {"198.51.100.1", "::ffff:192.0.2.1"},
			"crawl-192-0-2-2.googlebot.com.":             {"198.51.100.1"},
			"broken.googlebot.com.":                      {"fail"},
			"crawl-7.googlebot.com.":                     {"192.0.2.7"},
			"crawl-v6.googlebot.com.":                    {"2001:db8::1"},
			"google-proxy-192-0-2-11.google.com.":        {"192.0.2.11"},
			"\x1b[31m.googlebot.com.":                    {"192.0.2.12"},
			strings.Repeat("x", 250) + ".googlebot.com.": {"192.0.2.13"},
		},
	}
	for _, test := range []struct {
		crawler, addr string
		want          string
	}{
		{"Googlebot", "192.0.2.1", "genuine"},
		{"Googlebot-Image", "192.0.2.1", "genuine"},
		{"Googlebot", "192.0.2.2", "claimed"},
		{"Googlebot", "192.0.2.3", "no answer"},
		{"Googlebot", "192.0.2.4", "claimed"},
		{"Googlebot", "192.0.2.5", "claimed"},
		{"Googlebot", "192.0.2.6", "claimed"},
		{"Googlebot", "192.0.2.7", "genuine"},
		{"Googlebot", "192.0.2.8", "unknown"}, // no name
		{"Googlebot", "192.0.2.9", "no answer"},
		{"Googlebot", "192.0.2.10", "claimed"}, // a name that nobody has proves nothing
		{"Googlebot", "192.0.2.11", "unknown"}, // Google's, but not of this crawler
		{"FeedFetcher-Google", "192.0.2.11", "genuine"},
		{"Googlebot", "192.0.2.12", "claimed"},
		{"Googlebot", "192.0.2.13", "claimed"},
		{"Googlebot", "192.0.2.14", "unknown"}, // too many names
		{"Googlebot", "2001:db8::1", "genuine"},
		{"Googlebot", "::ffff:192.0.2.1", "genuine"},
		{"Bingbot", "192.0.2.1", "claimed"}, // Google's host is not Bing's
		{"Googlebot", "-", "not asked"},
		{"Googlebot", "10.0.0.1", "not asked"},
		{"Googlebot", "127.0.0.1", "not asked"},
		{"Googlebot", "fe80::1", "not asked"},
		{"Googlebot", "66.249.90.33", "not asked"}, // of Google's special-case crawlers
		{"GPTBot", "192.0.2.4", "not asked"},       // OpenAI publishes no host names
	} {
		got := "not asked"
		if q, ok := s.Ask(id(t, s, test.crawler), []byte(test.addr)); ok {
			a := Verify(t.Context(), dns, []Question{q})[0]
			if got = a.Identity.String(); !a.OK {
				got = "no answer"
			}
		}
		if got != test.want {
			t.Errorf("%s from %s: %s, want %s", test.crawler, test.addr, got, test.want)
		}
	}
	for _, other := range []int{Visitor, s.listed} {
		if _, ok := s.Ask(other, []byte("192.0.2.1")); ok {
			t.Errorf("a question about crawler %d", other)
		}
	}
}

// questions asks about n addresses.
func questions(t *testing.T, n int) (list []Question) {
	s := newSet(t, Options{})
	google := id(t, s, "Googlebot")
	for i := range n {
		q, ok := s.Ask(google, fmt.Appendf(nil, "2001:db8::%x", i+1))
		if !ok {
			t.Fatal("no question")
		}
		list = append(list, q)
	}
	return list
}

func answered(list []Answer) (n int) {
	for _, a := range list {
		if a.OK {
			n++
		}
	}
	return n
}

func TestVerifyIsBounded(t *testing.T) {
	dns := &fakeDNS{slow: time.Millisecond}
	if n := answered(Verify(t.Context(), dns, questions(t, 50))); dns.most.Load() > lookupsOnce || dns.asked.Load() != 50 || n != 50 {
		t.Errorf("%d look-ups at once, %d in all, %d answered", dns.most.Load(), dns.asked.Load(), n)
	}
	dns = &fakeDNS{}
	list := Verify(t.Context(), dns, questions(t, MaxLookups+10))
	if n := answered(list); dns.asked.Load() != MaxLookups || n != MaxLookups || len(list) != MaxLookups+10 || list[MaxLookups].OK {
		t.Errorf("%d look-ups, %d answered", dns.asked.Load(), n)
	}
}

// TestVerifyEnds: a DNS that does not answer is asked no more, and a signal ends Verify.
func TestVerifyEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dns := &fakeDNS{slow: time.Hour}
		began := time.Now()
		if n := answered(Verify(t.Context(), dns, questions(t, 100))); n != 0 || dns.asked.Load() > maxSilent+lookupsOnce {
			t.Errorf("%d look-ups without an answer, %d answered", dns.asked.Load(), n)
		}
		if d := time.Since(began); d > maxSilent*lookupWait {
			t.Errorf("it lasted %s", d)
		}
		dns = &fakeDNS{slow: 4 * time.Second}
		began = time.Now()
		if n := answered(Verify(t.Context(), dns, questions(t, 1000))); n < 290 || n > 310 || time.Since(began) > LookupsTime {
			t.Errorf("%d answered in %s", n, time.Since(began))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began = time.Now()
		if n := answered(Verify(ctx, dns, questions(t, 1000))); n < 20 || time.Since(began) > time.Minute {
			t.Errorf("%d answered in %s", n, time.Since(began))
		}
	})
}
