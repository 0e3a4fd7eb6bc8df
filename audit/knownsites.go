package audit

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
	"strings"

	"robots-audit/audit/table"
	"robots-audit/engine/wording"
)

// Codes of entries of the user's own list of URLs that are tested with no site.
const (
	CodeNotListed = "not_listed" // URLs on a host of no site in the list
	CodeNoURL     = "no_url"     // rows without an absolute http or https URL
	CodeLongRow   = "long_row"   // rows skipped because they are too long
)

// Assign reads the list of sites and assigns each known URL to exactly one of them. The site of the
// URL's own origin comes first, then a site of its host, then one of its host with or without
// "www.", which is mostly the same site. Among equals the first wins. Without Assign, a URL belongs
// to every site of its host, with or without "www.". Call it before the audit.
func (k *Known) Assign(list iter.Seq2[Domain, error]) {
	known := map[string]bool{}
	for host := range k.allHosts {
		known[bareHost(host)] = true
	}
	k.sites = map[string][]Domain{}
	for d, err := range list {
		if bare := bareHost(d.Host); err == nil && known[bare] {
			k.sites[bare] = append(k.sites[bare], d)
		}
	}
}

// bareHost is a host without "www.".
func bareHost(host string) string { return strings.TrimPrefix(host, "www.") }

// of yields the known URLs that are tested with a site.
func (k *Known) of(d Domain) iter.Seq2[[]byte, Weight] {
	bare := bareHost(d.Host)
	return func(yield func([]byte, Weight) bool) {
		var last []byte
		mine := false
		for _, host := range []string{bare, "www." + bare} {
			for loc, weight := range k.urlsOf(host) {
				if head, _, _ := split(loc); !bytes.Equal(head, last) || last == nil {
					last, mine = head, k.belongs(head, d)
				}
				if mine && !yield(loc, weight) {
					return
				}
			}
		}
	}
}

// belongs reports whether the URLs of a scheme and authority are tested with a site.
func (k *Known) belongs(head []byte, d Domain) bool {
	if k.sites == nil {
		return true
	}
	sites := k.sites[bareHost(d.Host)]
	of, ok := domainOf(head)
	if !ok || len(sites) == 0 {
		return false
	}
	best := slices.MaxFunc(sites, func(a, b Domain) int { return cmp.Compare(nearness(of, a), nearness(of, b)) })
	return best.Name == d.Name
}

// nearness compares the origin of a URL with a site of its host, with or without "www.". The host
// counts more than the port, and the port more than the scheme.
func nearness(of, site Domain) (n int) {
	if of.Host == site.Host {
		n += 8
	}
	if of.Port == site.Port {
		n += 4
	}
	switch site.Scheme {
	case of.Scheme:
		n += 2
	case "":
		n++
	}
	return n
}

// maxUnlisted bounds the hosts that LeftOut names.
const maxUnlisted = 20

// LeftOut returns the parts of the list that are tested with no site, after Assign. These are URLs
// on hosts of no site, by host, most URLs first, all after the twentieth host together; and rows
// without a URL.
func (k *Known) LeftOut() (list []Problem) {
	for host := range k.allHosts {
		if len(k.sites[bareHost(host)]) == 0 {
			list = append(list, Problem{Stage: StageURLs, Code: CodeNotListed, Host: host, URLs: k.count(host)})
		}
	}
	slices.SortFunc(list, func(a, b Problem) int { return cmp.Or(cmp.Compare(b.URLs, a.URLs), strings.Compare(a.Host, b.Host)) })
	if len(list) > maxUnlisted {
		rest := Problem{Stage: StageURLs, Code: CodeNotListed, Host: wording.Plural(len(list)-maxUnlisted, "more host")}
		for _, p := range list[maxUnlisted:] {
			rest.URLs += p.URLs
		}
		list = append(list[:maxUnlisted:maxUnlisted], rest)
	}
	for i := range list {
		p := &list[i]
		p.Detail = fmt.Sprintf("%s: %s of the list of URLs %s not tested, because the host is not in the list of sites", p.Host, wording.Plural(p.URLs, "URL"), wording.Verb(p.URLs, "was", "were"))
	}
	list = append(list, k.Unread("the list of URLs")...)
	if k.indexed != nil {
		list = append(list, k.indexed.Unread("the list of indexed URLs")...)
	}
	return list
}

// Unread returns a problem for the rows without a URL of a list with this name, and one for those that
// are too long.
func (k *Known) Unread(name string) (list []Problem) {
	for _, part := range []struct {
		code string
		table.Skipped
	}{{CodeNoURL, k.NoURL}, {CodeLongRow, k.TooLong}} {
		if part.Rows > 0 {
			list = append(list, Problem{Stage: StageURLs, Code: part.code, URLs: part.Rows, Detail: wording.Plural(part.Rows, "row") + " of " + name + " skipped: " + part.String()})
		}
	}
	return list
}

// allHosts yields the hosts of all known URLs, each once.
func (k *Known) allHosts(yield func(string) bool) {
	for host := range k.hosts {
		if !yield(host) {
			return
		}
	}
	if k.indexed == nil {
		return
	}
	for host := range k.indexed.hosts {
		if _, told := k.hosts[host]; !told && !yield(host) {
			return
		}
	}
}

// count returns the number of known URLs of a host.
func (k *Known) count(host string) (n int64) {
	if k.indexed != nil {
		n = k.indexed.count(host)
	}
	for b := k.hosts[host]; len(b) > 0; n++ {
		size, w := binary.Uvarint(b)
		b = b[w+int(size):]
		for range 2 {
			_, w = binary.Uvarint(b)
			b = b[w:]
		}
	}
	return n
}
