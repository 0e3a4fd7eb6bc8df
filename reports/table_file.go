package reports

import (
	"bytes"
	"iter"

	"robots-audit/audit"
	"robots-audit/reports/internal/xlsx"
)

// fileRow is a line of a robots.txt with the URLs it decides.
type fileRow struct {
	origin  string
	line    int
	offset  int
	text    string
	kind    string
	why     string  // why it does not count
	lint    string  // ids of the findings about the line
	decided []int64 // for each crawler; nil = the line is no rule
}

func fileTable(crawlers []audit.Crawler) *xlsx.Table[fileRow] {
	columns := []xlsx.Column[fileRow]{
		{Title: "Line", Width: 7, Value: func(r *fileRow) xlsx.Cell { return xlsx.Identifier(r.line) }},
		{Title: "Text", Width: 80, Value: func(r *fileRow) xlsx.Cell { return xlsx.Text(r.text) }},
		{Title: "Counts as", Width: 34, Value: func(r *fileRow) xlsx.Cell { return xlsx.Text(r.kind) }},
		{Title: "Lint", Width: 18, Value: func(r *fileRow) xlsx.Cell { return xlsx.Text(r.lint) }},
	}
	for i, c := range crawlers {
		columns = append(columns, xlsx.Column[fileRow]{Title: "Decides for " + c.Label, Width: 15, Value: func(r *fileRow) xlsx.Cell {
			if r.decided == nil || r.decided[i] < 0 {
				return xlsx.Cell{}
			}
			return xlsx.Number(r.decided[i])
		}})
	}
	columns = append(columns,
		xlsx.Column[fileRow]{Title: "Why it does not count", Width: 60, Value: func(r *fileRow) xlsx.Cell { return xlsx.Text(r.why) }},
		xlsx.Column[fileRow]{Title: "Byte offset", Width: 12, Value: func(r *fileRow) xlsx.Cell { return xlsx.Number(int64(r.offset)) }},
		xlsx.Column[fileRow]{Title: "Origin", Width: 30, Value: func(r *fileRow) xlsx.Cell { return xlsx.Text(r.origin) }},
	)
	return xlsx.NewTable("File", columns)
}

// addFile writes every robots.txt line by line; body returns its bytes.
func (b *siteBook) addFile(body func(index int) []byte) {
	for _, robots := range b.robots {
		if robots != nil {
			b.addLines(robots, body(robots.Index))
		}
	}
}

func (b *siteBook) addLines(robots *audit.Robots, body []byte) {
	groups := map[int]string{} // by line, who obeys the group that begins there
	for i, c := range b.site.Crawlers {
		if line := read(robots, i).GroupLine; line > 0 {
			groups[line] = joinName(groups[line], c.Label)
		}
	}
	decided := b.decided(robots.Index)
	next, stop := iter.Pull(linesOf(robots, b.site.Crawlers, body))
	defer stop()
	looked := false // somebody looks at the lines of the file
	rest := bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	for n := 1; len(rest) > 0; n++ {
		row := fileRow{origin: robots.Origin, line: n, offset: len(body) - len(rest), decided: decided[n], lint: b.lintOf(robots.Index, n)}
		var line []byte
		line, rest = cutLine(rest)
		row.text = string(line)
		if l, ok := next(); ok {
			looked = true
			row.kind, row.why = lineWords(l), l.Why
			if l.Counts && (l.Kind == "allow" || l.Kind == "disallow") && row.decided == nil {
				row.kind += ", other crawlers"
			}
		} else if looked {
			row.kind, row.why = "not read", "it lies beyond what is read of the file"
		}
		if who := groups[n]; who != "" {
			row.kind += ", the group of " + who
		}
		b.file.AddRow(&b.Workbook, &row)
	}
}

// cutLine cuts at the first CR LF, LF or CR, as RFC 9309 ends lines.
func cutLine(body []byte) (line, rest []byte) {
	i := bytes.IndexAny(body, "\r\n")
	if i < 0 {
		return body, nil
	}
	if body[i] == '\r' && i+1 < len(body) && body[i+1] == '\n' {
		return body[:i], body[i+2:]
	}
	return body[:i], body[i+1:]
}

// decided returns, by line, the URLs that it decides for each crawler; -1 for
// crawlers that do not obey it.
func (b *siteBook) decided(origin int) map[int][]int64 {
	lines := map[int][]int64{}
	for _, group := range b.counts {
		if group.Origin != origin {
			continue
		}
		for _, c := range group.Counts {
			at := lines[c.Line]
			if at == nil {
				at = make([]int64, len(b.tables.crawlers))
				for i := range at {
					at[i] = -1
				}
				lines[c.Line] = at
			}
			for _, i := range group.Crawlers {
				if i >= 0 && i < len(at) {
					at[i] = c.Decided
				}
			}
		}
	}
	return lines
}
