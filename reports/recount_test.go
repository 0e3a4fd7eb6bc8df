package reports

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/site"
)

// recounter counts again, from a site's records alone, the URLs that its findings affect. It judges
// every URL again, one crawler after the other, and keeps all of them: it uses no code of the
// audit's counts.
type recounter struct {
	domain   string
	crawlers []audit.Crawler
	readers  []recountReader // readers of the current origin
	robots   map[int]*audit.Robots
	urls     map[int][]recountURL // by origin
	findings []*audit.Findings
	answers  audit.Answers
	blocking map[string]map[string]bool // by origin and line: pages that it blocks
	blocked  map[string]bool            // pages
	site     *site.Site
	toDo     *site.ToDo
}

type recountReader struct {
	audit.Crawler
	robots  *engine.Robots
	profile *engine.Profile
	group   *engine.Group
	star    *engine.Group
}

// findsPages reports whether the crawler helps people find pages: it has no AI purpose, fetches for
// no user, and is no control token.
func (r *recountReader) findsPages() bool {
	return !strings.HasPrefix(r.Purpose, "AI ") && r.Purpose != "control token" && r.Purpose != "user fetch"
}

type recountURL struct {
	loc    string
	kind   crawl.Kind
	listed bool
}

func (r *recounter) add(rec audit.Record) {
	switch {
	case rec.Site != nil:
		*r = recounter{domain: rec.Domain, crawlers: rec.Site.Crawlers, robots: map[int]*audit.Robots{}, urls: map[int][]recountURL{},
			blocking: map[string]map[string]bool{}, blocked: map[string]bool{}}
		r.site = site.New(rec.Site, func(origin int) []byte { return r.robots[origin].File.Body })
	case rec.Robots != nil:
		r.robots[rec.Robots.Index] = rec.Robots
		r.answers.Add(rec.Robots.Index, rec.Robots.Origin, &rec.Robots.File)
	case rec.URLs != nil:
		for _, u := range rec.URLs.List {
			u.Origin = r.fileOf(u.Origin)
			r.urls[u.Origin] = append(r.urls[u.Origin], recountURL{strings.Clone(u.Loc), u.Kind, u.Sitemap >= 0})
			r.addBlocked(&u)
		}
	case rec.Findings != nil:
		r.findings = append(r.findings, rec.Findings)
	case rec.Done != nil:
		r.toDo = r.site.ToDo(rec.Done)
	}
	r.site.AddRecord(rec)
}

// fileOf is the first origin that has served the same file as an origin, if the records say so.
func (r *recounter) fileOf(origin int) int {
	own := r.robots[origin]
	for index, first := range r.robots {
		if own.SameAs != "" && first.Origin == own.SameAs && bytes.Equal(first.File.Body, own.File.Body) {
			return index
		}
	}
	return origin
}

// addBlocked notes a blocked page, and the lines that block it.
func (r *recounter) addBlocked(u *audit.URL) {
	page := fmt.Sprint(u.Origin, " ", u.Loc)
	for i, v := range u.Verdicts {
		if v != engine.Disallow || !site.IsPage(u.Kind) {
			continue
		}
		r.blocked[page] = true
		line := fmt.Sprint(u.Origin, ":", u.Lines[i])
		if r.blocking[line] == nil {
			r.blocking[line] = map[string]bool{}
		}
		r.blocking[line][page] = true
	}
}

