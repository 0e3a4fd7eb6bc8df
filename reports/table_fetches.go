package reports

import (
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/xlsx"
)

func sitemapTable(crawlers []audit.Crawler) *xlsx.Table[audit.Sitemap] {
	columns := []xlsx.Column[audit.Sitemap]{
		{Title: "No.", Width: 7, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Identifier(s.Index + 1) }},
		{Title: "Sitemap", Width: 70, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Text(s.URL) }},
		{Title: "Named by", Width: 24, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Text(namedBy(s)) }},
		{Title: "Status", Width: 8, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Identifier(s.Status) }},
		{Title: "Trouble", Width: 24, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Text(trouble(s.Code, s.Detail)) }},
		{Title: "Format", Width: 9, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Text(s.Format) }},
		{Title: "Gzip", Width: 7, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.YesNo(s.Gzip) }},
		{Title: "Bytes", Width: 12, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Number(s.Bytes) }},
		{Title: "Entries", Width: 10, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Number(s.URLs) }},
		{Title: "URLs tested", Width: 10, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Number(s.Tested) }},
		{Title: "Named before", Width: 10, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Number(s.Repeated) }},
		{Title: "Left out", Width: 9, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Number(total(s.LeftOut)) }},
	}
	for i, c := range crawlers {
		columns = append(columns, xlsx.Column[audit.Sitemap]{Title: "Blocked for " + c.Label, Width: 14, Value: func(s *audit.Sitemap) xlsx.Cell {
			if i >= len(s.Blocked) {
				return xlsx.Cell{}
			}
			return xlsx.Number(s.Blocked[i])
		}})
	}
	columns = append(columns,
		xlsx.Column[audit.Sitemap]{Title: "Sitemap itself blocked for", Width: 30, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Text(selfBlocked(s, crawlers)) }},
		xlsx.Column[audit.Sitemap]{Title: "XML error", Width: 50, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Text(xmlError(s.Notes)) }},
		xlsx.Column[audit.Sitemap]{Title: "Notes", Width: 50, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Text(notes(s.Notes)) }},
		xlsx.Column[audit.Sitemap]{Title: "Notes in words", Width: 60, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Text(notesInWords(s.Notes)) }},
		xlsx.Column[audit.Sitemap]{Title: "Fetched (UTC)", Width: 19, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Time(s.Started) }},
		xlsx.Column[audit.Sitemap]{Title: "ms", Width: 9, Value: func(s *audit.Sitemap) xlsx.Cell { return xlsx.Float(s.Millis) }},
	)
	return xlsx.NewTable("Sitemaps", columns)
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
	answer *engine.File   // of the last hop
}

func hopTable(crawlers []audit.Crawler) *xlsx.Table[hopRow] {
	last := func(r *hopRow, c xlsx.Cell) xlsx.Cell {
		if r.file == nil {
			return xlsx.Cell{}
		}
		return c
	}
	outcome := func(r *hopRow) *audit.Outcome {
		if r.file == nil {
			return &audit.Outcome{}
		}
		return r.file
	}
	columns := []xlsx.Column[hopRow]{
		{Title: "Origin", Width: 32, Value: func(r *hopRow) xlsx.Cell { return xlsx.Text(r.origin) }},
		{Title: "Step", Width: 7, Value: func(r *hopRow) xlsx.Cell { return xlsx.Identifier(r.step) }},
		{Title: "URL", Width: 50, Value: func(r *hopRow) xlsx.Cell { return xlsx.Text(r.hop.URL) }},
		{Title: "Status", Width: 8, Value: func(r *hopRow) xlsx.Cell { return xlsx.Identifier(r.hop.Status) }},
		{Title: "ms", Width: 9, Value: func(r *hopRow) xlsx.Cell { return xlsx.Float(r.hop.Millis) }},
		{Title: "Leads to", Width: 40, Value: func(r *hopRow) xlsx.Cell { return xlsx.Text(r.hop.Location) }},
		{Title: "Address", Width: 18, Value: func(r *hopRow) xlsx.Cell { return xlsx.Text(r.hop.Address) }},
		{Title: "Trouble", Width: 30, Value: func(r *hopRow) xlsx.Cell {
			if r.file != nil && r.file.Code != "" {
				return xlsx.Text(trouble(r.file.Code, r.file.Detail))
			}
			return xlsx.Text(r.hop.Code)
		}},
		{Title: "Content-Type", Width: 24, Value: func(r *hopRow) xlsx.Cell { return xlsx.Text(outcome(r).Type) }},
		{Title: "Bytes", Width: 10, Value: func(r *hopRow) xlsx.Cell { return last(r, xlsx.Number(outcome(r).Bytes)) }},
	}
	for i, c := range crawlers {
		columns = append(columns, xlsx.Column[hopRow]{Title: "What " + c.Label + " makes of it", Width: 50, Value: func(r *hopRow) xlsx.Cell {
			if i >= len(r.reads) {
				return xlsx.Cell{}
			}
			return xlsx.Text(accessWords(&r.reads[i]))
		}})
	}
	for i := range crawlers {
		columns = append(columns, xlsx.Column[hopRow]{Title: "Forecast for " + crawlers[i].Label, Width: 60, Value: func(r *hopRow) xlsx.Cell {
			if r.answer == nil {
				return xlsx.Cell{}
			}
			return xlsx.Text(forecast(crawlers[i].Profile, r.answer))
		}})
	}
	columns = append(columns, xlsx.Column[hopRow]{Title: "Time (UTC)", Width: 19, Value: func(r *hopRow) xlsx.Cell { return xlsx.Time(r.hop.Started) }})
	return xlsx.NewTable("Hosts", columns)
}

