package compare

import (
	"fmt"
	"slices"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// maxUnclear bounds the runs with unclear treatments that are opened to find earlier ones.
const maxUnclear = 10

// Treated is the new treatment of a crawler's name: a subject of AL18.
type Treated struct {
	Crawler   string
	URL       string // one with this treatment, which is new
	Treatment audit.Treatment
}

// Subject names it: "GPTBot: refused".
func (t *Treated) Subject() string { return t.Crawler + ": " + t.Treatment.Words() }

// askedPart is a part of a site that is compared: a kind of URLs, of pages those of a template.
type askedPart struct {
	kind     audit.AskedKind
	template string
}

func partOf(u *audit.AskedURL) askedPart { return askedPart{u.Kind, u.Template} }

// repliesTo returns the answers to requests in the name of a crawler; nil = there are none.
func repliesTo(a *audit.Asked, crawler string) *audit.AskedCrawler {
	if a == nil {
		return nil
	}
	i := slices.IndexFunc(a.Crawlers, func(c audit.AskedCrawler) bool { return c.Name == crawler && len(c.Replies) == len(a.URLs) })
	if i < 0 {
		return nil
	}
	return &a.Crawlers[i]
}

// treatments are those of a crawler by the part of the site, without unclear ones: of several in a part
// the first of audit.Treatments. Only some URLs count; nil = all.
func treatments(a *audit.Asked, crawler string, counts func(url string) bool) map[askedPart]audit.Treatment {
	list := map[askedPart]audit.Treatment{}
	c := repliesTo(a, crawler)
	if c == nil {
		return list
	}
	for i := range c.Replies {
		u, t := &a.URLs[i], c.Replies[i].Treatment
		if isDefinite(t) && (counts == nil || counts(u.URL)) {
			list[partOf(u)] = worse(list[partOf(u)], t)
		}
	}
	return list
}

func isDefinite(t audit.Treatment) bool { return t != audit.Unclear && t.Words() != "" }

// worse returns the treatment that comes first in audit.Treatments; "" = none yet.
func worse(a, b audit.Treatment) audit.Treatment {
	if a != "" && slices.Index(audit.Treatments, a) < slices.Index(audit.Treatments, b) {
		return a
	}
	return b
}

// addAsked reports crawlers whose names the server treats otherwise than before: one change for those that
// are treated alike. A crawler that the older run was not to ask for should be let in where robots.txt
// allows it.
func (c *comparison) addAsked() {
	if c.new.Asked == nil {
		return
	}
	type key struct {
		severity      Severity
		before, after string
	}
	crawlers := map[key][]string{}
	var order []Change
	for i := range c.new.Asked.Crawlers {
		crawler := &c.new.Asked.Crawlers[i]
		ch := c.treatmentChange(crawler)
		if ch == nil {
			continue
		}
		k := key{ch.Severity, ch.Before, ch.After}
		if crawlers[k] == nil {
			order = append(order, *ch)
		} else {
			at := slices.IndexFunc(order, func(o Change) bool { return key{o.Severity, o.Before, o.After} == k })
			order[at].Treated = append(order[at].Treated, ch.Treated...)
		}
		crawlers[k] = append(crawlers[k], crawler.Name)
	}
	for _, ch := range order {
		ch.What = "asked as " + names(crawlers[key{ch.Severity, ch.Before, ch.After}]) + " from here"
		for i := range ch.Treated {
			ch.Subjects = append(ch.Subjects, ch.Treated[i].Subject())
		}
		c.add(ch)
	}
}

// treatmentChange compares the treatment of a crawler with that before; nil = it is the same, or unclear.
func (c *comparison) treatmentChange(crawler *audit.AskedCrawler) *Change {
	now, was := treatments(c.new.Asked, crawler.Name, nil), map[askedPart]audit.Treatment{}
	known := slices.Contains(c.old.AskAs, crawler.Name)
	if known {
		was = c.lastTreatments(crawler.Name, now)
	} else {
		now = treatments(c.new.Asked, crawler.Name, c.allowedFor(crawler.Name))
		for part := range now {
			was[part] = audit.LetIn
		}
	}
	changed := map[askedPart]bool{}
	var before, after audit.Treatment
	for _, toLetIn := range []bool{false, true} { // becoming let in is news only if nothing else is
		for part, is := range now {
			if old := was[part]; old != "" && old != is && toLetIn == (is == audit.LetIn) {
				changed[part], before, after = true, worse(before, old), worse(after, is)
			}
		}
		if after != "" {
			break
		}
	}
	if after == "" {
		return nil
	}
	ch := &Change{Kind: KindTreatment, Before: before.Words(), Short: after.Words(), Severity: Info, Condition: ended}
	var url string
	ch.After, url = treatmentText(c.new.Asked, crawler, changed, after)
	if old := repliesTo(c.old.Asked, crawler.Name); old != nil && old.UserAgent != crawler.UserAgent {
		ch.After += ", with another User-Agent than before"
	}
	if !known {
		ch.Before = ""
	}
	if after != audit.LetIn {
		ch.Treated = []Treated{{crawler.Name, url, after}}
		ch.Condition, ch.Severity = "AL18", Medium
		for part := range changed {
			if audit.Searches(crawler.Purpose) && part.kind != audit.AskedStyleSheet && part.kind != audit.AskedScript {
				ch.Severity = High
			}
		}
	}
	return ch
}

// treatmentText says how a crawler's name is treated in some parts of the site, and for how many of the URLs
// that are clear: "refused: HTTP 403 for 8 of 8 URLs". url is one of them.
func treatmentText(a *audit.Asked, crawler *audit.AskedCrawler, parts map[askedPart]bool, t audit.Treatment) (text, url string) {
	n, of := 0, 0
	var how, kinds []string
	addTo := func(list *[]string, s string) {
		if s != "" && !slices.Contains(*list, s) {
			*list = append(*list, s)
		}
	}
	for i := range crawler.Replies {
		u, r := &a.URLs[i], &crawler.Replies[i]
		if isDefinite(r.Treatment) {
			of++
		}
		if r.Treatment != t || !parts[partOf(u)] {
			continue
		}
		if n++; url == "" {
			url = u.URL
		}
		addTo(&how, replyWords(r))
		addTo(&kinds, string(u.Kind))
	}
	text = t.Words()
	if how != nil {
		text += ": " + names(how)
	}
	text += " for " + wording.Thousands(n) + " of " + wording.Plural(of, "URL")
	if n < of {
		text += " (" + names(kinds) + ")"
	}
	return text, url
}

// replyWords say what the answer to a crawler's name is; "" = the same as for us.
func replyWords(r *audit.Reply) string {
	switch {
	case r.Treatment == audit.LetIn:
		return ""
	case r.Treatment == audit.Otherwise:
		return r.Why.Words()
	case r.Status > 0:
		return fmt.Sprintf("HTTP %d", r.Status)
	}
	return "no answer"
}

// lastTreatments are the treatments of a crawler in the older run, and of parts that are unclear there in
// the last one before it. So an unclear day hides no change.
func (c *comparison) lastTreatments(crawler string, now map[askedPart]audit.Treatment) map[askedPart]audit.Treatment {
	was := treatments(c.old.Asked, crawler, nil)
	missing := map[askedPart]bool{}
	for part := range now {
		if was[part] == "" && mayHave(c.old.Asked, part) {
			missing[part] = true
		}
	}
	if len(missing) == 0 {
		return was
	}
	list := c.earlier(false)
	for _, run := range list[:min(len(list), maxUnclear)] {
		asked, crawlers := run.Asked()
		if !slices.Contains(crawlers, crawler) {
			break
		}
		for part, t := range treatments(asked, crawler, nil) {
			if missing[part] {
				was[part] = t
				delete(missing, part)
			}
		}
		if len(missing) == 0 {
			break
		}
	}
	return was
}

// mayHave reports whether a part of the site was there in a run, though its treatment is unclear.
func mayHave(a *audit.Asked, part askedPart) bool {
	return a == nil || slices.Contains(a.Limits, audit.AskedLimitTime) || slices.ContainsFunc(a.URLs, func(u audit.AskedURL) bool { return partOf(&u) == part })
}

// allowedFor returns a function that reports whether robots.txt of the newer run allows a URL for a crawler.
// It is false where that is unknown.
func (c *comparison) allowedFor(crawler string) func(url string) bool {
	list := slices.DeleteFunc(slices.Clone(c.new.site.Crawlers), func(of audit.Crawler) bool { return of.Name != crawler })
	if len(list) == 0 {
		list, _ = audit.ParseCrawlers(crawler)
	}
	if len(list) == 0 {
		return func(string) bool { return false }
	}
	robot, profile, ok := list[0].Robot()
	return func(url string) bool {
		g := c.new.originNamed(originOf(url))
		if !ok || g == nil || g.recorded {
			return false
		}
		r := c.new.answers.Reader(g.record.Index, profile, robot)
		return r.Verdict(url).Verdict == engine.Allow
	}
}

// TreatmentOver reports whether the newer run shows that a crawler's name is treated as it should be: let in,
// or as in the older run. Where an answer is unclear, this is not known.
func (s *Site) TreatmentOver(crawler string) bool {
	c := repliesTo(s.New.Asked, crawler)
	if c == nil {
		return false
	}
	late := slices.Contains(s.New.Asked.Limits, audit.AskedLimitTime)
	blocks := slices.Contains(s.New.Asked.Limits, audit.AskedLimitOwn) && !late
	known := s.Old != nil && slices.Contains(s.Old.AskAs, crawler)
	is, was := treatments(s.New.Asked, crawler, nil), map[askedPart]audit.Treatment{}
	if known {
		was = treatments(s.Old.Asked, crawler, nil)
	}
	for i := range c.Replies {
		part := partOf(&s.New.Asked.URLs[i])
		t := is[part]
		blocked := c.Replies[i].Why == audit.WhyNotAsked && blocks && was[part] == "" // for this program
		if t == "" && !blocked || known && t != "" && t != audit.LetIn && t != was[part] {
			return false
		}
	}
	for part := range was {
		if late && is[part] == "" {
			return false
		}
	}
	return len(is) > 0
}
