package reports

import (
	"robots-audit/audit"
	"robots-audit/engine"
)

// verdictRow is a URL with the verdict of one crawler.
type verdictRow struct {
	url *audit.URL
	*reading
	source, lastMod, directory, pattern, id, kind cell
	number                                        int64 // of the URL among those that have rows
}

// reading is all that rows say about a verdict but the URL: the same for every
// URL that one line decides for one crawler, against one runner-up.
type reading struct {
	crawler, profile, verdict, rule, line, group, why cell
	runnerUp, runnerUpLine, margin, without           cell

	export *exportReading // the same for the further formats; nil = not asked for yet
}

type readingKey struct {
	origin, crawler        int
	line, runnerUp, margin int32
	verdict, without       engine.Verdict
	contested              bool // runnerUp, margin and without are known
}

// verdictColumns are the columns of the sheets on single verdicts; resources, which
// are no pages, have a kind, and no directory, pattern and clicks.
func verdictColumns(resources bool) []column[verdictRow] {
	columns := []column[verdictRow]{
		{"URL", 72, func(r *verdictRow) cell { return text(r.url.Loc) }},
		{"Crawler", 18, func(r *verdictRow) cell { return r.crawler }},
		{"Profile", 13, func(r *verdictRow) cell { return r.profile }},
		{"Verdict", 11, func(r *verdictRow) cell { return r.verdict }},
		{"Rule", 36, func(r *verdictRow) cell { return r.rule }},
		{"Line", 7, func(r *verdictRow) cell { return r.line }},
		{"Group", 20, func(r *verdictRow) cell { return r.group }},
		{"Why this group", 44, func(r *verdictRow) cell { return r.why }},
		{"Runner-up rule", 30, func(r *verdictRow) cell { return r.runnerUp }},
		{"Runner-up line", 10, func(r *verdictRow) cell { return r.runnerUpLine }},
		{"Margin (octets)", 10, func(r *verdictRow) cell { return r.margin }},
		{"If this line goes", 27, func(r *verdictRow) cell { return r.without }},
		{"Source", 46, func(r *verdictRow) cell { return r.source }},
		{"Last modified", 19, func(r *verdictRow) cell { return r.lastMod }},
	}
	if resources {
		columns = append(columns, column[verdictRow]{"Kind", 14, func(r *verdictRow) cell { return r.kind }})
	} else {
		columns = append(columns,
			column[verdictRow]{"Directory", 22, func(r *verdictRow) cell { return r.directory }},
			column[verdictRow]{"Pattern", 40, func(r *verdictRow) cell { return r.pattern }},
			column[verdictRow]{"Clicks", 10, func(r *verdictRow) cell { return clicks(r.url) }},
			column[verdictRow]{"Impressions", 12, func(r *verdictRow) cell { return impressions(r.url) }},
		)
	}
	return append(columns, column[verdictRow]{"url_id", 18, func(r *verdictRow) cell { return r.id }})
}

// clicks and impressions are what the user's own list says of a URL, also where
// that is 0; empty where it does not say.
func clicks(u *audit.URL) cell {
	if !u.HasClicks() {
		return cell{}
	}
	return number(u.Clicks)
}

func impressions(u *audit.URL) cell {
	if !u.HasImpressions() {
		return cell{}
	}
	return number(u.Impressions)
}

// urlRow is a URL with the verdicts of all crawlers.
type urlRow struct {
	url                        *audit.URL
	verdicts                   []cell // by verdict
	source, lastMod, directory cell
	id, kind                   cell
}

func urlTable(crawlers []audit.Crawler) *table[urlRow] {
	columns := []column[urlRow]{{"URL", 72, func(r *urlRow) cell { return text(r.url.Loc) }}}
	var marks []mark
	for i, c := range crawlers {
		marks = append(marks, mark{len(columns), verdictColours})
		columns = append(columns, column[urlRow]{c.Label, 14, func(r *urlRow) cell {
			if i >= len(r.url.Verdicts) {
				return cell{}
			}
			return r.verdicts[min(int(r.url.Verdicts[i]), len(r.verdicts)-1)]
		}})
	}
	columns = append(columns,
		column[urlRow]{"Source", 46, func(r *urlRow) cell { return r.source }},
		column[urlRow]{"Last modified", 19, func(r *urlRow) cell { return r.lastMod }},
		column[urlRow]{"Directory", 22, func(r *urlRow) cell { return r.directory }},
		column[urlRow]{"Kind", 10, func(r *urlRow) cell { return r.kind }},
		column[urlRow]{"Clicks", 10, func(r *urlRow) cell { return clicks(r.url) }},
		column[urlRow]{"Impressions", 12, func(r *urlRow) cell { return impressions(r.url) }},
		column[urlRow]{"url_id", 18, func(r *urlRow) cell { return r.id }},
	)
	return newTable("All URLs", columns, marks...)
}

