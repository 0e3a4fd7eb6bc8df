//go:build readers

package reports

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/xlsx"
)

// hostileHosts are names that a list may contain, and that a spreadsheet could take for an escape.
var hostileHosts = []string{"_x000d_.example", "a_x_x41_.example"}

// hostileRun writes a run in which all text from outside is hostile: the list, the names of
// crawlers, robots.txt as the engine reads it, and all other texts of a record.
func hostileRun(t *testing.T) (r *Run) {
	t.Helper()
	texts := slices.Sorted(maps.Keys(hostile))
	short, labels := hostileNames()
	labels += "," + strings.Repeat("c", xlsx.MaxText+1)
	urls := []string{"/" + strings.Repeat("b", xlsx.MaxText+1)}
	for _, text := range short {
		urls = append(urls, "/"+text, "/img/"+text, "/own/"+text, "/"+text+"/page", "/?_x0041_="+text+"&-2+3=1", "/?"+text)
	}
	records := judged(t, labels, engine.File{Status: 200, Body: hostileBody(short)}, urls...)
	crawlers := len(records[0].Site.Crawlers)
	records[0].Site.Logs = &audit.LogPeriod{From: start.AddDate(0, 0, -1), To: start}
	records[0].Site.Asked = short
	done := records[len(records)-1].Done
	done.Why, done.LeftOut = strings.Join(short, " "), map[string]int64{}
	var more []audit.Record
	for i, text := range texts {
		done.LeftOut[text] = 1
		list := []audit.Record{{Robots: &audit.Robots{}}, {URLs: &audit.URLs{}}, {Sitemap: &audit.Sitemap{}}, {Page: &audit.Page{}}, {Problem: &audit.Problem{}}, {Findings: &audit.Findings{}}, {Rules: &audit.Rules{}}}
		for k := range list {
			fill(reflect.ValueOf(&list[k]).Elem(), text)
		}
		robots, url, rules := list[0].Robots, &list[1].URLs.List[0], list[6].Rules
		robots.Index, url.Origin, list[5].Findings.Origin, rules.Origin = i+1, i+1, i+1, i+1
		robots.Origin = "https://" + hostileHosts[0] + ":" + strconv.Itoa(i+1)
		robots.Reads = slices.Repeat(robots.Reads, crawlers)
		url.Kind = audit.Kind(i % 4)
		url.Verdicts, url.Lines = make([]engine.Verdict, crawlers), make([]int32, crawlers)
		for c := range crawlers {
			url.Verdicts[c], url.Lines[c] = engine.Verdict((i+c/2)%4), 1
			if c > 0 && len(text) >= 100 { // LibreOffice takes seconds for a thousand long cells
				url.Verdicts[c], robots.Reads[c] = engine.Allow, audit.Read{}
			}
		}
		more = append(more, list...)
	}
	more = append(more, audit.Record{Logs: hostileLogs(texts)}, audit.Record{Asked: hostileAsked(texts, records[0].Site.Crawlers)})
	records = slices.Concat(records[:len(records)-1], more, records[len(records)-1:])

	o := testOptions(t.TempDir())
	o.Rows, o.Crawlers, o.Settings["user-agent"] = "all", records[0].Site.Crawlers, strings.Join(short, " ")
	for _, text := range short {
		if of := (Segment{Name: text, Pattern: "/" + strings.NewReplacer("\r", "", "\n", "").Replace(text)}); of.Check() == nil {
			o.Segments = append(o.Segments, of)
		}
	}
	past := hostilePast(short)
	o.Past = func(string) (*audit.Past, error) { return past, nil }
	r = openRun(t, o)
	for _, text := range texts {
		problem := &audit.Problem{}
		fill(reflect.ValueOf(problem).Elem(), text)
		writeAll(t, r, []audit.Record{{Problem: problem}})
	}
	for i, host := range hostileHosts {
		if d, why := audit.ParseDomain(host); d.Name != host {
			t.Fatalf("no list can name %s: %s", host, why)
		}
		site := *records[0].Site
		site.Name, site.Ordinal = host, i
		records[0].Site = &site
		for k := range records {
			records[k].Domain = host
		}
		writeAll(t, r, records)
	}
	closeRun(t, r)
	return r
}

// hostileLogs are access logs with a crawler for each of the texts.
func hostileLogs(texts []string) *audit.Logs {
	logs := &audit.Logs{Site: hostileHosts[0], From: start.AddDate(0, 0, -1), To: start, Judged: audit.LogHistory}
	for _, text := range texts {
		c := audit.LogCrawler{}
		fill(reflect.ValueOf(&c).Elem(), text)
		c.Days[0].Day = "2026-11-24"
		logs.Crawlers = append(logs.Crawlers, c)
	}
	return logs
}

