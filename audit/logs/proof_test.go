package logs

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/logs/agent"
)

// crawlDNS knows the addresses 192.0.2.0/24 as Googlebot's, 203.0.113.0/24 as somebody else's. It has
// no answer about 198.51.100.0/24.
type crawlDNS struct {
	mu    sync.Mutex
	asked []string
}

func (d *crawlDNS) LookupAddr(ctx context.Context, addr string) ([]string, error) {
	d.mu.Lock()
	d.asked = append(d.asked, addr)
	d.mu.Unlock()
	switch {
	case strings.HasPrefix(addr, "192.0.2."):
		return []string{"crawl-" + strings.ReplaceAll(addr, ".", "-") + ".googlebot.com."}, nil
	case strings.HasPrefix(addr, "203.0.113."):
		return []string{"host.example.com."}, nil
	}
	return nil, errors.New("server misbehaving")
}

func (d *crawlDNS) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	if name, ok := strings.CutPrefix(strings.TrimSuffix(host, ".googlebot.com."), "crawl-"); ok {
		return []netip.Addr{netip.MustParseAddr(strings.ReplaceAll(name, "-", "."))}, nil
	}
	return nil, &net.DNSError{IsNotFound: true}
}

// readWithDNS reads a log of example.com, verified by a DNS.
func readWithDNS(t *testing.T, dns agent.Lookups, text string) (r *Requests, of audit.Logs, left int) {
	t.Helper()
	set, err := agent.New(agent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	reader := Reader{Crawlers: set, DNS: dns != nil, Dir: t.TempDir(), HostOf: func(string) string { return "www.example.com" }}
	if r, err = reader.Read(t.Context(), writeLogs(t, "a.log", text)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	if dns != nil {
		left = r.Verify(t.Context(), dns)
	}
	site := exampleSite("User-agent: *\nDisallow: /private\n")
	if of, err = r.Judge(set, &site); err != nil {
		t.Fatal(err)
	}
	return r, of, left
}

// TestVerify: what DNS proves makes requests genuine or claimed, each address asked once.
func TestVerify(t *testing.T) {
	set, err := agent.New(agent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().UTC()
	at := now.Add(-time.Hour).Format("02/Jan/2006:15:04:05 -0700")
	old := now.AddDate(0, 0, -181).Format("02/Jan/2006:15:04:05 -0700")
	var text strings.Builder
	add := func(n int, address, at, target, who string) {
		for range n {
			text.WriteString(logged(address, at, target, 200, who))
		}
	}
	add(1, "192.0.2.1", at, "/robots.txt", googlebot)
	add(5, "192.0.2.1", at, "/private", googlebot)
	add(3, "203.0.113.1", at, "/private", googlebot)
	add(2, "203.0.113.1", old, "/a", googlebot) // DNS speaks of today
	add(2, nobody, at, "/a", googlebot)         // without an answer
	add(4, google, at, "/a", googlebot)
	add(2, "10.0.0.1", at, "/a", googlebot)
	add(6, nobody, at, "/a", gptbot) // whose operator names no hosts
	add(7, "192.0.2.77", at, "/a", person)

	dns := &crawlDNS{}
	r, of, left := readWithDNS(t, dns, text.String())
	g := crawlerOf(t, of, "Googlebot")
	if g.Genuine.Requests != 1+5+4 || g.Genuine.Disobeyed != 5 {
		t.Errorf("genuine %+v", g.Genuine)
	}
	if g.Robots.Requests != 1 || !g.Robots.Last.Equal(now.Add(-time.Hour).Truncate(time.Second)) {
		t.Errorf("robots.txt %+v", g.Robots)
	}
	if all := g.Genuine.Requests + g.Unknown.Requests + g.Claimed.Requests; all != 19 || g.Claimed.Requests < 3 {
		t.Errorf("%d requests, claimed %+v, unknown %+v", all, g.Claimed, g.Unknown)
	}
	has := func(name string) bool {
		return slices.ContainsFunc(g.Networks, func(of audit.LogCount) bool { return of.Name == name })
	}
	if !has("203.0.113.0/24") || has(otherNetworks) {
		t.Errorf("networks %v", g.Networks)
	}
	if of.DNS == nil || of.DNS.Genuine != 6 || of.DNS.Failed != 2 || left != 1 {
		t.Errorf("%+v, %d left", of.DNS, left)
	}
	if fmt.Sprint(len(dns.asked)) != "3" {
		t.Errorf("asked about %q", dns.asked)
	}
	if r.Addresses() != 0 {
		t.Error("addresses are kept")
	}
	weights := r.Weights(set, []audit.Crawler{{Name: "Googlebot"}})
	hits := make([]int64, 1)
	if weights.Hits("https://www.example.com/private", hits); hits[0] != 5 {
		t.Errorf("%d hits, want those of Googlebot alone", hits[0])
	}
	_, of, _ = readWithDNS(t, nil, text.String())
	if g := crawlerOf(t, of, "Googlebot"); of.DNS != nil || g.Genuine.Requests != 4 || g.Genuine.Disobeyed != 0 {
		t.Errorf("without DNS: %+v, %+v", of.DNS, g.Genuine)
	}
}

// TestVerifyMost: the addresses with most requests are looked up.
func TestVerifyMost(t *testing.T) {
	var text strings.Builder
	for i := range agent.MaxLookups + 100 {
		for range 1 + i/agent.MaxLookups {
			text.WriteString(logged(fmt.Sprintf("2001:db8::%x", i), "24/May/2026:06:00:00 +0000", "/a", 200, googlebot))
		}
	}
	dns := &crawlDNS{}
	if _, of, left := readWithDNS(t, dns, text.String()); left != agent.MaxLookups+100 || of.DNS.Failed != agent.MaxLookups+200 { // none has an answer
		t.Errorf("%d left, %+v", left, of.DNS)
	}
	asked := map[string]bool{}
	for _, address := range dns.asked {
		asked[address] = true
	}
	for i := range 100 {
		if address := fmt.Sprintf("2001:db8::%x", agent.MaxLookups+i); !asked[address] {
			t.Errorf("%s was not looked up", address)
		}
	}
}

// TestAddressesAreBounded: a log with very many addresses keeps few of them.
func TestAddressesAreBounded(t *testing.T) {
	set, err := agent.New(agent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	id, _ := set.NewFinder().Find([]byte(googlebot))
	r := &Requests{addresses: addresses{}}
	for i := range 3 {
		var all addresses
		for n := range maxAddresses / 2 {
			q, ok := set.Ask(id, fmt.Appendf(nil, "2001:db8::%x:%x:1", i, n))
			if !ok {
				t.Fatal("no question")
			}
			all.count(q)
		}
		r.addAddresses(all)
	}
	if r.Addresses() != maxAddresses {
		t.Errorf("%d addresses", r.Addresses())
	}
}
