package agent

import (
	"encoding/binary"
	"flag"
	"fmt"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"
)

var newer = flag.String("ranges", "", "a `folder` of newer lists: make ranges.txt of it")

// TestRangesText checks that ranges.txt is as this test makes it: sorted, with ranges joined.
func TestRangesText(t *testing.T) {
	lists := embeddedLists()
	if *newer != "" {
		if err := readFolder(*newer, lists); err != nil {
			t.Fatal(err)
		}
	}
	var text strings.Builder
	for line := range strings.Lines(rangesText) {
		if !strings.HasPrefix(line, "#") {
			break
		}
		text.WriteString(line)
	}
	for _, l := range lists {
		if l.day.IsZero() {
			continue
		}
		fmt.Fprintf(&text, "\n%s %s\n", l.name, l.day.Format(time.DateOnly))
		for _, s := range l.addrs {
			for _, p := range s.prefixes() {
				if p.IsSingleIP() {
					fmt.Fprintln(&text, p.Addr())
				} else {
					fmt.Fprintln(&text, p)
				}
			}
		}
	}
	if *newer != "" {
		if err := os.WriteFile("ranges.txt", []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if text.String() != rangesText {
		t.Error("ranges.txt is not sorted, or has ranges that can be joined: run go test ./audit/logs/agent -run TestRangesText -ranges DIR")
	}
}

// prefixes writes a range as the fewest prefixes.
func (s span) prefixes() (list []netip.Prefix) {
	for at := s.first; ; {
		var b [16]byte
		binary.BigEndian.PutUint64(b[:8], at.high)
		binary.BigEndian.PutUint64(b[8:], at.low)
		ip := netip.AddrFrom16(b).Unmap()
		for n := 0; ; n++ {
			var of addresses
			of.add(netip.PrefixFrom(ip, n))
			if of[0].first != at || of[0].last.compare(s.last) > 0 {
				continue
			}
			list = append(list, netip.PrefixFrom(ip, n))
			if of[0].last == s.last {
				return list
			}
			at = of[0].last.next()
			break
		}
	}
}
