package reports

import (
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
)

func sitemapTable(crawlers []audit.Crawler) *table[audit.Sitemap] {
	columns := []column[audit.Sitemap]{
		{"No.", 7, func(s *audit.Sitemap) cell { return plainNumber(s.Index + 1) }},
		{"Sitemap", 70, func(s *audit.Sitemap) cell { return text(s.URL) }},
		{"Named by", 24, func(s *audit.Sitemap) cell { return text(namedBy(s)) }},
		{"Status", 8, func(s *audit.Sitemap) cell { return plainNumber(s.Status) }},
		{"Trouble", 24, func(s *audit.Sitemap) cell { return text(trouble(s.Code, s.Detail)) }},
		{"Format", 9, func(s *audit.Sitemap) cell { return text(s.Format) }},
		{"Gzip", 7, func(s *audit.Sitemap) cell { return yesNo(s.Gzip) }},
		{"Bytes", 12, func(s *audit.Sitemap) cell { return number(s.Bytes) }},
		{"Entries", 10, func(s *audit.Sitemap) cell { return number(s.URLs) }},
		{"URLs tested", 10, func(s *audit.Sitemap) cell { return number(s.Tested) }},
		{"Named before", 10, func(s *audit.Sitemap) cell { return number(s.Repeated) }},
		{"Left out", 9, func(s *audit.Sitemap) cell { return number(total(s.LeftOut)) }},
	}
	for i, c := range crawlers {
		columns = append(columns, column[audit.Sitemap]{"Blocked for " + c.Label, 14, func(s *audit.Sitemap) cell {
			if i >= len(s.Blocked) {
				return cell{}
			}
			return number(s.Blocked[i])
		}})
	}
	columns = append(columns,
		column[audit.Sitemap]{"Sitemap itself blocked for", 30, func(s *audit.Sitemap) cell { return text(selfBlocked(s, crawlers)) }},
		column[audit.Sitemap]{"XML error", 50, func(s *audit.Sitemap) cell { return text(xmlError(s.Notes)) }},
		column[audit.Sitemap]{"Notes", 50, func(s *audit.Sitemap) cell { return text(notes(s.Notes)) }},
		column[audit.Sitemap]{"Notes in words", 60, func(s *audit.Sitemap) cell { return text(notesInWords(s.Notes)) }},
		column[audit.Sitemap]{"Fetched (UTC)", 19, func(s *audit.Sitemap) cell { return moment(s.Started) }},
		column[audit.Sitemap]{"ms", 9, func(s *audit.Sitemap) cell { return realNumber(s.Millis) }},
	)
	return newTable("Sitemaps", columns)
}

// namedBy says where a sitemap is declared.
func namedBy(s *audit.Sitemap) string {
	switch {
	case s.Parent >= 0:
		return "sitemap no. " + itoa(s.Parent+1)
	case s.Line > 0:
		return "robots.txt line " + itoa(s.Line)
	}
	return "the usual place"
}

// trouble joins a code and its detail; "" = none.
func trouble(code, detail string) string {
	if detail == "" || code == "" {
		return code
	}
	return code + ": " + detail
}

func total(counts map[string]int64) (n int64) {
	for _, c := range counts {
		n += c
	}
	return n
}

