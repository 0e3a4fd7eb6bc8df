package reports

import (
	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/xlsx"
)

// verdictRow is a URL with the verdict of one crawler.
type verdictRow struct {
	url *audit.URL
	*reading
	source, lastMod, directory, pattern, id, kind xlsx.Cell
	number                                        int64 // of the URL among those that have rows
}

// reading is all that rows say about a verdict but the URL: the same for every
// URL that one line decides for one crawler, against one runner-up.
type reading struct {
	crawler, profile, verdict, rule, line, group, why xlsx.Cell
	runnerUp, runnerUpLine, margin, without           xlsx.Cell

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
func verdictColumns(resources bool) []xlsx.Column[verdictRow] {
	columns := []xlsx.Column[verdictRow]{
		{Title: "URL", Width: 72, Value: func(r *verdictRow) xlsx.Cell { return xlsx.Text(r.url.Loc) }},
		{Title: "Crawler", Width: 18, Value: func(r *verdictRow) xlsx.Cell { return r.crawler }},
		{Title: "Profile", Width: 13, Value: func(r *verdictRow) xlsx.Cell { return r.profile }},
		{Title: "Verdict", Width: 11, Value: func(r *verdictRow) xlsx.Cell { return r.verdict }},
		{Title: "Rule", Width: 36, Value: func(r *verdictRow) xlsx.Cell { return r.rule }},
		{Title: "Line", Width: 7, Value: func(r *verdictRow) xlsx.Cell { return r.line }},
		{Title: "Group", Width: 20, Value: func(r *verdictRow) xlsx.Cell { return r.group }},
		{Title: "Why this group", Width: 44, Value: func(r *verdictRow) xlsx.Cell { return r.why }},
		{Title: "Runner-up rule", Width: 30, Value: func(r *verdictRow) xlsx.Cell { return r.runnerUp }},
		{Title: "Runner-up line", Width: 10, Value: func(r *verdictRow) xlsx.Cell { return r.runnerUpLine }},
		{Title: "Margin (octets)", Width: 10, Value: func(r *verdictRow) xlsx.Cell { return r.margin }},
		{Title: "If this line goes", Width: 27, Value: func(r *verdictRow) xlsx.Cell { return r.without }},
		{Title: "Source", Width: 46, Value: func(r *verdictRow) xlsx.Cell { return r.source }},
		{Title: "Last modified", Width: 19, Value: func(r *verdictRow) xlsx.Cell { return r.lastMod }},
	}
	if resources {
		columns = append(columns, xlsx.Column[verdictRow]{Title: "Kind", Width: 14, Value: func(r *verdictRow) xlsx.Cell { return r.kind }})
	} else {
		columns = append(columns,
			xlsx.Column[verdictRow]{Title: "Directory", Width: 22, Value: func(r *verdictRow) xlsx.Cell { return r.directory }},
			xlsx.Column[verdictRow]{Title: "Pattern", Width: 40, Value: func(r *verdictRow) xlsx.Cell { return r.pattern }},
			xlsx.Column[verdictRow]{Title: "Clicks", Width: 10, Value: func(r *verdictRow) xlsx.Cell { return clicks(r.url) }},
			xlsx.Column[verdictRow]{Title: "Impressions", Width: 12, Value: func(r *verdictRow) xlsx.Cell { return impressions(r.url) }},
		)
	}
	return append(columns, xlsx.Column[verdictRow]{Title: "url_id", Width: 18, Value: func(r *verdictRow) xlsx.Cell { return r.id }})
}

// clicks and impressions are what the user's own list says of a URL, also where
// that is 0; empty where it does not say.
func clicks(u *audit.URL) xlsx.Cell {
	if !u.HasClicks() {
		return xlsx.Cell{}
	}
	return xlsx.Number(u.Clicks)
}

func impressions(u *audit.URL) xlsx.Cell {
	if !u.HasImpressions() {
		return xlsx.Cell{}
	}
	return xlsx.Number(u.Impressions)
}

// urlRow is a URL with the verdicts of all crawlers.
type urlRow struct {
	url                        *audit.URL
	verdicts                   []xlsx.Cell // by verdict
	source, lastMod, directory xlsx.Cell
	id, kind                   xlsx.Cell
}

func urlTable(crawlers []audit.Crawler) *xlsx.Table[urlRow] {
	columns := []xlsx.Column[urlRow]{{Title: "URL", Width: 72, Value: func(r *urlRow) xlsx.Cell { return xlsx.Text(r.url.Loc) }}}
	var marks []xlsx.ConditionalFormat
	for i, c := range crawlers {
		marks = append(marks, xlsx.ConditionalFormat{Column: len(columns), Highlights: verdictColours})
		columns = append(columns, xlsx.Column[urlRow]{Title: c.Label, Width: 14, Value: func(r *urlRow) xlsx.Cell {
			if i >= len(r.url.Verdicts) {
				return xlsx.Cell{}
			}
			return r.verdicts[min(int(r.url.Verdicts[i]), len(r.verdicts)-1)]
		}})
	}
	columns = append(columns,
		xlsx.Column[urlRow]{Title: "Source", Width: 46, Value: func(r *urlRow) xlsx.Cell { return r.source }},
		xlsx.Column[urlRow]{Title: "Last modified", Width: 19, Value: func(r *urlRow) xlsx.Cell { return r.lastMod }},
		xlsx.Column[urlRow]{Title: "Directory", Width: 22, Value: func(r *urlRow) xlsx.Cell { return r.directory }},
		xlsx.Column[urlRow]{Title: "Kind", Width: 10, Value: func(r *urlRow) xlsx.Cell { return r.kind }},
		xlsx.Column[urlRow]{Title: "Clicks", Width: 10, Value: func(r *urlRow) xlsx.Cell { return clicks(r.url) }},
		xlsx.Column[urlRow]{Title: "Impressions", Width: 12, Value: func(r *urlRow) xlsx.Cell { return impressions(r.url) }},
		xlsx.Column[urlRow]{Title: "url_id", Width: 18, Value: func(r *urlRow) xlsx.Cell { return r.id }},
	)
	return xlsx.NewTable("All URLs", columns, marks...)
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
		var directory xlsx.Cell
		if page {
			directory = b.directories.count(&b.Strings, u.Loc, blocked, unclear)
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
	row.url, row.source, row.lastMod, row.kind = u, b.sources.cell(&b.Strings, u), lastModified(u.LastMod), b.kind(u.Kind)
	var id string
	id, b.scratch = urlID(b.scratch, b.origin(u.Origin).Origin, u.Loc)
	row.id = xlsx.Text(id)
	if b.allRows {
		b.addAll(row)
	}
	if page && differ(u.Verdicts) {
		b.addDisagreement(row)
	}
	row.pattern = xlsx.Cell{}
	for c, v := range u.Verdicts[:min(len(u.Verdicts), len(b.site.Crawlers))] {
		if v == engine.Allow {
			continue
		}
		row.reading = b.reading(u, c)
		switch {
		case !page:
			b.resources.AddRow(&b.Workbook, row)
			continue
		case row.pattern.Kind == xlsx.KindBlank:
			b.scratch = appendPattern(b.scratch[:0], u.Loc)
			row.pattern = b.Strings.CellOf(b.scratch)
		}
		if v == engine.Disallow {
			b.blocked.AddRow(&b.Workbook, row)
		} else {
			b.undecided.AddRow(&b.Workbook, row)
			b.unclear[c]++
		}
	}
}

// addAll writes the row of all crawlers.
func (b *siteBook) addAll(row *verdictRow) {
	b.urlRow = urlRow{row.url, b.verdictWords(), row.source, row.lastMod, row.directory, row.id, row.kind}
	b.urls.AddRow(&b.Workbook, &b.urlRow)
}

// verdictWords are the cells of all verdicts.
func (b *siteBook) verdictWords() []xlsx.Cell {
	if b.verdictCells == nil {
		for _, v := range verdicts {
			b.verdictCells = append(b.verdictCells, b.Strings.Cell(v.String()))
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
func (b *siteBook) kind(k audit.Kind) xlsx.Cell {
	if isPage(k) {
		return b.Strings.Cell("page")
	}
	return b.Strings.Cell(k.String())
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
		verdict: b.Strings.Cell(key.verdict.String()),
		rule:    b.Strings.Cell(ruleAt(robots, int(key.line))),
		line:    xlsx.Identifier(int(key.line)),
		group:   b.Strings.Cell(how.GroupTokens),
		why:     b.Strings.Cell(groupReason(how)),
	}
	if how.Access != "parsed" || r.why.Kind == xlsx.KindBlank {
		r.why = b.Strings.Cell(how.Why)
	}
	if key.crawler < len(b.site.Crawlers) {
		crawler := b.site.Crawlers[key.crawler]
		r.crawler, r.profile = b.Strings.Cell(crawler.Label), b.Strings.Cell(crawler.Profile)
	}
	if key.contested {
		r.without = b.Strings.Cell(withoutWords(key.verdict, key.without, int(key.runnerUp)))
	}
	if key.runnerUp > 0 {
		r.runnerUp, r.runnerUpLine, r.margin = b.Strings.Cell(ruleAt(robots, int(key.runnerUp))), xlsx.Identifier(int(key.runnerUp)), xlsx.Identifier(int(key.margin))
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
