package audit

import (
	"slices"

	"robots-audit/audit/internal/hosts"
	"robots-audit/crawl"
)

// Notes on the entries of a sitemap that are on other hosts. They replace crawl.NoteOtherHost, by
// whether the robots.txt of the other host names the sitemap, or an index that leads to it
// (sitemaps.org, "Sitemaps & Cross Submits"). crawl.NoteOtherHost stays for hosts that do not name it.
const (
	NoteCrossSubmitted = "cross_submitted"    // the host names the sitemap
	NoteHostUnknown    = "other_host_unknown" // its robots.txt was not requested, or could not be read
	NoteMissingWWW     = "missing_www"        // the host is the sitemap's with "www.", and does not name it
	NoteIncludesWWW    = "includes_www"       // likewise without "www."
)

// submission remembers which sitemaps of a site may list URLs of which hosts.
type submission struct {
	indexes map[int]*crawl.SitemapFile // sitemap indexes that were read, by Index
	named   bool                       // a sitemap has entries that may be as intended
	foreign *wrongBases                // of sitemaps with entries on other sites that do not name them
	wrong   *wrongBases                // of sitemaps whose entries are all on hosts that are not public
}

// wrongBases are the origins that sitemaps name in place of their own.
type wrongBases struct {
	sitemaps int64
	origins  []string // the first of them
}

// with returns b with those of one sitemap; it makes b if it is nil.
func (b *wrongBases) with(hosts []crawl.OtherHost) *wrongBases {
	if b == nil {
		b = new(wrongBases)
	}
	b.sitemaps++
	for _, o := range hosts {
		if !slices.Contains(b.origins, o.Origin) && len(b.origins) < maxExamples {
			b.origins = append(b.origins, o.Origin)
		}
	}
	return b
}

// hostNotes are the notes on the other hosts of one sitemap.
type hostNotes struct {
	codes []string
	hosts [][]crawl.OtherHost // for each of codes
}

func (n *hostNotes) add(code string, other crawl.OtherHost) {
	at := slices.Index(n.codes, code)
	if at < 0 {
		at = len(n.codes)
		n.codes, n.hosts = append(n.codes, code), append(n.hosts, nil)
	}
	n.hosts[at] = append(n.hosts[at], other)
}

// note is the i-th note. Its examples are one URL of each host first.
func (n *hostNotes) note(i int) crawl.Note {
	note := crawl.Note{Code: n.codes[i]}
	var examples []string
	for k := range maxExamples {
		for _, other := range n.hosts[i] {
			if k < len(other.First) && len(examples) < maxExamples {
				examples = append(examples, other.First[k])
			}
		}
	}
	for _, other := range n.hosts[i] {
		note.Count += other.URLs
	}
	if len(examples) > 0 {
		note.Detail, note.More = examples[0], slices.Clip(examples[1:])
	}
	return note
}

// maxExamples is the number of examples of a note: Detail and More.
const maxExamples = 5

// noteHosts replaces the note about other hosts of a sitemap by those that say what is known of the
// hosts.
func (s *site) noteHosts(file *crawl.SitemapFile) {
	c := &s.submitted
	if file.Format == "index" {
		if c.indexes == nil {
			c.indexes = map[int]*crawl.SitemapFile{}
		}
		c.indexes[file.Index] = file
	}
	c.named = c.named || file.Own > 0 && file.Format != "index"
	others := file.Others
	file.Others = nil
	at := slices.IndexFunc(file.Notes, func(n crawl.Note) bool { return n.Code == crawl.NoteOtherHost })
	if at < 0 {
		return
	}
	var notes hostNotes
	for _, other := range others {
		if code := s.hostNote(other.Origin, file); code != "" {
			notes.add(code, other)
		}
	}
	if file.Own == 0 && len(notes.codes) == 1 && notes.codes[0] == NoteWrongHost {
		notes.codes[0] = NoteWrongBase
		c.wrong = c.wrong.with(notes.hosts[0])
	}
	file.Notes = slices.Delete(file.Notes, at, at+1)
	for i, code := range notes.codes {
		file.Notes = append(file.Notes, notes.note(i))
		switch code {
		case NoteWrongBase, NoteWrongHost:
		case crawl.NoteOtherHost:
			c.foreign = c.foreign.with(notes.hosts[i])
			c.named = c.named || slices.ContainsFunc(notes.hosts[i], func(o crawl.OtherHost) bool { return crawl.SameSite(hostOf(o.Origin), s.domain.Host) })
		default:
			c.named = true
		}
	}
}

