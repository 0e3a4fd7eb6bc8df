package agent

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// fakeDNS answers from two maps. What is in neither is an error.
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
	time.Sleep(d.slow)
	if names, ok := d.names[addr]; ok {
		return names, ctx.Err()
	}
	return nil, errors.New("no such host")
}

func (d *fakeDNS) LookupNetIP(ctx context.Context, network, host string) (list []netip.Addr, err error) {
	for _, a := range d.addrs[host] {
		list = append(list, netip.MustParseAddr(a))
	}
	if list == nil {
		err = errors.New("server misbehaving")
	}
	return list, err
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
			"192.0.2.8":   {},
			"2001:db8::1": {"crawl-v6.googlebot.com."},
		},
		addrs: map[string][]string{
			"crawl-192-0-2-1.googlebot.com": {"198.51.100.1", "::ffff:192.0.2.1"},
			"crawl-192-0-2-2.googlebot.com": {"198.51.100.1"},
			"crawl-7.googlebot.com":         {"192.0.2.7"},
			"crawl-v6.googlebot.com":        {"2001:db8::1"},
		},
	}
	r := s.NewResolver(dns)
	r.now = func() time.Time { return near }
	for _, test := range []struct {
		crawler, addr string
		at            time.Time
		was, want     Identity
	}{
		{"Googlebot", "192.0.2.1", near, Claimed, Genuine},
		{"Googlebot", "192.0.2.1", far, Unknown, Genuine},
		{"Googlebot", "192.0.2.2", near, Unknown, Claimed},
		{"Googlebot", "192.0.2.2", far, Unknown, Unknown}, // DNS speaks of today
		{"Googlebot", "192.0.2.3", near, Unknown, Unknown},
		{"Googlebot", "192.0.2.3", near, Claimed, Claimed},
		{"Googlebot", "192.0.2.4", near, Unknown, Claimed},
		{"Googlebot", "192.0.2.5", near, Unknown, Claimed},
		{"Googlebot", "192.0.2.6", near, Unknown, Claimed},
		{"Googlebot", "192.0.2.7", near, Unknown, Genuine},
		{"Googlebot", "192.0.2.8", near, Unknown, Unknown},
		{"Googlebot", "192.0.2.9", near, Unknown, Unknown}, // no name
		{"Googlebot", "2001:db8::1", near, Unknown, Genuine},
		{"Googlebot", "-", near, Unknown, Unknown},
		{"Bingbot", "192.0.2.1", near, Unknown, Claimed}, // Google's host is not Bing's
		{"GPTBot", "192.0.2.4", near, Unknown, Unknown},  // OpenAI publishes no host names
		{"Googlebot", "192.0.2.4", near, Genuine, Genuine},
	} {
		if got := r.Verify(t.Context(), id(t, s, test.crawler), []byte(test.addr), test.at, test.was); got != test.want {
			t.Errorf("%s from %s, was %s: %s, want %s", test.crawler, test.addr, test.was, got, test.want)
		}
	}
	asked := dns.asked.Load()
	r.Verify(t.Context(), id(t, s, "Googlebot-Image"), []byte("192.0.2.1"), near, Unknown)
	if dns.asked.Load() != asked {
		t.Error("asked again for an address of the same list")
	}
	if got := r.Verify(t.Context(), Visitor, []byte("192.0.2.1"), near, Unknown); got != Unknown {
		t.Errorf("visitor: %s", got)
	}
}

func TestResolverIsBounded(t *testing.T) {
	s := newSet(t, Options{})
	dns := &fakeDNS{slow: time.Millisecond}
	r := s.NewResolver(dns)
	google := id(t, s, "Googlebot")
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for i := range 50 {
				r.Verify(context.Background(), google, fmt.Appendf(nil, "192.0.2.%d", i), near, Unknown)
			}
		})
	}
	wait.Wait()
	if dns.most.Load() > lookupsOnce || dns.asked.Load() != 50 {
		t.Errorf("%d look-ups at once, %d in all", dns.most.Load(), dns.asked.Load())
	}
	dns.slow = 0
	for i := range maxLookups + 10 {
		r.Verify(context.Background(), google, fmt.Appendf(nil, "10.1.%d.%d", i/256, i%256), near, Unknown)
	}
	if dns.asked.Load() != maxLookups || len(r.known) != maxLookups {
		t.Errorf("%d look-ups in all, %d known", dns.asked.Load(), len(r.known))
	}
}

func TestResolverGivesUp(t *testing.T) {
	s := newSet(t, Options{})
	dns := &fakeDNS{}
	r := s.NewResolver(dns)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for i := range 100 {
		r.Verify(ctx, id(t, s, "Googlebot"), fmt.Appendf(nil, "192.0.2.%d", i), near, Unknown)
	}
	if dns.asked.Load() != maxSilent {
		t.Errorf("%d look-ups without an answer, want %d", dns.asked.Load(), maxSilent)
	}
}
