package site

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// maxSitemapURLs bounds the sitemaps whose addresses are kept; the others have only a number.
const maxSitemapURLs = 10000

// NameSitemap keeps the address of a sitemap. Callers that name it with its URLs may call this
// before the sitemap is added.
func (s *Site) NameSitemap(file *audit.Sitemap) {
	if file.Index >= 0 && file.Index < maxSitemapURLs {
		for len(s.sitemaps) <= file.Index {
			s.sitemaps = append(s.sitemaps, "")
		}
		s.sitemaps[file.Index] = file.URL
	}
}

// addSitemap keeps a sitemap, and counts its URLs that were left out.
func (s *Site) addSitemap(file *audit.Sitemap) {
	s.NameSitemap(file)
	s.troubles.addSitemap(s, file)
	switch {
	case SitemapWasRead(file):
		s.sitemapsRead++
	case file.Parent < 0 && file.Line == 0:
		s.sitemapsTried++
	}
	for reason, n := range file.LeftOut {
		if s.leftOut == nil {
			s.leftOut = map[string]int64{}
		}
		s.leftOut[reason] += n
	}
}

// SitemapName returns the address of a sitemap that has been added, otherwise its number on the
// sheet of sitemaps.
func (s *Site) SitemapName(index int) string {
	if index < len(s.sitemaps) && s.sitemaps[index] != "" {
		return s.sitemaps[index]
	}
	return SitemapNumber(index)
}

// SitemapNumber names a sitemap by its number on the sheet of sitemaps.
func SitemapNumber(index int) string { return "sitemap no. " + strconv.Itoa(index+1) }

// LeftOut is the number of URLs that were not tested for one reason.
type LeftOut struct {
	Sitemap string // the sitemap; "" = not from a single sitemap
	Reason  string
	URLs    int64
}

// LeftOutOf returns the URLs of one sitemap that were not tested, by reason.
func LeftOutOf(file *audit.Sitemap) (list []LeftOut) {
	for _, reason := range slices.Sorted(maps.Keys(file.LeftOut)) {
		list = append(list, LeftOut{file.URL, reason, file.LeftOut[reason]})
	}
	return list
}

// LeftOutElsewhere returns the URLs left out that belong to no sitemap.
func (s *Site) LeftOutElsewhere(d *audit.Done) (list []LeftOut) {
	for _, reason := range slices.Sorted(maps.Keys(d.LeftOut)) {
		if n := d.LeftOut[reason] - s.leftOut[reason]; n > 0 {
			list = append(list, LeftOut{"", reason, n})
		}
	}
	return list
}

// NamedBy says where a sitemap is declared: in another, in robots.txt, or nowhere.
func NamedBy(s *audit.Sitemap) string {
	switch {
	case s.Parent >= 0:
		return SitemapNumber(s.Parent)
	case s.Line > 0:
		return "robots.txt line " + strconv.Itoa(s.Line)
	}
	return "the usual address"
}

// FormatProblem writes a problem in words, with its detail; "" = none.
func FormatProblem(code, detail string) string {
	switch {
	case code == "":
		return ""
	case detail == "":
		return Meaning(code)
	case code == audit.CodeHTTPStatus && strings.HasPrefix(detail, "HTTP "):
		return "HTTP error" + detail[len("HTTP"):] // "HTTP error 404 Not Found"
	}
	return Meaning(code) + ": " + detail
}

// SitemapNotes returns the notes on a sitemap, and why fewer URLs were tested than it has entries.
func SitemapNotes(s *audit.Sitemap) string {
	notes := FormatNotes(s.Notes)
	if s.Repeated == 0 {
		return notes
	}
	repeated := wording.Thousands(s.Repeated) + wording.Verb(s.Repeated, " entry repeats a URL", " entries repeat URLs") + " listed before"
	if notes != "" {
		repeated += "; " + notes
	}
	return repeated
}

// KnownSelf returns a sitemap, without the verdicts on itself if robots.txt got no response.
func (s *Site) KnownSelf(file *audit.Sitemap) *audit.Sitemap {
	if Answered(s.Robots(max(0, s.OriginOf(file.URL)))) {
		return file
	}
	known := *file
	known.Self = nil
	return &known
}

// SelfBlocked lists the crawlers for which the sitemap itself is blocked.
func SelfBlocked(s *audit.Sitemap, crawlers []audit.Crawler) string {
	var names []string
	for i, v := range s.Self {
		if v != engine.Disallow || i >= len(crawlers) {
			continue
		}
		name := crawlers[i].Label
		if i < len(s.SelfLines) && s.SelfLines[i] > 0 {
			name += " (line " + strconv.Itoa(int(s.SelfLines[i])) + ")"
		}
		names = append(names, name)
	}
	if names != nil && s.BlockedTarget != "" {
		return strings.Join(names, ", ") + ", at " + s.BlockedTarget
	}
	return strings.Join(names, ", ")
}

// XMLError says where a strict parser stops reading a sitemap; "" = it does not.
func XMLError(list []audit.Note) string {
	for _, n := range list {
		if n.Line > 0 {
			return position(n) + ": " + n.Detail
		}
	}
	return ""
}

// position is the position of a note in a sitemap.
func position(n audit.Note) string {
	return "line " + wording.Thousands(n.Line) + ", byte " + wording.Thousands(n.Byte)
}

// DescribeNotes explains the codes of notes.
func DescribeNotes(list []audit.Note) string {
	var words []string
	for _, n := range list {
		words = append(words, noteMeaning(n))
	}
	return strings.Join(words, "; ")
}

// noteMeaning explains the code of a note. For audit.LeftScheme, the scheme of its example differs
// from that of the sitemap.
func noteMeaning(n audit.Note) string {
	switch {
	case n.Code != audit.LeftScheme: // as a reason the code means something else
		return Meaning(n.Code)
	case strings.HasPrefix(n.Detail, "https:"):
		return "https URLs in an http sitemap"
	case strings.HasPrefix(n.Detail, "http:"):
		return "http URLs in an https sitemap"
	}
	return "https URLs in an http sitemap, or the reverse"
}

// countable matches the beginning of a meaning that can follow a number.
var countable = regexp.MustCompile(`^(https? )?URLs `)

// FormatNotes lists notes in words, with their counts and positions.
func FormatNotes(list []audit.Note) string { return formatNotes(list, noteMeaning) }

// NoteCodes lists notes by their codes, with their counts and positions.
func NoteCodes(list []audit.Note) string {
	return formatNotes(list, func(n audit.Note) string { return n.Code })
}

func formatNotes(list []audit.Note, name func(audit.Note) string) string {
	var b strings.Builder
	for i, n := range list {
		if i > 0 {
			b.WriteString("; ")
		}
		words := name(n)
		if n.Count > 1 && countable.MatchString(words) {
			words = wording.Thousands(n.Count) + " " + words
		} else if n.Count > 1 {
			words += " (" + wording.Thousands(n.Count) + " times)"
		}
		b.WriteString(words)
		if n.Line > 0 {
			b.WriteString(" (" + position(n) + ")")
		}
		if n.Detail != "" {
			b.WriteString(": " + n.Detail)
		}
	}
	return b.String()
}
