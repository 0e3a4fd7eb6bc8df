package reports

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/xlsx"
)

// Bounds of what is kept of one site's Clean-param classes.
const (
	maxCleanClasses = 10000
	maxCleanSeen    = 100000 // addresses without parameters to remove, of which a class may turn out to be
	maxCleanURL     = 2000   // bytes of an address that is kept

	maxCleanRules    = 100       // rules that are named for one class
	maxCleanCompared = 5_000_000 // rules and names looked at for all classes; for those beyond it none are named
)

// cleaner sorts a site's pages into the classes that Clean-param makes of them.
// Only files with Clean-param lines have one.
type cleaner struct {
	robots  *engine.Robots // as Yandex reads the file today
	rules   []engine.CleanRule
	classes map[string]*cleanClass
	order   []*cleanClass
	seen    map[uint64]bool // addresses that stay as they are
	full    bool            // seen has not all of them

	working  map[int]bool // lines that take something off a URL
	compared int          // see maxCleanCompared

	leftOut int64 // URLs of classes that found no room
}

// cleanClass is a number of addresses that are one page to Yandex.
type cleanClass struct {
	canonical string
	first     string // the first member met
	members   int64
	blocked   int64 // of them, for a crawler that follows Yandex's profile
	known     bool  // the canonical address itself is among the members
	example   string
}

var cleanSeed = maphash.MakeSeed()

// newCleaner returns the cleaner of an origin; nil = no Clean-param line.
func (b *siteBook) newCleaner(origin int) *cleaner {
	body := b.body(origin)
	if !namesCleanParam(body) {
		return nil
	}
	c := &cleaner{robots: b.reader(origin).read("yandex"), classes: map[string]*cleanClass{}, seen: map[uint64]bool{}, working: map[int]bool{}}
	if c.rules = c.robots.CleanParams(); len(c.rules) == 0 {
		return nil
	}
	return c
}

// add takes a page.
func (c *cleaner) add(loc string, blocked bool) {
	canonical := c.robots.Canonical(loc)
	class := c.classes[canonical]
	if canonical == loc {
		if class == nil {
			if len(c.seen) < maxCleanSeen {
				c.seen[maphash.String(cleanSeed, loc)] = true
			} else {
				c.full = true
			}
			return
		}
		class.known = true
	}
	if class == nil {
		if len(c.order) >= maxCleanClasses || len(loc) > maxCleanURL {
			c.leftOut++
			return
		}
		canonical = strings.Clone(canonical)
		class = &cleanClass{canonical: canonical, first: strings.Clone(loc)}
		if c.seen[maphash.String(cleanSeed, canonical)] {
			class.known, class.members = true, 1
		}
		c.classes[canonical] = class
		c.order = append(c.order, class)
	} else if class.example == "" && loc != canonical && len(loc) <= maxCleanURL {
		class.example = strings.Clone(loc)
	}
	class.members++
	if blocked {
		class.blocked++
	}
}

// removed names the rules that take something off a URL, and what. Of more than
// maxCleanRules the first are named and the others counted.
func (c *cleaner) removed(loc string) (rules, lines, names string) {
	if c.compared >= maxCleanCompared {
		return "", "", ""
	}
	_, query, _ := strings.Cut(loc, "?")
	query, _, _ = strings.Cut(query, "#")
	present := map[string]bool{}
	for parameter := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(parameter, "=")
		present[name] = true
	}
	by := c.robots.CleanedBy(loc)
	var ruleList, lineList, nameList []string
	for i, r := range by {
		c.working[r.Line.Line] = true
		c.compared += 1 + len(r.Names)
		for _, name := range r.Names {
			if present[name] {
				nameList = append(nameList, name)
				present[name] = false // once
			}
		}
		if i < maxCleanRules {
			ruleList, lineList = append(ruleList, "clean-param: "+r.Value), append(lineList, itoa(r.Line.Line))
		}
	}
	if more := len(by) - maxCleanRules; more > 0 {
		ruleList, lineList = append(ruleList, thousands(int64(more))+" more"), append(lineList, "…")
	}
	return strings.Join(ruleList, "; "), strings.Join(lineList, ", "), strings.Join(nameList, ", ")
}

// cleanRow is a class, or a rule that makes none.
type cleanRow struct {
	rule, lines, names string
	class              *cleanClass
	words              string
	origin             string
}

