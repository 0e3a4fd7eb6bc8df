package logs

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/audit/logs/line"
)

// TestNetworks: impostors are counted by whole networks, and no address is kept.
func TestNetworks(t *testing.T) {
	for addr, want := range map[string]string{
		"198.51.100.77": "198.51.100.0/24", "::ffff:198.51.100.77": "198.51.100.0/24", "255.255.255.255": "255.255.255.0/24",
		"2001:db8:1:2::77": "2001:db8::/32", "ffff:ffff:ffff:ffff::1": "ffff:ffff::/32", "": otherNetworks, "-": otherNetworks, "0.0.0.1": "0.0.0.0/24",
	} {
		parsed, _ := netip.ParseAddr(addr)
		if got := networkName(networkOf(parsed)); got != want {
			t.Errorf("%q: %q, want %q", addr, got, want)
		}
	}
	var log strings.Builder
	for i, addr := range []string{"198.51.100.7", "198.51.100.8", "203.0.113.9", google} {
		log.WriteString(logged(addr, "24/May/2026:06:00:00 +0000", fmt.Sprint("/", i), 200, googlebot))
	}
	for i := range maxNetworks + 5 {
		log.WriteString(logged(fmt.Sprintf("10.%d.%d.1", i/256, i%256), "24/May/2026:06:00:00 +0000", "/x", 200, googlebot))
	}
	_, of := readLogs(t, line.Options{}, exampleSite("", example("/a")), writeLogs(t, "access.log", log.String())...)
	g := crawlerOf(t, of, "Googlebot")
	if len(g.Networks) != mostNetworks || g.Networks[0] != (audit.LogCount{Name: otherNetworks, Requests: 7}) || g.Networks[1] != (audit.LogCount{Name: "198.51.100.0/24", Requests: 2}) || len(of.Limits) != 1 {
		t.Errorf("%v, limits %v", g.Networks, of.Limits)
	}
}
