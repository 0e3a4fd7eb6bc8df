package reports

import (
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/reports/internal/xlsx"
)

// judged makes the records of a site as the engine judges it: file is its robots.txt, and urls are
// its URLs; those under /img/ are images.
func judged(t testing.TB, list string, file engine.File, urls ...string) []audit.Record {
	t.Helper()
	const origin = "https://example.com"
	var crawlers []audit.Crawler
	for label := range strings.SplitSeq(list, ",") {
		if c, err := audit.ParseCrawlers(label); err == nil {
			crawlers = append(crawlers, c...)
		} else { // also valid in records
			crawlers = append(crawlers, audit.Crawler{Label: label, Name: label, Profile: "rfc9309", Tokens: []string{label}})
		}
	}
	robots := &audit.Robots{Origin: origin, File: crawl.RobotsFile{
		Outcome: crawl.Outcome{URL: origin + "/robots.txt", Status: file.Status, Code: file.Error, Bytes: int64(len(file.Body)), SHA256: sumOf(string(file.Body)), Started: start,
			Hops: []crawl.Hop{{URL: origin + "/robots.txt", Status: file.Status, Started: start}}},
		Body: file.Body,
	}}
	done := &audit.Done{State: audit.Warn, Why: "a test", Origin: origin, Counts: audit.Counts{Blocked: make([]int64, len(crawlers))}, Finished: start, Sitemaps: 1}
	var groups []*engine.Group
	lines := map[int]string{}
	for i := range crawlers {
		c, p, ok := crawlers[i].Robot()
		if !ok {
			t.Fatalf("no profile %s", crawlers[i].Profile)
		}
		r := p.Read(file)
		g := r.Group(c)
		groups = append(groups, g)
		robots.Reads = append(robots.Reads, audit.Read{Access: r.Access, Why: r.Why, GroupLine: g.Line, GroupTokens: strings.Join(g.Tokens, ", "),
			GroupReason: g.Reason, Rules: len(g.Rules), BlocksRoot: g.Verdict("/").Verdict == engine.Disallow})
		for _, rule := range r.Rules() {
			lines[rule.Line] = rule.String()
		}
	}
	for line, rule := range lines {
		robots.Rules = append(robots.Rules, audit.RuleLine{Line: line, Rule: rule})
	}
	slices.SortFunc(robots.Rules, func(a, b audit.RuleLine) int { return a.Line - b.Line })
	m := engine.NewMatrix(groups...)
	decisions := make([]engine.Decision, len(groups))
	batch := &audit.URLs{}
	for i, loc := range urls {
		u := audit.URL{Loc: origin + loc, Weight: audit.Weight{Clicks: int64(i)}}
		image := strings.HasPrefix(loc, "/img/")
		if image {
			u.Kind = audit.KindImage
			for i, g := range groups {
				decisions[i] = g.Verdict(u.Loc)
			}
		} else {
			m.Verdicts(u.Loc, decisions)
		}
		blocked, unclear := false, false
		for _, d := range decisions {
			u.Verdicts, u.Lines = append(u.Verdicts, d.Verdict), append(u.Lines, int32(d.Line()))
			blocked = blocked || d.Verdict == engine.Disallow
			unclear = unclear || d.Verdict != engine.Disallow && d.Verdict != engine.Allow
		}
		batch.List = append(batch.List, u)
		if image {
			addKind(done, u, blocked)
			continue
		}
		done.URLs++
		done.Clicks += u.Clicks
		for i, v := range u.Verdicts {
			if v == engine.Disallow {
				done.Blocked[i]++
			}
		}
		if blocked {
			done.BlockedAny++
			done.BlockedClicks += u.Clicks
		}
		if unclear {
			done.Unknown++
		}
	}
	records := []audit.Record{{Site: &audit.Site{Name: "example.com", Crawlers: crawlers, Started: start}}, {Robots: robots}, {URLs: batch},
		{Sitemap: &audit.Sitemap{SitemapFile: crawl.SitemapFile{Outcome: crawl.Outcome{URL: origin + "/sitemap.xml", Status: 200}, Parent: -1}, Tested: done.URLs}}}
	for i, g := range groups {
		if m.Same(i) != i || len(g.Rules) == 0 {
			continue
		}
		rules := &audit.Rules{}
		for k := range groups {
			if m.Same(k) == i {
				rules.Crawlers = append(rules.Crawlers, k)
			}
		}
		for _, c := range m.AppendCounts(nil, i) {
			rules.Counts = append(rules.Counts, audit.RuleCount{Line: c.Rule.Line, Rule: c.Rule.String(), Matched: c.Matched, Decided: c.Decided, Frees: c.Frees, Blocks: c.Blocks, Join: c.Join, Unknown: c.Unknown})
		}
		records = append(records, audit.Record{Rules: rules})
	}
	records = append(records, audit.Record{Done: done})
	for i := range records {
		records[i].Domain = "example.com"
	}
	return records
}

