package reports

import (
	"bytes"
	"iter"

	"robots-audit/audit"
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

func fileTable(crawlers []audit.Crawler) *table[fileRow] {
	columns := []column[fileRow]{
		{"Line", 7, func(r *fileRow) cell { return plainNumber(r.line) }},
		{"Text", 80, func(r *fileRow) cell { return text(r.text) }},
		{"Counts as", 34, func(r *fileRow) cell { return text(r.kind) }},
		{"Lint", 18, func(r *fileRow) cell { return text(r.lint) }},
	}
	for i, c := range crawlers {
		columns = append(columns, column[fileRow]{"Decides for " + c.Label, 15, func(r *fileRow) cell {
			if r.decided == nil || r.decided[i] < 0 {
				return cell{}
			}
			return number(r.decided[i])
		}})
	}
	columns = append(columns,
		column[fileRow]{"Why it does not count", 60, func(r *fileRow) cell { return text(r.why) }},
		column[fileRow]{"Byte offset", 12, func(r *fileRow) cell { return number(int64(r.offset)) }},
		column[fileRow]{"Origin", 30, func(r *fileRow) cell { return text(r.origin) }},
	)
	return newTable("File", columns)
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
		b.file.add(&b.book, &row)
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