// checkCauses compares the causes with the pages that their lines block: every such line is in one,
// with its pages, its crawlers and the templates of these pages.
func (r *recounter) checkCauses() (wrong []string) {
	lines := map[string]bool{}
	for _, c := range r.toDo.List {
		if c.Kind != site.CauseLine || c.URLs.Num == 0 {
			continue
		}
		origin := 0
		for index, robots := range r.robots {
			if robots.Origin == c.Origin {
				origin = index
			}
		}
		pages := map[string]bool{}
		for _, line := range append([]int{c.Line}, c.Lines...) {
			at := fmt.Sprint(origin, ":", line)
			lines[at] = true
			maps.Copy(pages, r.blocking[at])
		}
		urls := int64(c.URLs.Num)
		if n := int64(len(pages)); n != urls {
			wrong = append(wrong, fmt.Sprintf("%s: %s: %d pages, recounted %d", r.domain, c.What, urls, n))
		}
		for _, loc := range c.Examples {
			if !pages[fmt.Sprint(origin, " ", loc)] {
				wrong = append(wrong, fmt.Sprintf("%s: %s: the example %s", r.domain, c.What, loc))
			}
		}
		if sum := c.Templates[0].URLs; sum > urls || c.MoreTemplates == 0 && len(c.Templates) == 1 && sum != urls {
			wrong = append(wrong, fmt.Sprintf("%s: %s: %v", r.domain, c.What, c.Templates))
		}
		for _, of := range c.Crawlers {
			if of.URLs == 0 || of.URLs > urls {
				wrong = append(wrong, fmt.Sprintf("%s: %s: for %s", r.domain, c.What, c.ForWhom()))
			}
		}
	}
	for at := range r.blocking {
		if !lines[at] && !strings.HasSuffix(at, ":0") && r.toDo.More == 0 {
			wrong = append(wrong, r.domain+": no cause for line "+at)
		}
	}
	return wrong
}

// read parses the robots.txt of an origin for each crawler.
func (r *recounter) read(origin int) {
	r.readers = nil
	for _, c := range r.crawlers {
		robot, profile, _ := c.Robot()
		robots := r.answers.Read(origin, profile, robot)
		r.readers = append(r.readers, recountReader{c, robots, profile, robots.Group(robot), robots.Group(engine.Crawler{})})
	}
}

// distinct counts the distinct URLs of an origin that match a condition.
func (r *recounter) distinct(origin int, holds func(recountURL) bool) int64 {
	seen := map[string]bool{}
	for _, u := range r.urls[origin] {
		if !seen[u.loc] && holds(u) {
			seen[u.loc] = true
		}
	}
	return int64(len(seen))
}

// decides reports whether one of the lines decides a page for a crawler.
func (r *recounter) decides(u recountURL, lines []int) bool {
	return site.IsPage(u.kind) && slices.ContainsFunc(r.readers, func(c recountReader) bool {
		d := c.group.Verdict(u.loc)
		return d.Rule != nil && slices.Contains(lines, d.Rule.Line)
	})
}

// matcher returns a group with only the rule of a line, as a crawler reads it; nil = it obeys no
// such rule.
func (c *recountReader) matcher(line int) *engine.Group {
	for _, rule := range c.group.Rules {
		if rule.Line == line {
			return c.profile.Parse([]byte("User-agent: x\n" + rule.String() + "\n")).Group(engine.Crawler{Tokens: []string{"x"}})
		}
	}
	return nil
}

func (r *recounter) matches(origin, line int) int64 {
	var groups []*engine.Group
	for i := range r.readers {
		if g := r.readers[i].matcher(line); g != nil {
			groups = append(groups, g)
		}
	}
	return r.distinct(origin, func(u recountURL) bool {
		return site.IsPage(u.kind) && slices.ContainsFunc(groups, func(g *engine.Group) bool { return g.Verdict(u.loc).Rule != nil })
	})
}

// differs reports whether two crawlers that should agree have different verdicts for a URL, by a
// line that gives one of the two verdicts.
func (r *recounter) differs(u recountURL, line int) bool {
	if !site.IsPage(u.kind) {
		return false
	}
	for i := range r.readers {
		b := &r.readers[i]
		for j := range i {
			a := &r.readers[j]
			parsed := a.robots.Access == engine.Parsed && b.robots.Access == engine.Parsed
			if a.Name != b.Name && (!parsed || a.group.Line == 0 || a.group.Line != b.group.Line) {
				continue
			}
			d, other := b.group.Verdict(u.loc), a.group.Verdict(u.loc)
			at := d.Line()
			if d.Verdict == engine.Allow || at == 0 {
				at = other.Line()
			}
			if at == 0 {
				at = d.Line()
			}
			if d.Verdict != other.Verdict && at == line {
				return true
			}
			break // each is compared with the first that it should agree with
		}
	}
	return false
}

