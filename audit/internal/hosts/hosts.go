// Package hosts knows hosts that are not the public address of a site. Sitemap generators write them
// unless someone sets the address of the site.
package hosts

import (
	_ "embed"
	"net/netip"
	"strings"
)

// Kind says why a host is not the public address of a site.
type Kind string

// Kinds of hosts, as in hosts.tsv.
const (
	Public   Kind = ""
	Local    Kind = "local"    // the machine itself
	Private  Kind = "private"  // only in a local network
	Reserved Kind = "reserved" // for tests and documents
	Deployed Kind = "deployed" // a version of a site at its provider, or a tunnel to the machine of a developer
	Test     Kind = "test"     // a test host, by its name
	Maybe    Kind = "maybe"    // a name for test hosts that others have, too
)

//go:embed hosts.tsv
var table string

// suffixes are the kinds by the ends of names, and words by a word in a label.
var suffixes, words = read(table)

// read reads the table, which a test checks.
func read(table string) (suffixes, words map[string]Kind) {
	suffixes, words = map[string]Kind{}, map[string]Kind{}
	for row := range strings.Lines(table) {
		name, kind, _ := strings.Cut(row, "\t")
		kind, _, _ = strings.Cut(kind, "\t")
		if word, ok := strings.CutSuffix(name, "-"); ok {
			words[word] = Kind(kind)
		} else if name[0] != '#' {
			suffixes[name] = Kind(kind)
		}
	}
	return suffixes, words
}

// Unreachable reports whether the public cannot reach hosts of a kind.
func (k Kind) Unreachable() bool { return k == Local || k == Private || k == Reserved }

// KindOf returns the kind of a host in lower case, without a port.
func KindOf(host string) Kind {
	if address, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		switch address = address.Unmap(); {
		case address.IsLoopback(), address.IsUnspecified():
			return Local
		case address.IsPrivate(), address.IsLinkLocalUnicast():
			return Private
		}
		return Public
	}
	for end := host; end != ""; _, end, _ = strings.Cut(end, ".") {
		if kind := suffixes[end]; kind != Public {
			return kind
		}
	}
	labels := strings.Split(host, ".")
	if len(labels) == 1 {
		return Private
	}
	for _, label := range labels[:len(labels)-2] {
		for word := range strings.SplitSeq(label, "-") {
			if kind := words[word]; kind == Test || kind == Maybe && word == label {
				return kind
			}
		}
	}
	return Public
}
