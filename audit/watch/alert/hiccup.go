package alert

import (
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
)

// basis is the evidence for a condition apart from the site's own robots.txt. It is in doubt if another
// origin's answer was a temporary error.
type basis int

const (
	onOwnFile  basis = iota // nothing: it is never in doubt
	onAskers                // the site's own robots.txt for other askers
	onFiles                 // robots.txt of each origin separately
	onPages                 // pages of each origin
	onOwnPages              // pages of the site's own origin
	onShares                // all pages together
	onSitemaps
	onLogs  // the access logs of the run
	onAsked // answers to requests in the names of crawlers
)

// isHiccup reports whether an origin, or an asker, had an answer that was not confirmed.
func (in *Input) isHiccup(name string) bool { return slices.Contains(in.Hiccups, name) }

// hiccups returns the origins of a comparison whose answers were not confirmed, including origins
// with the same file, which is requested once.
func (in *Input) hiccups(c *compare.Site) (list []*compare.Origin) {
	if len(in.Hiccups) == 0 || c == nil {
		return nil
	}
	names := slices.Clone(in.Hiccups)
	for _, s := range []*compare.Site{in.Compared, c} {
		for i := range s.Origins {
			if o := &s.Origins[i]; o.SameAs != "" && in.isHiccup(o.SameAs) {
				names = append(names, o.Name)
			}
		}
	}
	for i := range c.Origins {
		if o := &c.Origins[i]; slices.Contains(names, o.Name) {
			list = append(list, o)
		}
	}
	return list
}

// doubtsChange reports whether a change may depend on a hiccup.
func (in *Input) doubtsChange(c *compare.Site, ch *compare.Change) bool {
	if len(in.Hiccups) == 0 {
		return false
	}
	origins := in.hiccups(c)
	switch conditionOf(ch.Condition).rests {
	case onAskers, onAsked:
		return slices.ContainsFunc(ch.Subjects, in.isHiccup)
	case onFiles: // a file that could not be read has no findings
		return concern([]string{ch.What}, origins) || concern(ch.Subjects, origins)
	case onPages:
		return concern(ch.Subjects, origins)
	case onOwnPages:
		return ch.What != compare.Preferences && in.lacks(origins, sitemaps)
	case onShares:
		return in.lacks(origins, pages, sitemaps)
	case onSitemaps:
		if ch.Kind == compare.KindSitemapURLs { // of all sitemaps together
			return in.lacks(origins, sitemaps)
		}
		return concern(ch.Subjects, origins)
	}
	return false
}

// doubtsEnd reports whether an alert may depend on a hiccup, so that its end is not certain.
func (in *Input) doubtsEnd(open *Open) bool {
	if in.unlogged(open) || in.untold(open) != nil {
		return true
	}
	if len(in.Hiccups) == 0 {
		return false
	}
	origins := in.hiccups(open.Compared)
	switch conditionOf(open.Condition).rests {
	case onAskers:
		return slices.ContainsFunc(in.Hiccups, func(name string) bool { return isURL(name) && !in.isOrigin(name) })
	case onFiles:
		return concern(open.Subjects, origins) || in.movedSince(open, origins) || slices.ContainsFunc(open.Subjects, compare.NeedsURLs) && in.lacks(origins, pages, sitemaps)
	case onPages:
		return concern(open.Subjects, origins) || in.movedSince(open, origins) || in.lacks(origins, pages, sitemaps)
	case onOwnPages:
		return in.lacks(origins, sitemaps)
	case onShares:
		return in.lacks(origins, pages, sitemaps)
	case onSitemaps:
		return concern(open.Subjects, origins) || in.movedSince(open, origins) || in.lacks(origins, sitemaps)
	}
	return false
}

// unlogged reports whether the access logs of the run do not show if an alert about crawlers ended:
// a crawler is not in them, or not with an answer of robots.txt that would end it.
func (in *Input) unlogged(open *Open) bool {
	return FromLogs(open.Condition) && slices.ContainsFunc(open.Subjects, func(crawler string) bool {
		c := in.Compared.New.Logged(crawler)
		switch {
		case crawler == compare.MoreSubjects:
			return false
		case c == nil, open.Condition != refused && in.Compared.New.Logs.Lacks(audit.LogLimitReads):
			return true
		case open.Condition == unread:
			return c.Robots.Read.IsZero()
		}
		last := c.Robots.LastStatus
		return open.Condition == refused && (last == 0 || last == 429 || last >= 500)
	})
}

