package export

import (
	"slices"
	"strconv"
)

// value is the value in one column of a row.
type value struct {
	kind   valueKind
	text   string
	number int64 // of a time: milliseconds since 1970, UTC
}

type valueKind uint8

const (
	null valueKind = iota
	text
	number
	moment
)

// column is a column of the exports: its name, which is the tag of a field of Row, and its value.
type column struct {
	name string
	of   func(*Row) value
}

// The columns, in their order. Values that rows share are adjacent, so that writers write them
// once: the beginning of a row and the part after the verdict belong to its URL, the part between
// is the same for every URL with the same deciding line. Values of a single row come last: those of
// the history, and hits. Every new column also comes last, and its value is set in the row itself, even if it
// belongs to the verdict.
var (
	headColumns = []column{
		{"url_id", func(r *Row) value { return textValue(r.URLID) }},
		{"url", func(r *Row) value { return textValue(r.URL) }},
		{"kind", func(r *Row) value { return textValue(r.Kind) }},
	}
	verdictColumns = []column{
		{"crawler", func(r *Row) value { return textValue(r.Crawler) }},
		{"profile", func(r *Row) value { return textValue(r.Profile) }},
		{"verdict", func(r *Row) value { return textValue(r.Verdict) }},
		{"rule", func(r *Row) value { return textValueOrNull(r.Rule) }},
		{"line", func(r *Row) value { return numberValue(r.Line) }},
		{"group", func(r *Row) value { return textValueOrNull(r.Group) }},
		{"why", func(r *Row) value { return textValueOrNull(r.Why) }},
		{"runner_up", func(r *Row) value { return textValueOrNull(r.RunnerUp) }},
		{"runner_up_line", func(r *Row) value { return numberValue(r.RunnerUpLine) }},
		{"margin", func(r *Row) value { return numberValue(r.Margin) }},
		{"if_line_goes", func(r *Row) value { return textValueOrNull(r.Without) }},
	}
	tailColumns = []column{
		{"source", func(r *Row) value { return textValue(r.Source) }},
		{"lastmod", func(r *Row) value { return textValueOrNull(r.LastMod) }},
		{"directory", func(r *Row) value { return textValue(r.Directory) }},
		{"pattern", func(r *Row) value { return textValue(r.Pattern) }},
		{"clicks", func(r *Row) value { return numberValue(r.Clicks) }},
		{"impressions", func(r *Row) value { return numberValue(r.Impressions) }},
		{"lastmod_time", func(r *Row) value { return momentValue(r.LastModTime) }},
		{"site", func(r *Row) value { return textValue(r.Site) }},
		{"run", func(r *Row) value { return textValue(r.Run) }},
		{"version", func(r *Row) value { return textValue(r.Version) }},
		{"written", func(r *Row) value { return textValueOrNull(r.Written) }},
		{"indexed", func(r *Row) value { return textValueOrNull(r.Indexed) }},
	}
	rowColumns = []column{
		{"first_seen_blocked", func(r *Row) value { return momentValue(r.FirstBlocked) }},
		{"last_changed", func(r *Row) value { return momentValue(r.LastChanged) }},
		{"owner_note", func(r *Row) value { return textValueOrNull(r.OwnerNote) }},
		{"history_begins", func(r *Row) value { return momentValue(r.HistoryBegins) }},
		{"hits", func(r *Row) value { return numberValue(r.Hits) }},
	}
	columns = slices.Concat(headColumns, verdictColumns, tailColumns, rowColumns)
)

// The first columns of the parts.
var (
	verdictAt = len(headColumns)
	tailAt    = verdictAt + len(verdictColumns)
	rowAt     = tailAt + len(tailColumns)
)

func textValue(s string) value { return value{kind: text, text: s} }

func textValueOrNull(s *string) value {
	if s == nil {
		return value{}
	}
	return value{kind: text, text: *s}
}

func numberValue(n *int64) value {
	if n == nil {
		return value{}
	}
	return value{kind: number, number: *n}
}

func momentValue(m *utcMillis) value {
	if m == nil {
		return value{}
	}
	return value{kind: moment, number: int64(*m)}
}

// appendNumber appends a number, or a time in the format of RFC 3339.
func (v *value) appendNumber(dst []byte) []byte {
	if v.kind == moment {
		return utcMillis(v.number).append(dst)
	}
	return strconv.AppendInt(dst, v.number, 10)
}