// written writes the records of one site and opens its workbook.
func written(t testing.TB, o Options, records []audit.Record) *excelize.File {
	t.Helper()
	o.Reports = []string{kindWorkbook}
	o.Dir, o.Started, o.Crawlers = t.TempDir(), start, records[0].Site.Crawlers
	return openBook(t, writeRun(t, o, records), "example.com.xlsx")
}

// writtenWithPage is written plus the site's page.
func writtenWithPage(t testing.TB, o Options, records []audit.Record) (f *excelize.File, page string) {
	t.Helper()
	o.Dir, o.Started, o.Crawlers = t.TempDir(), start, records[0].Site.Crawlers
	dir := writeRun(t, o, records)
	return openBook(t, dir, "example.com.xlsx"), html.UnescapeString(readText(t, dir, "pages", "example.com.html"))
}

// sheetRows are the rows of a sheet and of its continuations, by the titles of their columns.
func sheetRows(t testing.TB, f *excelize.File, name string) (list []map[string]string) {
	t.Helper()
	return rowsOf(t, f, name, excelize.Options{RawCellValue: true})
}

// shownRows are sheetRows with the values that people see.
func shownRows(t testing.TB, f *excelize.File, name string) (list []map[string]string) {
	t.Helper()
	return rowsOf(t, f, name, excelize.Options{})
}

func rowsOf(t testing.TB, f *excelize.File, name string, as excelize.Options) (list []map[string]string) {
	t.Helper()
	for n := 0; slices.Contains(f.GetSheetList(), xlsx.SheetName(name, n)); n++ {
		list = append(list, byTitles(sheetCells(t, f, xlsx.SheetName(name, n), as))...)
	}
	return list
}

// byTitles are rows by the titles above them.
func byTitles(rows [][]string) (list []map[string]string) {
	for _, row := range rows[min(1, len(rows)):] {
		cells := map[string]string{}
		for i, text := range row {
			cells[rows[0][i]] = text
		}
		list = append(list, cells)
	}
	return list
}

// perCrawler makes a row for each crawler from the rows of a sheet on verdicts, with the crawler's
// own values if a cell names several: "allow (Googlebot); none (Bingbot)".
func perCrawler(t testing.TB, rows []map[string]string) (list []map[string]string) {
	t.Helper()
	seen := map[string]bool{}
	for _, row := range rows {
		if row["Crawlers"] == "" {
			if row["Verdict"] != "" {
				t.Errorf("a row without crawlers: %v", row)
			}
			continue // a sentence instead of rows
		}
		crawlers := strings.Split(row["Crawlers"], ", ")
		for _, crawler := range crawlers {
			own := maps.Clone(row)
			own["Crawler"] = crawler
			for _, title := range []string{"Rule", "Group", "Why this group", "Runner-up rule", "Runner-up line", "Margin (bytes)", "If this line is deleted"} {
				own[title] = valueFor(t, row[title], crawler, crawlers)
			}
			list = append(list, own)
		}
		// A URL and a deciding line have one row, which names a crawler once.
		for _, key := range append(slices.Clone(crawlers), "line "+row["Line"]+" "+row["Verdict"]) {
			if key = row["URL"] + " " + row["Source"] + " " + key; seen[key] {
				t.Errorf("%s twice", key)
			}
			seen[key] = true
		}
	}
	return list
}