// selfBlocked names the crawlers that may not fetch the sitemap itself.
func selfBlocked(s *audit.Sitemap, crawlers []audit.Crawler) string {
	var names []string
	for i, v := range s.Self {
		if v != engine.Disallow || i >= len(crawlers) {
			continue
		}
		name := crawlers[i].Label
		if i < len(s.SelfLines) && s.SelfLines[i] > 0 {
			name += " (line " + itoa(int(s.SelfLines[i])) + ")"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// xmlError says where a strict parser stops reading a sitemap; "" = nowhere.
func xmlError(list []audit.Note) string {
	for _, n := range list {
		if n.Line > 0 {
			return place(n) + ": " + n.Detail
		}
	}
	return ""
}

// place says where in a sitemap a note points to.
func place(n audit.Note) string {
	return "line " + thousands(n.Line) + ", byte " + thousands(n.Byte)
}

// noteOtherScheme is a code of notes, and of reasons why a URL was left out,
// where it means something else.
const noteOtherScheme = "other_scheme"

// notesInWords says what the codes of notes mean.
func notesInWords(list []audit.Note) string {
	var words []string
	for _, n := range list {
		if n.Code == noteOtherScheme {
			words = append(words, "https in a sitemap had over http, or the other way round")
		} else {
			words = append(words, meaning(n.Code))
		}
	}
	return strings.Join(words, "; ")
}

func notes(list []audit.Note) string {
	var b strings.Builder
	for i, n := range list {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(n.Code)
		if n.Count > 1 {
			b.WriteString(" (" + thousands(n.Count) + " times)")
		}
		if n.Line > 0 {
			b.WriteString(" (" + place(n) + ")")
		}
		if n.Detail != "" {
			b.WriteString(": " + n.Detail)
		}
	}
	return b.String()
}

// hopRow is one request for a robots.txt.
type hopRow struct {
	origin string
	step   int
	hop    audit.Hop
	file   *audit.Outcome // of the last hop: the whole
	reads  []audit.Read   // of the last hop
	later  []string       // of the last hop, for each crawler: what becomes of the answer in time
}

func hopTable(crawlers []audit.Crawler) *table[hopRow] {
	last := func(r *hopRow, c cell) cell {
		if r.file == nil {
			return cell{}
		}
		return c
	}
	outcome := func(r *hopRow) *audit.Outcome {
		if r.file == nil {
			return &audit.Outcome{}
		}
		return r.file
	}
	columns := []column[hopRow]{
		{"Origin", 32, func(r *hopRow) cell { return text(r.origin) }},
		{"Step", 7, func(r *hopRow) cell { return plainNumber(r.step) }},
		{"URL", 50, func(r *hopRow) cell { return text(r.hop.URL) }},
		{"Status", 8, func(r *hopRow) cell { return plainNumber(r.hop.Status) }},
		{"ms", 9, func(r *hopRow) cell { return realNumber(r.hop.Millis) }},
		{"Leads to", 40, func(r *hopRow) cell { return text(r.hop.Location) }},
		{"Address", 18, func(r *hopRow) cell { return text(r.hop.Address) }},
		{"Trouble", 30, func(r *hopRow) cell {
			if r.file != nil && r.file.Code != "" {
				return text(trouble(r.file.Code, r.file.Detail))
			}
			return text(r.hop.Code)
		}},
		{"Content-Type", 24, func(r *hopRow) cell { return text(outcome(r).Type) }},
		{"Bytes", 10, func(r *hopRow) cell { return last(r, number(outcome(r).Bytes)) }},
	}
	for i, c := range crawlers {
		columns = append(columns, column[hopRow]{"What " + c.Label + " makes of it", 50, func(r *hopRow) cell {
			if i >= len(r.reads) {
				return cell{}
			}
			return text(accessWords(&r.reads[i]))
		}})
	}
	for i := range crawlers {
		columns = append(columns, column[hopRow]{"Forecast for " + crawlers[i].Label, 60, func(r *hopRow) cell {
			if i >= len(r.later) {
				return cell{}
			}
			return text(r.later[i])
		}})
	}
	columns = append(columns, column[hopRow]{"Time (UTC)", 19, func(r *hopRow) cell { return moment(r.hop.Started) }})
	return newTable("Hosts", columns)
}

// accessWords says what an answer means to a crawler.
func accessWords(r *audit.Read) string {
	words := r.Access.String()
	switch r.Access {
	case engine.Parsed:
		if r.Why != "" {
			return r.Why
		}
		words = "the rules apply"
	case engine.AllowAll:
		words = "everything may be crawled"
	case engine.DisallowAll:
		words = "everything is blocked from crawling"
	}
	if r.Why != "" {
		words += ": " + r.Why
	}
	return words
}

const sameAtAnyTime = "the same at any time"

// forecast says what becomes of an origin's answer in time, if nothing changes,
// to the crawler of that index.
func (b *siteBook) forecast(origin, crawler int) string {
	c, p, ok := b.site.Crawlers[crawler].Robot()
	if !ok {
		return ""
	}
	prospects := b.answers.Forecast(origin, p, c)
	if len(prospects) == 1 {
		return sameAtAnyTime
	}
	var parts []string
	for _, prospect := range prospects {
		when, _ := strings.CutSuffix(prospect.String(), prospect.Access.String())
		words := "nothing is said"
		switch {
		case prospect.Access == engine.AllowAll:
			words = "everything may be crawled"
		case prospect.Access == engine.DisallowAll:
			words = "everything is blocked"
		case prospect.Access == engine.Parsed:
			words = "the rules of that copy apply"
		}
		parts = append(parts, when+words)
	}
	return strings.Join(parts, "; ")
}

// addHops writes every request that led to a robots.txt, or to none.
func (b *siteBook) addHops(r *audit.Robots) {
	hops := r.File.Hops
	if len(hops) == 0 { // nothing was ever sent
		hops = []audit.Hop{{URL: r.File.URL, Status: r.File.Status, Started: r.File.Started, Millis: r.File.Millis}}
	}
	for i, hop := range hops {
		row := hopRow{origin: r.Origin, step: i + 1, hop: hop}
		if i == len(hops)-1 {
			row.file, row.reads = &r.File.Outcome, r.Reads
			for c := range b.site.Crawlers {
				row.later = append(row.later, b.forecast(r.Index, c))
			}
		}
		b.hosts.add(&b.book, &row)
	}
}

// evidenceRow is a file that was fetched.
type evidenceRow struct {
	what string
	*audit.Outcome
	file string // in the evidence folder
}

func evidenceTable() *table[evidenceRow] {
	return newTable("Evidence", []column[evidenceRow]{
		{"What", 40, func(r *evidenceRow) cell { return text(r.what) }},
		{"URL", 60, func(r *evidenceRow) cell { return text(r.URL) }},
		{"Time (UTC)", 19, func(r *evidenceRow) cell { return moment(r.Started) }},
		{"Status", 8, func(r *evidenceRow) cell { return plainNumber(r.Status) }},
		{"Bytes", 12, func(r *evidenceRow) cell { return number(r.Bytes) }},
		{"Bytes over the wire", 12, func(r *evidenceRow) cell { return number(r.Wire) }},
		{"SHA-256", 66, func(r *evidenceRow) cell { return text(r.SHA256) }},
		{"Content-Type", 26, func(r *evidenceRow) cell { return text(r.Type) }},
		{"Tries", 7, func(r *evidenceRow) cell { return count(int64(r.Tries)) }},
		{"Cut", 7, func(r *evidenceRow) cell { return yesNo(r.Truncated) }},
		{"Trouble", 30, func(r *evidenceRow) cell { return text(trouble(r.Code, r.Detail)) }},
		{"File", 40, func(r *evidenceRow) cell {
			if r.file == "" {
				return text("not kept: the hash is of what was read")
			}
			return text(r.file)
		}},
	})
}