// verdicts are all verdicts, in the order of their numbers.
var verdicts = [...]engine.Verdict{engine.Unknown, engine.Allow, engine.Disallow, engine.Undefined}

// isPage reports whether URLs of a kind are pages, which is what a site's figures
// are about; images, videos and alternates are counted apart.
func isPage(k audit.Kind) bool {
	return k == audit.KindLoc || k == audit.KindLink || k == audit.KindList
}

// addURLs takes a batch of tested URLs: a row for every crawler that may not
// fetch one, or of which nobody can say.
func (b *siteBook) addURLs(batch *audit.URLs) {
	for i := range batch.List {
		u := &batch.List[i]
		blocked, unclear := false, false
		for _, v := range u.Verdicts {
			blocked = blocked || v == engine.Disallow
			unclear = unclear || v != engine.Disallow && v != engine.Allow
		}
		page := isPage(u.Kind)
		var directory cell
		if page {
			directory = b.directories.count(&b.words, u.Loc, blocked, unclear)
			b.samplePage(u)
		}
		if blocked || unclear || b.allRows {
			b.row.directory = directory
			b.addURL(u, page)
		}
	}
	b.row.url = nil
}

// addURL writes the rows of a URL.
func (b *siteBook) addURL(u *audit.URL, page bool) {
	row := &b.row
	row.number++
	row.url, row.source, row.lastMod, row.kind = u, b.sources.cell(&b.words, u), lastModified(u.LastMod), b.kind(u.Kind)
	var id string
	id, b.scratch = urlID(b.scratch, b.origin(u.Origin).Origin, u.Loc)
	row.id = text(id)
	if b.allRows {
		b.addAll(row)
	}
	if page && differ(u.Verdicts) {
		b.addDisagreement(row)
	}
	row.pattern = cell{}
	for c, v := range u.Verdicts[:min(len(u.Verdicts), len(b.site.Crawlers))] {
		if v == engine.Allow {
			continue
		}
		row.reading = b.reading(u, c)
		switch {
		case !page:
			b.resources.add(&b.book, row)
			continue
		case row.pattern.kind == blankCell:
			b.scratch = appendPattern(b.scratch[:0], u.Loc)
			row.pattern = b.words.find(b.scratch)
		}
		if v == engine.Disallow {
			b.blocked.add(&b.book, row)
		} else {
			b.undecided.add(&b.book, row)
			b.unclear[c]++
		}
	}
}

// addAll writes the row of all crawlers.
func (b *siteBook) addAll(row *verdictRow) {
	b.urlRow = urlRow{row.url, b.verdictWords(), row.source, row.lastMod, row.directory, row.id, row.kind}
	b.urls.add(&b.book, &b.urlRow)
}

// verdictWords are the cells of all verdicts.
func (b *siteBook) verdictWords() []cell {
	if b.verdictCells == nil {
		for _, v := range verdicts {
			b.verdictCells = append(b.verdictCells, b.words.cell(v.String()))
		}
	}
	return b.verdictCells
}

// samplePage takes a page for what is told of a site's pages as a whole.
func (b *siteBook) samplePage(u *audit.URL) {
	if u.Origin < 0 || u.Origin >= len(b.robots) {
		return
	}
	if u.Origin == 0 {
		if b.policy == nil {
			b.policy = b.newPolicy()
		}
		b.policy.add(u.Loc)
	}
	b.cleanPage(u)
}

// kind is the word for a kind of URLs.
func (b *siteBook) kind(k audit.Kind) cell {
	if isPage(k) {
		return b.words.cell("page")
	}
	return b.words.cell(k.String())
}

// maxReadings bounds the readings kept.
const maxReadings = 4096