// accessWords says what an answer means to a crawler.
func accessWords(r *audit.Read) string {
	words := r.Access
	switch words {
	case "parsed":
		if r.Why != "" {
			return r.Why
		}
		words = "the rules apply"
	case "allow_all":
		words = "everything may be crawled"
	case "disallow_all":
		words = "everything is blocked from crawling"
	}
	if r.Why != "" {
		words += ": " + r.Why
	}
	return words
}

const sameAtAnyTime = "the same at any time"

// forecast says what becomes of an answer in time, if nothing changes.
func forecast(profile string, f *engine.File) string {
	p, ok := engine.ProfileByName(profile)
	if !ok {
		return ""
	}
	prospects := p.Forecast(*f)
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
			f := answer(r) // the body makes no difference here
			row.file, row.reads, row.answer = &r.File.Outcome, r.Reads, &f
		}
		b.hosts.AddRow(&b.Workbook, &row)
	}
}

// evidenceRow is a file that was fetched.
type evidenceRow struct {
	what string
	*audit.Outcome
	file string // in the evidence folder
}

func evidenceTable() *xlsx.Table[evidenceRow] {
	return xlsx.NewTable("Evidence", []xlsx.Column[evidenceRow]{
		{Title: "What", Width: 40, Value: func(r *evidenceRow) xlsx.Cell { return xlsx.Text(r.what) }},
		{Title: "URL", Width: 60, Value: func(r *evidenceRow) xlsx.Cell { return xlsx.Text(r.URL) }},
		{Title: "Time (UTC)", Width: 19, Value: func(r *evidenceRow) xlsx.Cell { return xlsx.Time(r.Started) }},
		{Title: "Status", Width: 8, Value: func(r *evidenceRow) xlsx.Cell { return xlsx.Identifier(r.Status) }},
		{Title: "Bytes", Width: 12, Value: func(r *evidenceRow) xlsx.Cell { return xlsx.Number(r.Bytes) }},
		{Title: "Bytes over the wire", Width: 12, Value: func(r *evidenceRow) xlsx.Cell { return xlsx.Number(r.Wire) }},
		{Title: "SHA-256", Width: 66, Value: func(r *evidenceRow) xlsx.Cell { return xlsx.Text(r.SHA256) }},
		{Title: "Content-Type", Width: 26, Value: func(r *evidenceRow) xlsx.Cell { return xlsx.Text(r.Type) }},
		{Title: "Tries", Width: 7, Value: func(r *evidenceRow) xlsx.Cell { return xlsx.NumberOrBlank(int64(r.Tries)) }},
		{Title: "Cut", Width: 7, Value: func(r *evidenceRow) xlsx.Cell { return xlsx.YesNo(r.Truncated) }},
		{Title: "Trouble", Width: 30, Value: func(r *evidenceRow) xlsx.Cell { return xlsx.Text(trouble(r.Code, r.Detail)) }},
		{Title: "File", Width: 40, Value: func(r *evidenceRow) xlsx.Cell {
			if r.file == "" {
				return xlsx.Text("not kept: the hash is of what was read")
			}
			return xlsx.Text(r.file)
		}},
	})
}