var (
	openTo    = regexp.MustCompile(`^open to (.*) by its own group`)
	knownURLs = regexp.MustCompile(`([\d,]+) URLs?`)
	oneParam  = regexp.MustCompile(`^disallow: /\*([?&])(\w+)=$`)
)

// count counts the URLs of a finding again; false = the records do not have this number.
func (r *recounter) count(origin int, f *audit.Finding) (int64, bool) {
	lines := f.Lines
	if lines == nil {
		lines = []int{f.Line}
	}
	rule := ""
	for _, of := range r.robots[origin].Rules {
		if of.Line == f.Line {
			rule = of.Rule
		}
	}
	switch f.ID {
	case "RUL005", "RUL006", "RUL009":
		return r.matches(origin, f.Line), true
	case "RUL008":
		return 0, true
	case "RUL007":
		return r.distinct(origin, func(u recountURL) bool { return r.differs(u, f.Line) }), true
	case "GRP005":
		who := openTo.FindStringSubmatch(f.Touched)[1]
		i := slices.IndexFunc(r.readers, func(c recountReader) bool { return c.Label == who })
		return r.distinct(origin, func(u recountURL) bool {
			return site.IsPage(u.kind) && r.readers[i].group.Verdict(u.loc).Verdict == engine.Allow && r.readers[i].star.Verdict(u.loc).Verdict == engine.Disallow
		}), true
	case "SM005":
		return r.distinct(origin, func(u recountURL) bool {
			return site.IsPage(u.kind) && u.listed && slices.ContainsFunc(r.readers, func(c recountReader) bool {
				d := c.group.Verdict(u.loc)
				return c.findsPages() && d.Verdict == engine.Disallow && d.Line() == f.Line
			})
		}), true
	case "RUL013":
		path := strings.TrimPrefix(rule, "disallow: ")
		beyond := regexp.MustCompile("^[a-z]+://[^/?]*" + regexp.QuoteMeta(path) + `([A-Za-z_-].*)$`)
		plural := regexp.MustCompile(`^s([^A-Za-z_-]|$)`)
		return r.distinct(origin, func(u recountURL) bool {
			m := beyond.FindStringSubmatch(u.loc)
			return m != nil && !plural.MatchString(m[1]) && r.decides(u, lines)
		}), true
	case "RUL017":
		m := oneParam.FindStringSubmatch(rule)
		if m == nil {
			return 0, false
		}
		other := map[string]string{"?": `\?.*&`, "&": `\?`}[m[1]]
		pattern := regexp.MustCompile(other + m[2] + "=")
		return r.distinct(origin, func(u recountURL) bool {
			return site.IsPage(u.kind) && pattern.MatchString(u.loc) && slices.ContainsFunc(r.readers, func(c recountReader) bool {
				d := c.group.Verdict(u.loc)
				return c.matcher(f.Line) != nil && d.Verdict == engine.Allow && d.Rule == nil
			})
		}), true
	case "YA007":
		i := slices.IndexFunc(r.readers, func(c recountReader) bool { return strings.HasPrefix(c.Profile, "yandex") })
		return r.distinct(origin, func(u recountURL) bool {
			d := r.readers[i].group.Verdict(u.loc)
			return site.IsPage(u.kind) && d.Verdict == engine.Disallow && d.Line() == f.Line && r.readers[i].robots.Canonical(u.loc) != u.loc
		}), true
	case "RUL020":
		return r.distinct(origin, func(u recountURL) bool {
			return u.kind == crawl.KindHreflang && slices.ContainsFunc(r.readers, func(c recountReader) bool {
				d := c.group.Verdict(u.loc)
				return c.findsPages() && d.Verdict == engine.Disallow && d.Line() == f.Line
			})
		}), strings.Contains(f.What, "hreflang")
	case "RUL003":
		return -1, strings.HasPrefix(rule, "disallow") // an empty disallow does not depend on URLs
	}
	if strings.HasPrefix(f.ID, "SM") || strings.HasPrefix(f.ID, "HRL") || slices.Contains([]string{"RUL012", "RUL019", "RUL021", "YA008"}, f.ID) {
		return 0, false
	}
	return r.distinct(origin, func(u recountURL) bool { return r.decides(u, lines) }), true
}