// untold are the subjects of an alert about crawlers' names of which the run does not show if they are over:
// an answer was unclear, or not confirmed.
func (in *Input) untold(open *Open) (subjects []string) {
	if open.Condition != treated {
		return nil
	}
	for _, s := range open.Subjects {
		name := crawlerOf(s)
		hiccup := slices.ContainsFunc(in.Hiccups, func(h string) bool { return crawlerOf(h) == name })
		if slices.Contains(in.Compared.New.AskAs, name) && (hiccup || !open.Compared.TreatmentOver(name)) {
			subjects = append(subjects, s)
		}
	}
	return subjects
}

// others are subjects of AL18 about other crawlers than those that were found.
func (f *found) others(subjects []string) []string {
	return slices.DeleteFunc(subjects, func(s string) bool { return len(about(f.subjects, s)) > 0 })
}

// wayBack are the subjects of AL18 about crawlers of an alert that ends: their names are treated as in its base
// again.
func (f *found) wayBack(open *Open) (subjects []string) {
	if f == nil || f.code != treated {
		return nil
	}
	for _, s := range open.Subjects {
		subjects = append(subjects, about(f.subjects, s)...)
	}
	return subjects
}

// about are the subjects of AL18 about the crawler of another one.
func about(subjects []string, subject string) []string {
	return slices.DeleteFunc(slices.Clone(subjects), func(s string) bool { return crawlerOf(s) != crawlerOf(subject) })
}

// Unasked reports whether an alert is about the names of crawlers, and a run that was to ask in some names
// was to ask in none of these. Such a run ends it without a report.
func Unasked(a *history.Alert, crawlers []string) bool {
	return a.Condition == treated && !slices.ContainsFunc(a.Subjects, func(s string) bool { return slices.Contains(crawlers, crawlerOf(s)) })
}

// crawlerOf is the name in a subject of AL18: "GPTBot: refused".
func crawlerOf(subject string) string {
	name, _, _ := strings.Cut(subject, ": ")
	return name
}

// lapsed reports whether requests for blocked URLs are long over, and only old ones are in the logs.
func (in *Input) lapsed(f *found) bool {
	old, logs := in.Compared.Old, in.Compared.New.Logs
	return f.code == disobeys && old != nil && !slices.ContainsFunc(f.changes, func(c compare.Change) bool {
		last := c.Times[1]
		return last.IsZero() || logs.To.Sub(last) <= compare.Quiet || last.After(old.Started)
	})
}

// isOrigin reports whether a hiccup is of an origin, not of an asker.
func (in *Input) isOrigin(name string) bool {
	return slices.ContainsFunc(in.Compared.Origins, func(o compare.Origin) bool { return o.Name == name })
}

// movedSince reports whether one of some origins had a different answer in the site's last settled
// run than in the base of an alert. Then the alert may be about it.
func (in *Input) movedSince(open *Open, origins []*compare.Origin) bool {
	for _, o := range origins {
		i := slices.IndexFunc(in.Compared.Origins, func(c compare.Origin) bool { return c.Name == o.Name })
		if i < 0 || !sameAnswer(o.Old, in.Compared.Origins[i].Old) {
			return true
		}
	}
	return false
}

func sameAnswer(a, b *compare.Answer) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Status == b.Status && a.Code == b.Code && a.FinalURL == b.FinalURL && a.SHA256 == b.SHA256
}

// Counts that may be wrong if an origin's answer is a hiccup.
func pages(o *compare.Origin) int64    { return o.Pages }
func sitemaps(o *compare.Origin) int64 { return int64(o.Sitemaps) }

// lacks reports whether one of these counts is not 0 for one of the origins.
func (in *Input) lacks(origins []*compare.Origin, of ...func(*compare.Origin) int64) bool {
	for _, o := range origins {
		for _, count := range of {
			if count(o) > 0 {
				return true
			}
		}
	}
	return false
}

// concern reports whether one of some subjects is, or may be, on one of the origins. Long lists of
// subjects are shortened, so it may be unknown.
func concern(subjects []string, origins []*compare.Origin) bool {
	for _, s := range subjects {
		if i := strings.Index(s, " http"); i >= 0 { // "sitemap_line https://…"
			s = s[i+1:]
		}
		if s == compare.MoreSubjects && len(origins) > 0 || slices.ContainsFunc(origins, func(o *compare.Origin) bool { return isOn(s, o.Name) }) {
			return true
		}
	}
	return false
}

// isOn reports whether a URL is on an origin.
func isOn(url, origin string) bool {
	rest, ok := strings.CutPrefix(url, origin)
	return ok && (rest == "" || strings.ContainsRune("/?#", rune(rest[0])))
}
