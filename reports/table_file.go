package reports

import (
	"bytes"
	"strings"

	"robots-audit/audit"
)

// fileRow is a line of a robots.txt with the URLs it decides.
type fileRow struct {
	origin  string
	line    int
	text    string
	kind    string
	decided []int64 // for each crawler; nil = the line is no rule
}

func fileTable(crawlers []audit.Crawler) *table[fileRow] {
	columns := []column[fileRow]{
		{"Line", 7, func(r *fileRow) cell { return plainNumber(r.line) }},
		{"Text", 80, func(r *fileRow) cell { return text(r.text) }},
		{"Counts as", 30, func(r *fileRow) cell { return text(r.kind) }},
	}
	for i, c := range crawlers {
		columns = append(columns, column[fileRow]{"Decides for " + c.Label, 15, func(r *fileRow) cell {
			if r.decided == nil || r.decided[i] < 0 {
				return cell{}
			}
			return number(r.decided[i])
		}})
	}
	columns = append(columns, column[fileRow]{"Origin", 30, func(r *fileRow) cell { return text(r.origin) }})
	return newTable("File", columns)
}

// addFile writes every robots.txt line by line; body returns its bytes.
func (b *siteBook) addFile(body func(index int) []byte) {
	for _, robots := range b.robots {
		if robots == nil {
			continue
		}
		kinds := map[int]string{}
		for _, s := range robots.Sitemaps {
			kinds[s.Line] = "sitemap"
		}
		for _, r := range robots.Rules {
			kinds[r.Line] = "rule"
		}
		for _, r := range robots.Reads {
			if r.GroupLine > 0 {
				kinds[r.GroupLine] = "group of a crawler asked about"
			}
		}
		decided := b.decided(robots.Index)
		row := fileRow{origin: robots.Origin}
		for rest := bytes.TrimPrefix(body(robots.Index), []byte("\xef\xbb\xbf")); len(rest) > 0; {
			var line []byte
			line, rest = cutLine(rest)
			row.line++
			row.text, row.kind, row.decided = string(line), kinds[row.line], decided[row.line]
			if row.kind == "" {
				row.kind = otherLine(row.text)
			}
			b.file.add(&b.book, &row)
		}
	}
}

// otherLine says what a line is that gives the crawlers asked about no rule.
func otherLine(line string) string {
	line = strings.TrimSpace(line)
	if line == "" {
		return ""
	}
	if line[0] == '#' {
		return "comment"
	}
	field, _, ok := strings.Cut(line, ":")
	if !ok {
		return "nothing: no colon"
	}
	switch strings.ToLower(strings.TrimSpace(field)) {
	case "user-agent":
		return "user-agent line"
	case "allow", "disallow":
		return "nothing: no rule of any group"
	}
	return "other line"
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
