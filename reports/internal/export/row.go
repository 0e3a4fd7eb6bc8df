package export

import (
	"io"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/pattern"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/site"
)

// Row is a verdict for programs: a URL of one kind for one crawler. A page that is also an
// alternate has rows of both kinds under one url_id. It has the data of the sheets Blocked,
// Undecided and Resources. The fields' tags are the names of columns and keys, in their order. They
// are stable, and new columns are added at the end. A missing value is null.
type Row struct {
	URLID        string     `json:"url_id" parquet:"url_id"`
	URL          string     `json:"url" parquet:"url"`
	Kind         string     `json:"kind" parquet:"kind,dict"` // "page", "image", …
	Crawler      string     `json:"crawler" parquet:"crawler,dict"`
	Profile      string     `json:"profile" parquet:"profile,dict"`
	Verdict      string     `json:"verdict" parquet:"verdict,dict"`
	Rule         *string    `json:"rule" parquet:"rule,dict"` // null = no rule decided
	Line         *int64     `json:"line" parquet:"line"`
	Group        *string    `json:"group" parquet:"group,dict"` // null = no group applies
	Why          *string    `json:"why" parquet:"why,dict"`
	RunnerUp     *string    `json:"runner_up" parquet:"runner_up,dict"` // null = no other rule matches
	RunnerUpLine *int64     `json:"runner_up_line" parquet:"runner_up_line"`
	Margin       *int64     `json:"margin" parquet:"margin"`                  // octets; 0 = both rules have the same length
	Without      *string    `json:"if_line_goes" parquet:"if_line_goes,dict"` // null = no line decided
	Source       string     `json:"source" parquet:"source,dict"`
	LastMod      *string    `json:"lastmod" parquet:"lastmod,dict"` // as written
	Directory    string     `json:"directory" parquet:"directory,dict"`
	Pattern      string     `json:"pattern" parquet:"pattern,dict"`
	Clicks       *int64     `json:"clicks" parquet:"clicks"` // null = not in the user's own list
	Impressions  *int64     `json:"impressions" parquet:"impressions"`
	LastModTime  *utcMillis `json:"lastmod_time" parquet:"lastmod_time,timestamp(millisecond:utc)"` // null if LastMod cannot be parsed
	Site         string     `json:"site" parquet:"site,dict"`
	Run          string     `json:"run" parquet:"run,dict"`
	Version      string     `json:"version" parquet:"version,dict"` // of the program
	Written      *string    `json:"written" parquet:"written"`      // the URL as written by the site or the user's own list; null = as URL
	Indexed      *string    `json:"indexed" parquet:"indexed,dict"` // "yes": it is in the user's own list of indexed URLs; null = it is not

	// The history; null if the run has none, or if there is no date.
	FirstBlocked  *utcMillis `json:"first_seen_blocked" parquet:"first_seen_blocked,timestamp(millisecond:utc)"` // for this crawler; only for URLs of the important list
	LastChanged   *utcMillis `json:"last_changed" parquet:"last_changed,timestamp(millisecond:utc)"`             // since when the deciding rule exists
	OwnerNote     *string    `json:"owner_note" parquet:"owner_note"`
	HistoryBegins *utcMillis `json:"history_begins" parquet:"history_begins,timestamp(millisecond:utc)"` // an equal date means then or before

	Hits *int64 `json:"hits" parquet:"hits"` // requests of this crawler for the URL in access logs; null = no logs were given
}

// utcMillis is a time in milliseconds since 1970, UTC; its text is in RFC 3339. A time.Time is
// converted to nanoseconds for Parquet, which changes years before 1678 and after 2261.
type utcMillis int64

// String formats the time in RFC 3339, in UTC.
func (m utcMillis) String() string { return string(m.append(nil)) }

func (m utcMillis) append(dst []byte) []byte {
	return time.UnixMilli(int64(m)).UTC().AppendFormat(dst, time.RFC3339Nano)
}

// MarshalText formats the time for JSON.
func (m utcMillis) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText parses the format of MarshalText.
func (m *utcMillis) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.RFC3339Nano, string(text))
	*m = utcMillis(t.UnixMilli())
	return err
}

// writer writes rows in one format.
type writer interface {
	beginURL(*Row)              // begins the rows of another URL, whose fields are filled in
	write(*Row, *verdict) error // a row without the fields of its verdict, and the verdict
	add([]value) error          // a row of another table: a value for each column
	close() error               // writes the rest
}

// Metadata describes a file of rows as a whole.
type Metadata struct {
	Site, Run, Version string
	Build              string    // of the program
	Started            time.Time // of the run
	Crawlers           []audit.Crawler
	Rows               string // "blocked" or "all", as in reports.Options
	CSVMark            bool   // write a byte order mark before the rows of CSV
}