// reading returns what is to be said about a URL's verdict for crawler c.
func (b *siteBook) reading(u *audit.URL, c int) *reading {
	key := readingKey{origin: u.Origin, crawler: c, verdict: u.Verdicts[c]}
	if c < len(u.Lines) {
		key.line = u.Lines[c]
	}
	if key.line > 0 {
		b.contest(u, c, &key)
	}
	if last := b.lastReading[c]; last != nil && b.lastKey[c] == key {
		return last
	}
	r := b.readings[key]
	if r == nil {
		r = b.newReading(key)
		if b.readings == nil || len(b.readings) >= maxReadings {
			b.readings = map[readingKey]*reading{}
		}
		b.readings[key] = r
	}
	b.lastReading[c], b.lastKey[c] = r, key
	return r
}

// contest adds to key what the engine says of the deciding rule's rival. It
// says nothing where the engine's verdict is not that of the record, as one that
// another version of this program has written.
func (b *siteBook) contest(u *audit.URL, c int, key *readingKey) {
	if b.lastReader == nil || b.lastOrigin != u.Origin {
		b.lastReader, b.lastOrigin = b.reader(u.Origin), u.Origin
	}
	g := b.lastReader.groups[c]
	if g == nil {
		return
	}
	// Crawlers that obey the same group by the same profile share the answer.
	if same := b.lastReader.same[c]; same < c && b.lastKey[same].contested && b.contested[same] == b.row.number && u.Lines[same] == key.line {
		last := &b.lastKey[same]
		key.runnerUp, key.margin, key.without, key.contested = last.runnerUp, last.margin, last.without, true
		return
	}
	contest := g.Contest(u.Loc)
	if contest.Verdict != key.verdict || contest.Line() != int(key.line) {
		return
	}
	if contest.RunnerUp != nil {
		key.runnerUp = int32(contest.RunnerUp.Line)
	}
	key.margin, key.without, key.contested = int32(contest.Margin), contest.Without, true
	b.contested[c] = b.row.number
}

func (b *siteBook) newReading(key readingKey) *reading {
	robots := b.origin(key.origin)
	how := read(robots, key.crawler)
	r := &reading{
		verdict: b.words.cell(key.verdict.String()),
		rule:    b.words.cell(ruleAt(robots, int(key.line))),
		line:    plainNumber(int(key.line)),
		group:   b.words.cell(how.GroupTokens),
		why:     b.words.cell(groupReason(how)),
	}
	if how.Access != "parsed" || r.why.kind == blankCell {
		r.why = b.words.cell(how.Why)
	}
	if key.crawler < len(b.site.Crawlers) {
		crawler := b.site.Crawlers[key.crawler]
		r.crawler, r.profile = b.words.cell(crawler.Label), b.words.cell(crawler.Profile)
	}
	if key.contested {
		r.without = b.words.cell(withoutWords(key.verdict, key.without, int(key.runnerUp)))
	}
	if key.runnerUp > 0 {
		r.runnerUp, r.runnerUpLine, r.margin = b.words.cell(ruleAt(robots, int(key.runnerUp))), plainNumber(int(key.runnerUp)), plainNumber(int(key.margin))
	}
	return r
}

// withoutWords says what becomes of a verdict if the deciding line is deleted.
func withoutWords(now, then engine.Verdict, runnerUp int) string {
	words := then.String()
	if then == now {
		words = "still " + words
	}
	if runnerUp == 0 {
		return words + ": no other rule"
	}
	return words + " by line " + itoa(runnerUp)
}

// ruleAt returns the rule that stands in a line; "" = none.
func ruleAt(r *audit.Robots, line int) string {
	for lo, hi := 0, len(r.Rules); lo < hi; {
		mid := (lo + hi) / 2
		switch at := r.Rules[mid]; {
		case at.Line == line:
			return at.Rule
		case at.Line < line:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return ""
}

// groupReason says in words why a group applies; "" where no rules do.
func groupReason(r *audit.Read) string {
	if r.Access != "parsed" {
		return ""
	}
	switch engine.GroupReason(r.GroupReason) {
	case engine.Exact:
		return "the group names its product token"
	case engine.Fallback:
		return "no group names its own product token; this one names a token it falls back to"
	case engine.Global:
		return "no group names it, so the group of * applies"
	case engine.Exempt:
		return "only the group of * would apply, which this crawler does not obey"
	}
	return "no group applies"
}
