package reports

import (
	"bytes"
	"fmt"
	"strings"

	"robots-audit/audit/table"
	"robots-audit/reports/internal/site"
)

// Segment is a part of sites that the user has named, such as their blog: see Options.
type Segment = site.Segment

// SegmentOf returns the name of the segment that a page is in; "" = no segments were named.
func (r *Run) SegmentOf(loc string) string { return r.segments.Name(loc) }

// ParseSegments reads a list of segments. Each line has a name and a pattern, separated by a tab,
// otherwise a comma, a semicolon or an equals sign; both may be in quotation marks. It skips empty
// lines, lines that begin with #, and a first line of titles, such as "name,pattern". An error
// gives the line and the list's name, which is the argument name.
//
// It also reads the first two columns of a sheet, or the columns with these titles among others.
func ParseSegments(name string, file []byte, o table.Options) (list []Segment, err error) {
	o.Want = []table.Meaning{table.Name, table.Pattern}
	of, err := table.Read(bytes.NewReader(file), o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer of.Close()
	text, err := segmentLines(of.Table())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	lines := map[string]int{} // line numbers by name
	titles := true            // a line of titles may still come
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		of, ok := parseSegment(line)
		if titles && isTitles(of) {
			titles = false
			continue
		}
		titles = false
		if !ok {
			return nil, fmt.Errorf("%s:%d: %.80q is no name and pattern, such as blog,/blog/ or blog = /blog/", name, i+1, line)
		}
		if err := of.Check(); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		if before := lines[of.Name]; before > 0 {
			return nil, fmt.Errorf("%s:%d: %.60q is a segment of line %d already; join their patterns, as in re:^/(blog|news)/", name, i+1, of.Name, before)
		}
		lines[of.Name] = i + 1
		list = append(list, of)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: it names no segment", name)
	}
	if _, err = site.NewSegments(list); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return list, nil
}

// segmentLines returns a list as a text, with a line for each row of a table. A text with only these
// two columns is returned as it is: a pattern may have commas.
func segmentLines(t *table.Table) (string, error) {
	name, pattern := t.Column(table.Name), t.Column(table.Pattern)
	if name < 0 || pattern < 0 || len(t.Titles) < 3 {
		if text, ok, err := t.Text(); ok {
			return text, err
		}
	}
	name = max(name, 0)
	if pattern < 0 {
		pattern = name + 1
	}
	var b strings.Builder
	line := 1
	for row, err := range t.Rows() {
		if err != nil {
			return "", err
		}
		if len(row.Cells) > max(len(t.Titles), 2) {
			return "", fmt.Errorf("line %d: %d columns, but the table has %d. Put a cell that contains the separator in quotation marks", row.Line, len(row.Cells), len(t.Titles))
		}
		for ; line < row.Line; line++ {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s\t%s\n", row.Cell(name), row.Cell(pattern))
		line++
	}
	return b.String(), nil
}

// parseSegment reads a line; ok = false: name and pattern have no separator.
func parseSegment(line string) (of Segment, ok bool) {
	separators := ",;="
	if strings.Contains(line, "\t") {
		separators = "\t"
	}
	name, rest, quoted := cutQuoted(line)
	if !quoted {
		i := strings.IndexAny(line, separators)
		if i < 0 {
			return of, false
		}
		name, rest = line[:i], line[i:]
	}
	rest = strings.TrimLeft(rest, " ")
	if rest == "" || strings.IndexByte(separators, rest[0]) < 0 {
		return of, false
	}
	pattern := strings.TrimSpace(rest[1:])
	if inside, after, quoted := cutQuoted(pattern); quoted && after == "" {
		pattern = inside
	}
	return Segment{Name: strings.TrimSpace(name), Pattern: pattern}, true
}

// cutQuoted cuts a quoted text off the beginning of s. Inside, two quotation marks mean one.
func cutQuoted(s string) (inside, after string, ok bool) {
	if s == "" || s[0] != '"' {
		return "", s, false
	}
	for i := 1; i < len(s); i++ {
		if s[i] != '"' {
			continue
		}
		if i+1 < len(s) && s[i+1] == '"' {
			i++
			continue
		}
		return strings.ReplaceAll(s[1:i], `""`, `"`), s[i+1:], true
	}
	return "", s, false
}

// isTitles reports whether a line of the list has the titles of a table.
func isTitles(of Segment) bool {
	switch strings.ToLower(of.Name) {
	case "name", "segment":
	default:
		return false
	}
	return of.Pattern != "" && !strings.HasPrefix(of.Pattern, "/") && !strings.HasPrefix(of.Pattern, "*") && !strings.HasPrefix(of.Pattern, "re:")
}
