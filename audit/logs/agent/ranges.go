package agent

import (
	_ "embed"
	"fmt"
	"net/netip"
	"strings"
	"time"
	"unsafe"
)

// list is a list of addresses that an operator publishes for its crawlers.
type list struct {
	name     string
	address  string    // of the published list; "" = the operator publishes none
	parts    []string  // base names of its published files
	also     []string  // other base names for the whole list
	crawlers []string  // names in small letters; one that ends with "*" is the beginning of names
	hosts    string    // ends of host names, separated by commas
	day      time.Time // zero = no prefix is known
	addrs    addresses
}

//go:embed lists.tsv
var listsTSV string

//go:embed ranges.txt
var rangesText string

// Believed is how long a list, or DNS, says something about addresses that are not the crawler's.
const Believed = 180 * 24 * time.Hour

// Identify says whether the address proves that a request of this time is from the crawler with
// this id. An address that is not in the published ranges proves nothing if the list is of another
// time, or if it belongs to another crawler of the same operator.
func (s *Set) Identify(id int, addr []byte, at time.Time) Identity {
	if id < 0 || id >= s.listed || s.lists[id] == nil {
		return Unknown
	}
	ip, ok := parseAddr(addr)
	if !ok {
		return Unknown
	}
	l := s.lists[id]
	if l.addrs.has(ip) {
		return Genuine
	}
	if l.address == "" || l.day.IsZero() || at.Sub(l.day).Abs() > Believed {
		return Unknown
	}
	if s.related[id].has(ip) {
		return Unknown
	}
	return Claimed
}

// parseAddr reads an address without a copy of its text.
func parseAddr(s []byte) (netip.Addr, bool) {
	a, err := netip.ParseAddr(unsafe.String(unsafe.SliceData(s), len(s)))
	return a.WithZone("").Unmap(), err == nil
}

// covers reports whether the list is of the crawler with this name.
func (l *list) covers(crawler string) bool {
	crawler = strings.ToLower(crawler)
	for _, name := range l.crawlers {
		if begin, ok := strings.CutSuffix(name, "*"); name == crawler || ok && strings.HasPrefix(crawler, begin) {
			return true
		}
	}
	return false
}

// embeddedLists reads lists.tsv and ranges.txt, which must be valid.
func embeddedLists() []*list {
	var lists []*list
	byName := map[string]*list{}
	for line := range strings.Lines(listsTSV) {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "name\t") {
			continue
		}
		f := strings.Split(line, "\t")
		l := &list{name: f[0], also: append(strings.Fields(f[2]), f[0]), crawlers: strings.Split(strings.ToLower(f[3]), ","),
			hosts: f[4]}
		for _, address := range strings.Fields(f[1]) {
			if l.address == "" {
				l.address = address
			}
			l.parts = append(l.parts, baseName(address))
		}
		lists = append(lists, l)
		byName[l.name] = l
	}
	var l *list
	for line := range strings.Lines(rangesText) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		var err error
		if name, day, ok := strings.Cut(line, " "); ok {
			l = byName[name]
			l.day, err = time.Parse(time.DateOnly, day)
		} else {
			err = l.insert(line)
		}
		if err != nil {
			panic("agent: ranges.txt: " + err.Error())
		}
	}
	for _, l := range lists {
		l.addrs.join()
	}
	return lists
}

// insert adds a prefix, or an address as a prefix of its own. Call l.addrs.join after the last one.
func (l *list) insert(s string) error {
	p, err := netip.ParsePrefix(s)
	if !strings.Contains(s, "/") {
		var a netip.Addr
		a, err = netip.ParseAddr(s)
		a = a.WithZone("").Unmap()
		p = netip.PrefixFrom(a, a.BitLen())
	}
	switch {
	case err != nil || p.Addr().Is6() && numberOf(p.Masked().Addr()).high == 0: // those of IPv4 are there, too
		return fmt.Errorf("%.100q is not an address or a range of addresses", s)
	case p.Addr().Is4() && p.Bits() < 8, p.Addr().Is6() && p.Bits() < 16:
		return fmt.Errorf("range %s is too large: expected at least /8 for IPv4 and /16 for IPv6", s)
	}
	l.addrs.add(p)
	return nil
}

// baseName is the name of the file that an address or a path ends with, without extension.
func baseName(address string) string {
	address = strings.TrimSuffix(address, "/")
	name, _, _ := strings.Cut(strings.ToLower(address[strings.LastIndexByte(address, '/')+1:]), ".")
	return name
}
