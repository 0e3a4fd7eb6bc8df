package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
	"golang.org/x/net/html"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/site"
)

// looked counts what was checked on a site, from its records alone. A report's figures, sentences
// and colours are compared with it.
type looked struct {
	crawlers  []audit.Crawler
	urls      int64            // pages tested
	judged    []int64          // number of them with a clear verdict for each crawler
	clear     int64            // number of those with a clear verdict for any crawler
	byOrigin  map[string]int64 // pages, by the origin of the robots.txt that gives their verdict
	resources int64            // with a clear verdict for any crawler
	pages     int64            // pages read to follow links
	links     int64            // links on them
	clicks    int64
	leftOut   int64
	origins   int
	answered  bool // a response to the request for the site's own robots.txt
	reads     []audit.Read
	policy    *audit.Policy
	sampled   int64
	robots    map[string]*audit.Robots
	obeyed    map[string]int64 // rules by origin: lines in a group that some crawler obeys
	lines     int              // rules
	sitemaps  []*audit.Sitemap
	read      int64 // sitemaps read at least in part
	done      *audit.Done
}

// lookAt reads the records of a site.
func lookAt(t *testing.T, path ...string) *looked {
	t.Helper()
	text := unpack(t, readText(t, path...))
	l := &looked{byOrigin: map[string]int64{}, robots: map[string]*audit.Robots{}, obeyed: map[string]int64{}}
	names := map[int]string{}
	for rec, err := range audit.Decode(bytes.NewReader(text)) {
		noError(t, err)
		switch {
		case rec.Site != nil:
			l.crawlers = rec.Site.Crawlers
			l.judged = make([]int64, len(l.crawlers))
		case rec.Robots != nil:
			r := *rec.Robots
			l.origins++
			l.lines += len(r.Rules)
			names[r.Index], l.robots[r.Origin] = r.Origin, &r
			if r.Index == 0 {
				l.answered, l.reads, l.policy = r.File.Status != 0, r.Reads, r.Policy
			}
		case rec.URLs != nil:
			for i := range rec.URLs.List {
				l.addURL(&rec.URLs.List[i], names)
			}
		case rec.Page != nil && rec.Page.Code == "":
			l.pages++
			l.links += int64(rec.Page.Links)
		case rec.Sitemap != nil:
			s := *rec.Sitemap
			l.sitemaps = append(l.sitemaps, &s)
			if s.Format != "" {
				l.read++
			}
		case rec.Rules != nil:
			l.obeyed[names[rec.Rules.Origin]] += int64(len(rec.Rules.Counts))
		case rec.Done != nil:
			d := *rec.Done
			l.done, l.clicks, l.leftOut = &d, d.Clicks, site.Total(d.LeftOut)
			if d.Policy != nil {
				l.sampled = d.Policy.Pages
			}
		}
	}
	return l
}

func (l *looked) addURL(u *audit.URL, names map[int]string) {
	clear := false
	for i, v := range u.Verdicts {
		if v == engine.Allow || v == engine.Disallow {
			clear = true
			if site.IsPage(u.Kind) {
				l.judged[i]++
			}
		}
	}
	switch {
	case !site.IsPage(u.Kind) && clear:
		l.resources++
	case site.IsPage(u.Kind):
		l.urls++
		l.byOrigin[names[u.Origin]]++
		if clear {
			l.clear++
		}
	}
}

// compared is the number of pages with verdicts to compare.
func (l *looked) compared() int64 {
	if len(l.crawlers) < 2 {
		return 0
	}
	return l.clear
}

// tested is the number of URLs found that were tested against rules that crawlers obey.
func (l *looked) tested() (n int64) {
	for origin, rules := range l.obeyed {
		if rules > 0 {
			n += l.byOrigin[origin]
		}
	}
	return n
}

// figures are the checks behind each key figure of a site; figures that count the checks themselves
// are not among them.
func (l *looked) figures() map[string]int64 {
	m := map[string]int64{
		"Blocked for at least one crawler": l.clear, "URLs without a clear verdict": l.urls, "URLs whose verdict differs": l.compared(), "Clicks on blocked URLs": l.clicks,
		"Resources blocked": l.resources, "Blocked URLs that pages link to": min(l.pages, l.links), "Rules that decide nothing": l.tested(), "Sitemaps read": int64(len(l.sitemaps)),
		"URLs skipped": l.urls + l.leftOut, "Errors": int64(l.origins), "robots.txt, HTTP status": one(l.answered), "Findings": one(l.answered || l.origins > 1 || l.findings() > 0),
		"AI policy: crawlers named": one(l.fileKnown()),
	}
	for i, c := range l.crawlers {
		m["Blocked for "+c.Label] = l.judged[i]
	}
	return m
}