// check compares the causes and all findings of the site, and the numbers in their sentences.
func (r *recounter) check(seen map[string]int) (wrong []string) {
	wrong = r.checkCauses()
	if len(r.blocked) > 0 {
		seen["causes"]++
	}
	for _, of := range r.findings {
		r.read(of.Origin)
		pages := r.distinct(of.Origin, func(u recountURL) bool { return site.IsPage(u.kind) })
		for i := range of.List {
			f := &of.List[i]
			if !f.Counted {
				continue
			}
			say := func(format string, args ...any) {
				wrong = append(wrong, fmt.Sprintf("%s origin %d: %s line %d: %s: ", r.domain, of.Origin, f.ID, f.Line, f.What)+fmt.Sprintf(format, args...))
			}
			entries := f.ID == "SM010" || f.ID == "SM011" // counted by sitemap: the samples are the sitemaps with them
			if n := int64(len(f.Samples)); n != min(f.URLs, 5) && !(entries && 0 < n && n < f.URLs) || len(slices.Compact(slices.Sorted(slices.Values(f.Samples)))) != len(f.Samples) {
				say("%d URLs with the samples %q", f.URLs, f.Samples)
			}
			if want, ok := r.count(of.Origin, f); ok && want != f.URLs {
				say("%d URLs, recounted %d", f.URLs, want)
			} else if ok {
				seen[f.ID]++
			}
			said := knownURLs.FindStringSubmatch(f.What)
			switch {
			case said == nil:
			case f.ID == "RUL008":
				if said[1] != wording.Thousands(pages) {
					say("of %d URLs of the origin", pages)
				}
			case said[1] != wording.Thousands(f.URLs):
				say("%d URLs", f.URLs)
			}
		}
	}
	return wrong
}

// oddTown is a town with files for findings of several lines.
func oddTown(rng *rand.Rand, sites int) (w town, names []string) {
	w, names = newTown(rng, sites)
	for n, name := range names {
		file := w[name+"/robots.txt"]
		if n%2 == 0 {
			file = "Disallow: /early\nDisallow: /sooner\n" + file
		}
		// Lines of the last group, which is Googlebot's, and of one for all.
		file += "Disallow: *a/\nAllow: *b\nDisallow: */s*h\nDisallow: /*?q=\nDisallow: /a/b$\nAllow: /a/b\nDisallow: /shop/\nDisallow: /shop/item\nDisallow:\n" +
			"User-agent: *\nDisallow: *?sid=\nDisallow: *ta\nDisallow: /*?sid=\nDisallow: /sho\nAllow: /tag$\nDisallow:\n"
		w[name+"/robots.txt"] = file
		extra := "<url><loc>http://" + name + "/new?x=1&amp;q=2</loc></url><url><loc>http://" + name + "/new?sort=1&amp;q=2</loc></url></urlset>"
		w[name+"/sitemap.xml"] = strings.Replace(w[name+"/sitemap.xml"], "</urlset>", extra, 1)
	}
	return w, names
}

// TestRecount counts the URLs of every finding again from the records.
func TestRecount(t *testing.T) {
	t.Parallel()
	w, names := oddTown(rand.New(rand.NewPCG(17, 19)), 12)
	seen := map[string]int{}
	var r recounter
	grouped := 0
	for _, name := range names {
		auditTown(t, w, []string{name}, townCrawlers, func(rec audit.Record) { r.add(rec) })
		for _, wrong := range r.check(seen) {
			t.Error(wrong)
		}
		for _, of := range r.findings {
			for _, f := range of.List {
				if len(f.Lines) > 1 && f.URLs > 0 {
					grouped++
				}
			}
		}
	}
	for _, id := range []string{"RUL001", "RUL005", "RUL007", "RUL009", "RUL013", "RUL017", "GRP005", "SM005", "YA007", "causes"} {
		if seen[id] == 0 {
			t.Errorf("no %s was recounted, only %v", id, seen)
		}
	}
	if grouped < 5 {
		t.Errorf("%d findings of several lines with URLs", grouped)
	}
}