// valueFor is the value in a cell for one of the crawlers of its row.
func valueFor(t testing.TB, cell, crawler string, crawlers []string) string {
	t.Helper()
	if len(crawlers) < 2 || !strings.HasSuffix(cell, ")") {
		return cell
	}
	for part := range strings.SplitSeq(cell, "); ") {
		value, who, _ := strings.Cut(strings.TrimSuffix(part, ")"), " (")
		if !slices.Contains(crawlers, strings.Split(who, ", ")[0]) {
			return cell // the value itself ends in this way
		}
		if slices.Contains(strings.Split(who, ", "), crawler) {
			return strings.TrimPrefix(value, "none")
		}
	}
	t.Errorf("%q has nothing for %s", cell, crawler)
	return ""
}

// leftOutSheets are the lines of the summary sheet about omitted sheets.
func leftOutSheets(t testing.TB, f *excelize.File) (lines string) {
	t.Helper()
	for _, row := range sheetCells(t, f, "Summary") {
		if len(row) > 0 && (strings.HasPrefix(row[0], "No rows for: ") || strings.HasPrefix(row[0], "Not tested: ")) {
			lines += row[0] + "\n"
		}
	}
	return lines
}

// columns formats some columns of rows, one row on each line.
func columns(rows []map[string]string, titles ...string) string {
	var b strings.Builder
	for _, row := range rows {
		for i, title := range titles {
			if i > 0 {
				b.WriteString(" | ")
			}
			b.WriteString(row[title])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestJoins checks lines whose deletion joins groups: in the sheets Blocked and Rules, in Summary
// and on the page.
func TestJoins(t *testing.T) {
	t.Parallel()
	records := judged(t, "Googlebot,Bingbot,GPTBot", engine.File{Status: 200, Body: []byte("User-agent: Googlebot\nDisallow: /a\n\nUser-agent: GPTBot\nDisallow:\n\nUser-agent: *\nDisallow: /\n")},
		"/a", "/b", "/c")
	f, page := writtenWithPage(t, Options{}, records)
	checkHas(t, page, `<td>1<td>deleting it unblocks 1 URL. Deleting only this line adds the user-agents above it to the group of line 4. Write an empty "Disallow:" instead`+"\n")
	checkText(t, columns(sheetRows(t, f, "Blocked"), "URL", "Crawlers", "If this line is deleted"), `https://example.com/c | Bingbot | allow: no other rule
https://example.com/b | Bingbot | allow: no other rule
https://example.com/a | Googlebot | allow: deleting only this line adds Googlebot to the group of line 4. Write an empty "Disallow:" instead
https://example.com/a | Bingbot | allow: no other rule
`)
	rules := slices.DeleteFunc(sheetRows(t, f, "Rules"), func(row map[string]string) bool { return row["URLs decided"] == "" })
	checkText(t, columns(rules, "Line", "Unblocked if deleted", "Blocked if deleted", "Effect"), `2 | 1 | 0 | deleting it unblocks 1 URL. Deleting only this line adds the user-agents above it to the group of line 4. Write an empty "Disallow:" instead
5 | 0 | 3 | decides nothing, but deleting it blocks 3 URLs. Deleting only this line adds the user-agents above it to the group of line 7. Leave it; a rule without a path is ignored
8 | 3 | 0 | deleting it unblocks 3 URLs
`)
}

// TestDeletionsNotKnown has a file that crawlers would read further if a line were deleted: no
// number is shown for the unknown effect.
func TestDeletionsNotKnown(t *testing.T) {
	t.Parallel()
	var body strings.Builder
	body.WriteString("User-agent: *\nDisallow: /a\n")
	urls := []string{"/a"}
	for i := range 20 {
		urls = append(urls, fmt.Sprintf("/p%d/", i))
		fmt.Fprintf(&body, "Disallow: %s\n", urls[i+1])
	}
	body.WriteString(strings.Repeat("# "+strings.Repeat("x", 997)+"\n", 600))
	records := judged(t, "Googlebot", engine.File{Status: 200, Body: []byte(body.String())}, urls...)
	f, page := writtenWithPage(t, Options{}, records)
	said := map[string]int{}
	for _, row := range sheetRows(t, f, "Blocked") {
		said[row["If this line is deleted"]]++
	}
	const why = "the file is longer than the part that is read, and without the line more of it is read"
	if said["allow: "+why] == 0 || said["not known: "+why] == 0 || len(said) != 2 {
		t.Errorf("%v", said)
	}
	for _, row := range sheetRows(t, f, "Rules")[1:3] {
		if row["Unblocked if deleted"] != "" || row["Blocked if deleted"] != "" || row["Effect"] != "effect unknown: "+why {
			t.Errorf("%v", row)
		}
	}
	checkHas(t, page, `<td>–<td>effect unknown: `+why+"\n")
}

func TestRival(t *testing.T) {
	t.Parallel()
	body := "user-agent: *\ndisallow: /a\nallow: /a/b\ndisallow: /a/b/c\ndisallow: /a/b/c/d\n\nuser-agent: none\ndisallow: /a\n"
	f := written(t, Options{}, judged(t, "Googlebot,GPTBot,Googlebot@rep-1994", engine.File{Status: 200, Body: []byte(body)},
		"/a", "/a/b", "/a/b/c", "/a/b/c/d", "/img/a", "/ok", "/a/%62/c"))
	blocked := sheetRows(t, f, "Blocked")
	got := columns(blocked, "URL", "Crawlers", "Profile", "Line", "Runner-up rule", "Runner-up line", "Margin (bytes)", "If this line is deleted", "Template", "Clicks")
	want := `https://example.com/a/%62/c | Googlebot, Googlebot@rep-1994 | google, rep-1994 | 2 | none (Googlebot); disallow: /a/b/c (Googlebot@rep-1994) | none (Googlebot); 4 (Googlebot@rep-1994) | none (Googlebot); 0 (Googlebot@rep-1994) | allow: no other rule (Googlebot); still disallow by line 4 (Googlebot@rep-1994) | /a/%62/c | 6
https://example.com/a/%62/c | GPTBot | rfc9309 | 4 | allow: /a/b | 3 | 2 | allow by line 3 | /a/%62/c | 6
https://example.com/a/b/c/d | Googlebot, GPTBot | google, rfc9309 | 5 | disallow: /a/b/c | 4 | 2 | still disallow by line 4 | /a/b/c/d | 3
https://example.com/a/b/c/d | Googlebot@rep-1994 | rep-1994 | 2 | disallow: /a/b/c | 4 | 0 | still disallow by line 4 | /a/b/c/d | 3
https://example.com/a/b/c | Googlebot, GPTBot | google, rfc9309 | 4 | allow: /a/b | 3 | 2 | allow by line 3 | /a/b/c | 2
https://example.com/a/b/c | Googlebot@rep-1994 | rep-1994 | 2 | disallow: /a/b/c | 4 | 0 | still disallow by line 4 | /a/b/c | 2
https://example.com/a/b | Googlebot@rep-1994 | rep-1994 | 2 |  |  |  | allow: no other rule | /a/b | 1
https://example.com/a | Googlebot, GPTBot, Googlebot@rep-1994 | google, rfc9309, rep-1994 | 2 |  |  |  | allow: no other rule | /a | 
`
	checkText(t, got, want)
	if a, b := blocked[4]["url_id"], blocked[0]["url_id"]; a != b || len(a) != 16 {
		t.Errorf("two spellings of one URL have the ids %s and %s", a, b)
	}
	seen := map[string]string{}
	for _, r := range sheetRows(t, f, "Rules") {
		if r["Line"] == "8" && r["Group"] != "none" {
			t.Errorf("the group of a line that nobody obeys is %q", r["Group"])
		}
		if r["Compared as"] == "" {
			continue
		}
		if line := seen[r["rule_id"]]; len(r["rule_id"]) != 16 || line != "" && line != r["Line"] {
			t.Errorf("line %s has the id %q, as line %s", r["Line"], r["rule_id"], line)
		}
		seen[r["rule_id"]] = r["Line"]
	}
	if len(seen) != 5 {
		t.Errorf("%d rules, want 5", len(seen))
	}
}

// addKind counts a URL that is not a page.
func addKind(d *audit.Done, u audit.URL, blocked bool) {
	if d.Kinds == nil {
		d.Kinds = map[string]*audit.Counts{}
	}
	k := d.Kinds[u.Kind.String()]
	if k == nil {
		k = &audit.Counts{Blocked: make([]int64, len(u.Verdicts))}
		d.Kinds[u.Kind.String()] = k
	}
	k.URLs++
	for i, v := range u.Verdicts {
		if v == engine.Disallow {
			k.Blocked[i]++
		}
	}
	if blocked {
		k.BlockedAny++
	}
}