func (l *looked) findings() int64 {
	if l.done.Findings == nil {
		return 0
	}
	return l.done.Findings.Total()
}

// fileKnown reports whether the content of the site's own robots.txt, or that there is none, is
// known to any crawler of the AI policy.
func (l *looked) fileKnown() bool {
	return l.policy != nil && slices.ContainsFunc(l.policy.Reads, func(r audit.PolicyRead) bool { return r.Access == engine.Parsed || r.Access == engine.AllowAll })
}

func one(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// bounded are figures that are lower bounds if the audit reached a limit.
var bounded = map[string]bool{
	"URLs found": true, "Blocked for at least one crawler": true, "URLs without a clear verdict": true, "URLs whose verdict differs": true,
	"Resources blocked": true, "URLs skipped": true, "Rules that decide nothing": true,
}

var (
	number = regexp.MustCompile(`^[0-9][0-9,.]*( ?%)?$`)
	claim  = regexp.MustCompile(`(?i)^(0|ok|all|none|nothing|no|part|every.*)$`)
	// claims are words of a sentence about everything that exists.
	claims = regexp.MustCompile(`(?i)\b(0|all|none|nothing|no|every|each|any)\b`)
	// excused is a sentence that says that nothing was checked.
	excused = regexp.MustCompile(`(?i)not measured|not known|not tested|not counted|could not be read|no (known )?URL (was|is|could)|no answer|none was asked|was asked for|no sitemap (was|is named)|no robots\.txt|are known|nothing to compare|nobody to disagree|to look for findings in|there are no rule lines|no rules were read|No URL was found|none to lose|nothing can be said|was not tested|^No URLs, so`)
)

// checkMeasured searches a finished run for numbers, sentences and colours that claim something
// that was not measured: the number of checks behind them is 0.
func checkMeasured(t *testing.T, dir string) {
	t.Helper()
	var run struct{ Sites []map[string]json.RawMessage }
	noError(t, json.Unmarshal(readBytes(t, dir, "summary.json"), &run))
	sites := map[string]*looked{}
	for _, entry := range run.Sites {
		var domain, workbook, records string
		json.Unmarshal(entry["domain"], &domain)
		json.Unmarshal(entry["workbook"], &workbook)
		json.Unmarshal(entry["records"], &records)
		if workbook == "" {
			continue
		}
		l := lookAt(t, dir, records)
		sites[domain] = l
		hit := func(format string, args ...any) { t.Errorf("%s: %s", domain, fmt.Sprintf(format, args...)) }
		l.checkEntry(entry, hit)
		l.checkBook(t, openBook(t, dir, workbook), hit)
		l.checkPage(t, filepath.Join(dir, "pages", strings.TrimSuffix(workbook, ".xlsx")+".html"), hit)
	}
	checkRun(t, dir, sites)
}

type hitFunc func(format string, args ...any)

// checkEntry checks a site's entry of summary.json, whose key "not_measured" says which numbers are
// not measured.
func (l *looked) checkEntry(entry map[string]json.RawMessage, hit hitFunc) {
	var why map[string]string
	json.Unmarshal(entry["not_measured"], &why)
	for key, n := range map[string]int64{"blocked_urls": l.clear, "unknown_urls": l.urls, "differing_urls": l.compared(), "left_out": l.urls + l.leftOut} {
		if n == 0 && why[key] == "" {
			hit("summary.json, %s: %s", key, entry[key])
		}
	}
	for i, c := range l.crawlers {
		if l.judged[i] == 0 && why["blocked"] == "" && why["blocked."+c.Label] == "" {
			hit("summary.json, blocked for %s", c.Label)
		}
	}
	if l.sampled == 0 {
		l.checkPolicyWords("summary.json, ai_policy", string(entry["ai_policy"]), hit)
	}
}

// checkPolicyWords checks a line about the AI policy if no URL was sampled: it may say what the
// rules alone prove, but not "part".
func (l *looked) checkPolicyWords(where, words string, hit hitFunc) {
	word := regexp.MustCompile(`\b(all|part|none)\b`)
	for _, found := range word.FindAllString(words, -1) {
		if found == "part" || !l.policyProved(found) {
			hit("%s: %q of no sample: %s", where, found, words)
			return
		}
	}
}

// policyProved reports whether the response or the rules of a group alone prove that everything or
// nothing is blocked for a crawler.
func (l *looked) policyProved(word string) bool {
	if l.policy == nil || !l.answered {
		return false
	}
	for _, r := range l.policy.Reads {
		switch {
		case word == "all" && r.Access == engine.AllowAll, word == "none" && r.Access == engine.DisallowAll:
			return true
		case r.Access == engine.Parsed && r.GroupReason == engine.None, r.Access == engine.Parsed && r.GroupReason == engine.Exempt:
			if word == "all" {
				return true
			}
		case r.Access == engine.Parsed:
			bars, frees := false, false
			for _, origin := range l.robots {
				if origin.Index != 0 {
					continue
				}
				p, _ := engine.ProfileByName("rfc9309")
				for _, rule := range p.Parse(origin.File.Body).Group(engine.Crawler{Tokens: r.GroupTokens}).Rules {
					bars = bars || !rule.Allow && rule.Value != ""
					frees = frees || rule.Allow
				}
			}
			if word == "all" && !bars || word == "none" && bars && !frees {
				return true
			}
		}
	}
	return false
}

// checkBook checks every cell of a workbook that counts something.
func (l *looked) checkBook(t *testing.T, f *excelize.File, hit hitFunc) {
	t.Helper()
	figures := l.figures()
	for _, sheet := range f.GetSheetList() {
		rows := sheetCells(t, f, sheet)
		if sheet == "Summary" {
			for i, row := range rows {
				row = append(row, "", "", "", "", "")
				if list, ok := strings.CutPrefix(row[0], "Nothing to tell in: "); ok {
					for _, absent := range strings.Split(strings.TrimSuffix(list, "."), "; ") {
						if n, ok := l.behindSentence()[absent]; !ok || n == 0 {
							hit("Summary: nothing to tell in %q, of which nothing was looked at", absent)
						}
					}
				}
				if n, ok := figures[row[0]]; ok && n == 0 && row[4] != "" {
					l.checkFigure("Summary: "+row[0], row[1], row[2], row[3], row[4], hit)
				}
				if bound := l.done.Bound(); bound != "" && bounded[row[0]] && (number.MatchString(row[1]) || row[3] == "ok") {
					hit("Summary: %s: %q %q, though the audit %s", row[0], row[1], row[3], bound)
				}
				if row[0] == "AI policy: crawlers named" && l.sampled == 0 {
					l.checkPolicyWords("Summary: AI policy", row[4], hit)
				}
				if l.urls == 0 && i > 1 && i < 4 {
					l.checkSentence("Summary", row[0], hit)
				}
			}
			continue
		}
		for _, row := range byTitles(rows) {
			l.checkRow(sheet, row, hit)
		}
	}
}

// behindSentence are the checks behind the sentence that replaces the rows of a sheet.
func (l *looked) behindSentence() map[string]int64 {
	unread := int64(0)
	for _, s := range l.sitemaps {
		unread += one(s.Format == "" && (s.Parent >= 0 || s.Line > 0)) // not those that are declared nowhere
	}
	whole := l.urls + l.leftOut
	if unread > 0 || len(l.done.Limits) > 0 || slices.ContainsFunc(slices.Collect(maps.Keys(l.done.LeftOut)), func(k string) bool { return k == audit.LeftBudget }) {
		whole = 0
	}
	return map[string]int64{
		"To do": l.clear, "Disagreements": l.compared(), "Resources": l.resources, "Skipped": whole, "Errors": int64(l.origins), "Rules": one(l.answered || l.origins > 1), "Sitemaps": 0,
	}
}

func (l *looked) checkSentence(where, words string, hit hitFunc) {
	if claims.MatchString(words) && !excused.MatchString(words) {
		hit("%s: %q", where, words)
	}
}

// checkFigure checks a figure without any checks behind it.
func (l *looked) checkFigure(where, value, share, state, why string, hit hitFunc) {
	if number.MatchString(value) || claim.MatchString(value) || value == "" || number.MatchString(share) || strings.EqualFold(state, "ok") {
		hit("%s: %q %q %q", where, value, share, state)
	}
	l.checkSentence(where, why, hit)
}

// checkRow checks a row of a sheet.
func (l *looked) checkRow(sheet string, row map[string]string, hit hitFunc) {
	cell := func(column string, n int64) {
		if text := row[column]; n == 0 && (number.MatchString(text) || claim.MatchString(text)) {
			hit("%s: %s: %q (%s)", sheet, column, text, row["Line"]+row["Sitemap"]+row["Crawler"]+row["What"])
		}
	}
	switch sheet {
	case "To do":
		for _, column := range []string{"URLs", "Share of URLs"} {
			cell(column, l.urls)
		}
		for _, column := range []string{"Clicks", "Share of clicks"} {
			cell(column, l.clicks)
		}
		if l.urls == 0 {
			l.checkSentence("To do: What happens then", row["What happens then"], hit)
			if strings.Contains(row["What"], "URLs") || row["Templates"] != "" {
				hit("To do: %q %q", row["What"], row["Templates"])
			}
		}
	case "Agents":
		i := slices.IndexFunc(l.crawlers, func(c audit.Crawler) bool { return c.Label == row["Crawler"] })
		cell("URLs blocked", l.judged[i])
		cell("% blocked", l.judged[i])
		cell("Home page blocked", one(row["Access"] != "unknown"))
		cell("Rules", one(row["Access"] == "parsed"))
	case "Rules":
		for _, column := range []string{"URLs matched", "URLs decided", "Unblocked if deleted", "Blocked if deleted"} {
			cell(column, l.byOrigin[row["Origin"]])
		}
		if n := l.byOrigin[row["Origin"]]; (n == 0 || row["URLs matched"] == "") && strings.Contains(row["Effect"], "decides nothing") {
			hit("Rules: %q (line %s)", row["Effect"], row["Line"])
		}
	case "Templates", "Segments":
		cell("URLs blocked", l.clear)
		cell("% blocked", l.clear)
		for i, c := range l.crawlers {
			cell("Blocked for "+c.Label, l.judged[i])
		}
	case "Sitemaps":
		n, _ := strconv.Atoi(row["No."])
		s := l.sitemaps[slices.IndexFunc(l.sitemaps, func(s *audit.Sitemap) bool { return s.Index == n-1 })]
		for _, column := range []string{"Entries", "URLs tested", "Named before", "Skipped"} {
			cell(column, one(s.Format != ""))
		}
		for _, c := range l.crawlers {
			cell("Blocked for "+c.Label, s.Tested)
		}
		cell("Status", int64(s.Status))
		cell("Bytes", int64(s.Status))
	case "Requests for robots.txt", "Evidence":
		if row["Status"] == "0" || row["Status"] == "–" && number.MatchString(row["Bytes"]) {
			hit("%s: status %q, bytes %q", sheet, row["Status"], row["Bytes"])
		}
	case "AI policy":
		cell("Blocked of these", l.sampled)
		cell("% blocked", l.sampled)
		if l.sampled == 0 {
			l.checkPolicyWords("AI policy: Access", row["Access"], hit)
		}
		if k := slices.IndexFunc(l.policy.Reads, func(r audit.PolicyRead) bool { return slices.Contains(r.Crawlers, row["Crawler"]) }); k >= 0 {
			access := l.policy.Reads[k].Access
			cell("Named in the file", one(access == engine.Parsed || access == engine.AllowAll))
		}
	}
}

// checkPage checks the key figures and the tables of a site's page.
func (l *looked) checkPage(t *testing.T, name string, hit hitFunc) {
	t.Helper()
	_, elements := parsedPage(t, name)
	figures := l.figures()
	section, name := "", ""
	for _, n := range elements {
		switch id := attributeOf(n, "id"); {
		case n.Data == "section":
			section = id
		case n.Data == "dt":
			name = strings.TrimSpace(textOf(n))
		case n.Data == "dd" && attributeOf(n, "class") == "value":
			if of, ok := figures[name]; ok && of == 0 {
				text := strings.TrimSpace(textOf(n))
				value, _, _ := strings.Cut(text, " ")
				if number.MatchString(value) || claim.MatchString(value) || strings.HasSuffix(text, "OK") {
					hit("page: %s: %q", name, text)
				}
			}
		case n.Data == "h2":
			if words := textOf(n); l.urls == 0 && (section == "directories" || section == "blocked") || section == "rules" && l.tested() == 0 && (l.lines > 0 || !l.answered) || section == "findings" && !l.answered {
				l.checkSentence("page: "+section, words, hit)
			}
		case n.Data == "tr":
			l.checkPageRow(section, n, hit)
		}
	}
}

// checkPageRow checks a row of a table of a site's page.
func (l *looked) checkPageRow(section string, tr *html.Node, hit hitFunc) {
	var cells []string
	for td := range tr.ChildNodes() {
		if td.Type == html.ElementNode && (td.Data == "td" || td.Data == "th" && attributeOf(td, "scope") == "row") {
			cells = append(cells, strings.TrimSpace(textOf(td)))
		}
	}
	if len(cells) < 5 {
		return
	}
	last := cells[len(cells)-1]
	switch section {
	case "crawlers":
		i := slices.IndexFunc(l.crawlers, func(c audit.Crawler) bool { return strings.HasPrefix(cells[0], c.Label+"reads as ") })
		if i >= 0 && l.judged[i] == 0 && (number.MatchString(cells[7]) || strings.Contains(cells[2], "OK") || strings.Contains(last, "%")) {
			hit("page: crawlers: %q", cells)
		}
	case "file":
		if l.urls == 0 && (number.MatchString(cells[3]) || number.MatchString(last) || strings.Contains(cells[2], "idle")) {
			hit("page: line %s: %q", cells[0], cells[2:])
		}
	case "sitemaps":
		if len(cells) == 10 && l.read == 0 && (number.MatchString(cells[5]) || number.MatchString(cells[6]) || number.MatchString(cells[7]) || number.MatchString(cells[8])) {
			hit("page: sitemap %q", cells[5:9])
		}
	}
}

// checkRun checks the summaries of a run.
func checkRun(t *testing.T, dir string, sites map[string]*looked) {
	t.Helper()
	hit := func(format string, args ...any) { t.Errorf("the run: %s", fmt.Sprintf(format, args...)) }
	f := openBook(t, dir, "summary.xlsx")
	var urls, clear int64
	for _, l := range sites {
		urls += l.urls
		clear += l.clear
	}
	for _, row := range byTitles(sheetCells(t, f, "Sites")) {
		l := sites[row["Site"]]
		if l == nil {
			continue
		}
		behind := map[string]int64{
			"robots.txt status": one(l.answered), "Bytes": one(l.answered), "Redirects": one(l.answered), "Blocked for at least one": l.clear, "% blocked": l.clear,
			"Without a clear verdict": l.urls, "Verdicts differ": l.compared(), "Skipped": l.urls + l.leftOut,
		}
		for i, c := range l.crawlers {
			behind["Blocked for "+c.Label] = l.judged[i]
		}
		for column, n := range behind {
			if n == 0 && number.MatchString(row[column]) {
				hit("Sites: %s: %s: %q", row["Site"], column, row[column])
			}
		}
		if l.sampled == 0 {
			l.checkPolicyWords("Sites: "+row["Site"], row["What AI crawlers may fetch"], hit)
		}
	}
	for i, row := range sheetCells(t, f, "Summary") {
		row = append(row, "", "", "", "")
		if n, ok := map[string]int64{"Blocked for at least one crawler": clear, "Critical": int64(len(sites)), "OK": int64(len(sites))}[row[0]]; ok && n == 0 && number.MatchString(row[1]) {
			hit("Summary: %s: %q %q", row[0], row[1], row[2])
		}
		if urls == 0 && i == 2 {
			(&looked{}).checkSentence("Summary", row[0], hit)
		}
	}
	if lines := strings.Split(readText(t, dir, "summary.md"), "\n"); urls == 0 && len(lines) > 2 {
		(&looked{}).checkSentence("summary.md", lines[2], hit)
	}
}

func attributeOf(n *html.Node, key string) string {
	value, _ := attribute(n, key)
	return value
}

// textOf is the text below an element.
func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