func cleanTable() *xlsx.Table[cleanRow] {
	of := func(r *cleanRow, c func(*cleanClass) xlsx.Cell) xlsx.Cell {
		if r.class == nil {
			return xlsx.Cell{}
		}
		return c(r.class)
	}
	return xlsx.NewTable("Clean-param", []xlsx.Column[cleanRow]{
		{Title: "Rule", Width: 40, Value: func(r *cleanRow) xlsx.Cell { return xlsx.Text(r.rule) }},
		{Title: "Line", Width: 9, Value: func(r *cleanRow) xlsx.Cell { return xlsx.Text(r.lines) }},
		{Title: "Parameters removed", Width: 24, Value: func(r *cleanRow) xlsx.Cell { return xlsx.Text(r.names) }},
		{Title: "Canonical URL", Width: 60, Value: func(r *cleanRow) xlsx.Cell {
			return of(r, func(c *cleanClass) xlsx.Cell { return xlsx.Text(c.canonical) })
		}},
		{Title: "Members", Width: 10, Value: func(r *cleanRow) xlsx.Cell {
			return of(r, func(c *cleanClass) xlsx.Cell { return xlsx.Number(c.members) })
		}},
		{Title: "Requests saved", Width: 10, Value: func(r *cleanRow) xlsx.Cell {
			return of(r, func(c *cleanClass) xlsx.Cell { return xlsx.Number(c.members - 1) })
		}},
		{Title: "Canonical URL is known", Width: 11, Value: func(r *cleanRow) xlsx.Cell {
			return of(r, func(c *cleanClass) xlsx.Cell { return xlsx.YesNo(c.known) })
		}},
		{Title: "Kept under, as of 2016", Width: 60, Value: func(r *cleanRow) xlsx.Cell {
			return of(r, func(c *cleanClass) xlsx.Cell {
				if c.known {
					return xlsx.Text(c.canonical)
				}
				return xlsx.Text(c.first)
			})
		}},
		{Title: "Members blocked for Yandex", Width: 11, Value: func(r *cleanRow) xlsx.Cell {
			return of(r, func(c *cleanClass) xlsx.Cell { return xlsx.Number(c.blocked) })
		}},
		{Title: "Example", Width: 60, Value: func(r *cleanRow) xlsx.Cell { return of(r, func(c *cleanClass) xlsx.Cell { return xlsx.Text(c.first) }) }},
		{Title: "Further example", Width: 60, Value: func(r *cleanRow) xlsx.Cell {
			return of(r, func(c *cleanClass) xlsx.Cell { return xlsx.Text(c.example) })
		}},
		{Title: "In words", Width: 70, Value: func(r *cleanRow) xlsx.Cell { return xlsx.Text(r.words) }},
		{Title: "Origin", Width: 30, Value: func(r *cleanRow) xlsx.Cell { return xlsx.Text(r.origin) }},
	})
}

// addClean writes the classes, those with most members first, then the rules
// that make none.
func (b *siteBook) addClean() {
	for index, c := range b.cleaners {
		if c == nil {
			continue
		}
		origin := b.origin(index).Origin
		slices.SortStableFunc(c.order, func(a, b *cleanClass) int { return int(b.members - a.members) })
		for _, class := range c.order {
			row := cleanRow{class: class, origin: origin}
			row.rule, row.lines, row.names = c.removed(class.first)
			row.words = cleanWords(class)
			b.clean.AddRow(&b.Workbook, &row)
		}
		for i := range c.rules {
			r := &c.rules[i]
			if r.Problem == "" && (c.working[r.Line.Line] || c.compared >= maxCleanCompared) {
				continue
			}
			row := cleanRow{rule: "clean-param: " + r.Value, lines: itoa(r.Line.Line), names: strings.Join(r.Names, ", "), origin: origin, words: "takes nothing off a known URL"}
			if r.Problem != "" {
				row.words = "ignored: " + r.Problem
			}
			b.clean.AddRow(&b.Workbook, &row)
		}
		if c.leftOut > 0 {
			b.clean.AddRow(&b.Workbook, &cleanRow{origin: origin, words: known(c.leftOut) + " left out: no room for more than " + thousands(maxCleanClasses) + " classes, or an address longer than " + thousands(maxCleanURL) + " octets"})
		}
		if c.compared >= maxCleanCompared {
			b.clean.AddRow(&b.Workbook, &cleanRow{origin: origin, words: "more rules take something off these URLs than can be named: the classes further down have none beside them, and which rules take nothing off is not told"})
		}
		if c.full {
			b.clean.AddRow(&b.Workbook, &cleanRow{origin: origin, words: "whether a canonical URL is known was looked for among the first " + thousands(maxCleanSeen) + " URLs without such parameters alone"})
		}
	}
}

func cleanWords(c *cleanClass) string {
	switch {
	case c.blocked > 0:
		return "blocked as well: a blocked URL is never reduced, one of the two lines is in vain"
	case c.members == 1:
		return "one known URL: Yandex asks for it under its canonical address"
	}
	return thousands(c.members) + " known URLs are one page to Yandex"
}

// cleanPage takes a page for the Clean-param classes of its origin.
func (b *siteBook) cleanPage(u *audit.URL) {
	for len(b.cleaners) <= u.Origin { // which is below len(b.robots)
		b.cleaners = append(b.cleaners, b.newCleaner(len(b.cleaners)))
	}
	c := b.cleaners[u.Origin]
	if c == nil {
		return
	}
	blocked := false
	for i, v := range u.Verdicts {
		if v == engine.Disallow && i < len(b.site.Crawlers) && strings.HasPrefix(b.site.Crawlers[i].Profile, "yandex") {
			blocked = true
		}
	}
	c.add(u.Loc, blocked)
}

// namesCleanParam reports whether a file has the words Clean-param anywhere,
// in whatever case: most have not, and need not be read for them.
func namesCleanParam(body []byte) bool {
	const name, hyphen = "clean-param", len("clean")
	for at := 0; ; at++ {
		i := bytes.IndexByte(body[at:], '-')
		if i < 0 {
			return false
		}
		at += i
		if from := at - hyphen; from >= 0 && from+len(name) <= len(body) && bytes.EqualFold(body[from:from+len(name)], []byte(name)) {
			return true
		}
	}
}