// hostileAsked are answers in the names of crawlers: a page is refused to each of the texts, and to each crawler of
// the run, though robots.txt allows it.
func hostileAsked(texts []string, crawlers []audit.Crawler) *audit.Asked {
	a := &audit.Asked{Edge: texts}
	var page audit.AskedURL
	fill(reflect.ValueOf(&page).Elem(), texts[0])
	page.URL, page.Kind, page.Ours.Treatment = "https://example.com/", audit.AskedHome, audit.LetIn
	a.URLs = []audit.AskedURL{page}
	names := slices.Clone(texts)
	for _, c := range slices.Concat(crawlers[3:], crawlers[:3]) { // those with hostile names first
		names = append(names, c.Name)
	}
	at := slices.Index(names, "_x0041_") // the first contradiction, which the run shows, names it
	names[0], names[at] = names[at], names[0]
	for i, name := range names {
		var c audit.AskedCrawler
		var f audit.PolicyFile
		fill(reflect.ValueOf(&c).Elem(), texts[i%len(texts)])
		fill(reflect.ValueOf(&f).Elem(), texts[i%len(texts)])
		c.Name, c.Treatment, c.Replies[0].Treatment, c.Replies[0].Status = name, audit.Refused, audit.Refused, 403
		f.Kind, f.Status = audit.PolicyFiles[i%len(audit.PolicyFiles)], 200
		a.Crawlers, a.Files = append(a.Crawlers, c), append(a.Files, f)
	}
	return a
}

// hostilePast is a history with texts that others may have written into its database, and the notes
// of owners: one run for each of the texts.
func hostilePast(texts []string) *audit.Past {
	past := &audit.Past{Begins: start.AddDate(0, 0, -len(texts)), Notes: map[audit.NoteKey]string{}}
	for i, text := range texts {
		past.Points = append(past.Points, audit.Point{Started: past.Begins.AddDate(0, 0, i), Answer: text, SHA256: text, Status: 200, Known: 1, Blocked: map[string]int64{text: 1, "Googlebot": int64(i)}})
		past.Notes[audit.NoteKey{Kind: "url", ID: urlID("/" + text)}] = text
		past.Notes[audit.NoteKey{Kind: "rule", ID: audit.RuleID("*", "disallow: /"+text)}] = text
	}
	return past
}

// hostileNames are the short hostile texts, and a list of crawlers with those that such a list can
// contain.
func hostileNames() (short []string, crawlers string) {
	crawlers = "Googlebot,YandexBot,Googlebot@rep-1994"
	for _, text := range slices.Sorted(maps.Keys(hostile)) {
		if len(text) < 100 {
			short = append(short, text)
			if !strings.ContainsAny(text, ",@ \n\t") {
				crawlers += "," + text
			}
		}
	}
	return short, crawlers
}

// hostileBody is a robots.txt that has each of the texts in every place.
func hostileBody(texts []string) []byte {
	var b strings.Builder
	b.WriteString("user-agent: *\nclean-param: _x0041_&-2+3 /\n")
	for _, text := range texts {
		b.WriteString("disallow: /" + text + "\nallow: /" + text + "/page\ndisallow: /" + text + "/p*e$\ncontent-signal: ai-train=no, " + text + "\n")
	}
	for _, text := range texts {
		b.WriteString("user-agent: " + text + "\nuser-agent: GPTBot" + text + "\ndisallow: /own/" + text + "\n")
	}
	for _, text := range texts {
		b.WriteString("clean-param: " + text + "&_x000D_ /" + text + "\nsitemap: " + text + "\nsitemap: https://example.com/" + text + "\nhost: " + text + "\ncrawl-delay: " + text + "\n" + text + ": " + text + "\n" + text + "\n# " + text + "\n")
	}
	b.WriteString("# " + strings.Repeat("b", xlsx.MaxText+1) + "\nuser-agent: " + strings.Repeat("😀", xlsx.MaxText/2+1) + "\ndisallow: /" + strings.Repeat("\x01", xlsx.MaxText/4+1) + "\n")
	return []byte(b.String())
}

// ownWords are fields of records without text from a site: checked origins, and keys that select
// one of our sentences.
var ownWords = map[string]bool{"Robots.Origin": true, "Read.Access": true, "Read.GroupReason": true}

// fill puts text into every field that can have it, except ownWords, and gives every list and map
// an entry; numbers become 1, so that they are shown.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint8:
		v.SetUint(uint64(engine.Disallow)) // a verdict
	case reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Pointer:
		if !v.IsNil() {
			fill(v.Elem(), text)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && !ownWords[v.Type().Name()+"."+f.Name] {
				fill(v.Field(i), text)
			}
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[[]byte]() {
			v.SetBytes([]byte(text))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), text)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, text)
		fill(value, text)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	}
}

// everySheet fails if the workbooks of a site, or of a run, lack a sheet that the program can
// write, or rows in it, or a hostile text in those.
func everySheet(t *testing.T, names []string, books ...string) {
	t.Helper()
	rows, reached := map[string]bool{}, map[string]bool{}
	for _, name := range books {
		for _, sheet := range storedCells(t, name) {
			for _, row := range sheet.Rows[min(1, len(sheet.Rows)):] {
				rows[sheet.Name] = rows[sheet.Name] || len(row) > 1 // a single cell says why there are none
				for _, cell := range row {
					for _, shown := range hostile {
						reached[sheet.Name] = reached[sheet.Name] || len(shown) > 4 && strings.Contains(cell, shown)
					}
				}
			}
		}
	}
	for _, name := range names {
		if !rows[name] || !reached[name] {
			t.Errorf("%s: rows %v, hostile text %v, in any of %q", name, rows[name], reached[name], books)
		}
	}
}