// hostNote returns the code of the note on entries of an origin; "" = none, as the sitemap of a test site has
// the addresses of the real one.
func (s *site) hostNote(name string, file *crawl.SitemapFile) string {
	if hosts.KindOf(s.domain.Host) != hosts.Public && hosts.KindOf(hostOf(name)) == hosts.Public {
		return ""
	}
	o, why := (*origin)(nil), LeftOrigins
	if name != "" {
		if s.isWrongHost([]byte(name), true) {
			return NoteWrongHost
		}
		o, why = s.origin([]byte(name))
	}
	if why != "" {
		return NoteHostUnknown
	}
	s.ask(o)
	host, own := hostOf(name), hostOf(file.URL)
	switch {
	case file.Format == "index" && slices.ContainsFunc(s.origins[0].sitemaps, func(l SitemapLine) bool { return hostOf(l.URL) == hostOf(name) }):
		return NoteCrossSubmitted // the site's own robots.txt names sitemaps there
	case slices.ContainsFunc(s.origins, func(other *origin) bool { return sameHost(other.name, o.name) && s.submitted.consents(other, file) }):
		return NoteCrossSubmitted
	case o.unreachable(s.origins[0]):
		return NoteWrongHost
	case o.file.Code != "" && !notFound(o.file.Status):
		return NoteHostUnknown
	case host == "www."+own:
		return NoteMissingWWW
	case own == "www."+host:
		return NoteIncludesWWW
	}
	return crawl.NoteOtherHost
}

// noteWrongBases keeps the wrong base addresses for the site's state. It reports whether no sitemap
// names a URL of this host, but some name those of another site. That site's robots.txt then is no
// matter of this one.
func (s *site) noteWrongBases() (elsewhere bool) {
	c := &s.submitted
	s.wrongBase = c.wrong
	if elsewhere = !c.named && s.done.SitemapsUnread == 0 && c.foreign != nil; elsewhere {
		s.done.WrongBases = c.foreign.origins
		s.wrongBase = c.foreign
		if c.wrong != nil {
			s.wrongBase = &wrongBases{c.wrong.sitemaps + c.foreign.sitemaps, slices.Concat(c.wrong.origins, c.foreign.origins)}
		}
	}
	for _, o := range s.origins {
		o.left = o.left || slices.Contains(s.done.WrongBases, o.name)
	}
	return elsewhere
}

// dropOutsideNote removes the note about URLs outside a sitemap's directory if the host's
// robots.txt names the sitemap, or an index that leads to it. That proves ownership.
func (s *site) dropOutsideNote(file *crawl.SitemapFile) {
	at := slices.IndexFunc(file.Notes, func(n crawl.Note) bool { return n.Code == crawl.NoteOutside })
	if at < 0 {
		return
	}
	for _, o := range s.origins {
		if hostOf(o.name) == hostOf(file.URL) && s.submitted.consents(o, file) {
			file.Notes = slices.Delete(file.Notes, at, at+1)
			return
		}
	}
}

// consents reports whether the robots.txt of an origin names a sitemap, or an
// index that leads to it.
func (c *submission) consents(o *origin, file *crawl.SitemapFile) bool {
	for ; file != nil; file = c.indexes[file.Parent] {
		if slices.ContainsFunc(o.sitemaps, func(l SitemapLine) bool { return sameURL(l.URL, file.URL) }) {
			return true
		}
	}
	return false
}

// sameURL reports whether two URLs are the same to a crawler, even if written differently.
func sameURL(a, b string) bool {
	return a == b || canonical(a) == canonical(b) && canonical(a) != ""
}

func canonical(url string) string {
	url, err := crawl.ResolveURL(url)
	if err != nil {
		return ""
	}
	head, path, reason := split([]byte(url))
	if reason != "" {
		return ""
	}
	origin := originName(head)
	if origin == "" {
		return ""
	}
	return origin + string(path)
}