// formats are all formats, in the order in which messages name them; each name is the files'
// extension. A new format needs a line here and its writer.
var formats = []struct {
	name string
	open func(io.Writer, *Metadata, *table) writer
	pack packing // compression of the file as a whole; Parquet compresses its own pages
}{
	{"csv", newCSV, ""},
	{"csv.gz", newCSV, packGzip},
	{"jsonl", newJSONL, ""},
	{"jsonl.zst", newJSONL, packZstd},
	{"parquet", newParquet, ""},
}

// verdict is the part of rows on a verdict, made once for all its URLs.
type verdict struct {
	Row // only with the fields of verdictColumns

	texts [textFormats][]byte // as lines of text; nil = not used in a line yet

	// In Parquet: the last row group that used it, and its number there.
	rowGroup, inGroup int32
}

// The formats of lines of text, for verdict.texts.
const (
	asCSV = iota
	asJSONL
	textFormats
)

// setURL fills in the fields of a row on its URL.
func (s *Site) setURL(row *Row, u *site.URL) {
	row.URL = escape.ShowInvalid(u.Loc)
	row.Written, row.LastMod, row.Indexed = s.written.set(u.Written), s.lastMod.set(u.LastMod), s.indexed.set(site.IndexedWord(u))
	row.LastModTime = nil
	if at, ok := site.LastModTime(u.LastMod); ok {
		s.lastModTime = utcMillis(at.UnixMilli())
		row.LastModTime = &s.lastModTime
	}
	row.Clicks, row.Impressions = nil, nil
	if u.HasClicks() {
		row.Clicks = &u.Clicks
	}
	if u.HasImpressions() {
		row.Impressions = &u.Impressions
	}
	row.URLID, s.scratch = audit.URLID(s.scratch, s.site.Robots(u.Origin).Origin, u.Loc)
	if s.scratch = pattern.Append(s.scratch[:0], u.Loc); row.Pattern == "" || string(s.scratch) != s.pattern {
		s.pattern = string(s.scratch)
		row.Pattern = escape.ShowInvalid(s.pattern)
	}
	row.Directory = escape.ShowInvalid(audit.TopDirectory(u.Loc))
	row.Kind = site.KindName(u.Kind)
	if row.Source = site.Unlisted(u.URL); row.Source == "" {
		row.Source = escape.ShowInvalid(s.site.SitemapName(u.Sitemap))
	}
}

// verdict returns the part of rows on the verdict of a URL for the i-th crawler.
func (s *Site) verdict(u *site.URL, i int) *verdict {
	of := s.site.VerdictDetails(u, i)
	v := s.verdicts[of]
	if v == nil {
		if s.verdicts == nil || len(s.verdicts) >= maxVerdicts {
			s.verdicts = map[*site.VerdictDetails]*verdict{}
		}
		v = newVerdict(of, site.Read(s.site.Robots(u.Origin), i))
		s.verdicts[of] = v
	}
	return v
}

// maxVerdicts bounds the cached verdicts.
const maxVerdicts = 4096

func newVerdict(of *site.VerdictDetails, how *audit.Read) *verdict {
	rival := of.RunnerUpLine > 0
	v := &verdict{Row: Row{
		Crawler: escape.ShowInvalid(of.Crawler), Profile: escape.ShowInvalid(of.Profile), Verdict: of.Verdict.String(),
		Rule: textOrNull(of.Rule), Line: numberOrNull(of.Line > 0, int64(of.Line)), Group: textOrNull(of.Group), Why: textOrNull(of.Why), Without: textOrNull(of.Without),
		RunnerUp: textOrNull(of.RunnerUp), RunnerUpLine: numberOrNull(rival, int64(of.RunnerUpLine)), Margin: numberOrNull(rival, int64(of.Margin)),
	}}
	if v.Group == nil && how.GroupLine > 0 { // the group has an empty product token
		v.Group = new(string)
	}
	return v
}

// optional is a text of the current row that may be null.
type optional string

// set sets the text, and returns null if it is empty.
func (o *optional) set(s string) *string {
	if s == "" {
		return nil
	}
	*o = optional(escape.ShowInvalid(s))
	return (*string)(o)
}

// textOrNull is a text, or null if it is empty.
func textOrNull(s string) *string {
	if s == "" {
		return nil
	}
	s = escape.ShowInvalid(s)
	return &s
}

func numberOrNull(is bool, n int64) *int64 {
	if !is {
		return nil
	}
	return &n
}
