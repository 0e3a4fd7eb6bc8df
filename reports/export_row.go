package reports

import (
	"io"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/xlsx"
)

// exportRow is a verdict as programs read it: a URL for one crawler. It says
// what the rows of the sheets Blocked, Undecided and Resources say. The fields'
// tags are the names of columns and keys, in their order: a promise, to which
// columns are added at the end. What is none or was not given is null.
type exportRow struct {
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
	Margin       *int64     `json:"margin" parquet:"margin"`                  // octets; 0 = both rules are as long
	Without      *string    `json:"if_line_goes" parquet:"if_line_goes,dict"` // null = no line decided
	Source       string     `json:"source" parquet:"source,dict"`
	LastMod      *string    `json:"lastmod" parquet:"lastmod,dict"` // as written
	Directory    string     `json:"directory" parquet:"directory,dict"`
	Pattern      string     `json:"pattern" parquet:"pattern,dict"`
	Clicks       *int64     `json:"clicks" parquet:"clicks"` // null = the user's own list does not tell
	Impressions  *int64     `json:"impressions" parquet:"impressions"`
	LastModTime  *utcMillis `json:"lastmod_time" parquet:"lastmod_time,timestamp(millisecond:utc)"` // null where LastMod cannot be read
	Site         string     `json:"site" parquet:"site,dict"`
	Run          string     `json:"run" parquet:"run,dict"`
	Version      string     `json:"version" parquet:"version,dict"` // of the program
}

// utcMillis is a moment in milliseconds since 1970, UTC; as text it is that of
// RFC 3339. A time.Time goes through nanoseconds on its way into Parquet, which
// turns the years before 1678 and after 2261 into others.
type utcMillis int64

func (m utcMillis) String() string { return time.UnixMilli(int64(m)).UTC().Format(time.RFC3339Nano) }

// MarshalText writes the moment as JSON has it.
func (m utcMillis) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads what MarshalText has written.
func (m *utcMillis) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.RFC3339Nano, string(text))
	*m = utcMillis(t.UnixMilli())
	return err
}

// exporter writes rows in one format.
type exporter interface {
	add(*exportRow) error
	end() error
}

// exportAbout is what a file of rows says of itself as a whole.
type exportAbout struct {
	site    string
	run     *Run
	csvMark bool // a byte order mark before the rows of CSV
}

// formats are the further formats there are; each name is the files' extension.
var formats = map[string]func(io.Writer, *exportAbout) exporter{
	"csv":     func(w io.Writer, about *exportAbout) exporter { return newCSV(w, about) },
	"jsonl":   func(w io.Writer, _ *exportAbout) exporter { return newJSONL(w) },
	"parquet": func(w io.Writer, about *exportAbout) exporter { return newParquet(w, about) },
}

// exportURL fills in what a row says of its URL.
func (b *siteBook) exportURL(row *exportRow, u *audit.URL) {
	b.row.number++
	row.URL, row.LastMod = escape.ShowInvalid(u.Loc), given(u.LastMod)
	row.LastModTime = nil
	if at, ok := lastModifiedTime(u.LastMod); ok {
		millis := utcMillis(at.UnixMilli())
		row.LastModTime = &millis
	}
	row.Clicks, row.Impressions = numberIf(u.HasClicks(), u.Clicks), numberIf(u.HasImpressions(), u.Impressions)
	row.URLID, b.scratch = urlID(b.scratch, b.origin(u.Origin).Origin, u.Loc)
	b.scratch = appendPattern(b.scratch[:0], u.Loc)
	row.Pattern = escape.ShowInvalid(string(b.scratch))
	row.Directory = escape.ShowInvalid(topDirectory(u.Loc))
	row.Kind = "page"
	if !isPage(u.Kind) {
		row.Kind = u.Kind.String()
	}
	switch {
	case u.Kind == audit.KindList:
		row.Source = "your list of URLs"
	case u.Sitemap < 0:
		row.Source = "link on a page"
	case u.Sitemap < len(b.sitemapURLs):
		row.Source = escape.ShowInvalid(b.sitemapURLs[u.Sitemap])
	default:
		row.Source = "sitemap no. " + itoa(u.Sitemap+1)
	}
}

// exportReading is what rows say of a verdict, made once for all URLs of which
// it is said.
type exportReading struct {
	crawler, profile, verdict           string
	rule, group, why, runnerUp, without *string
	line, runnerUpLine, margin          *int64
}

// exportVerdict fills in what a row says of the verdict for crawler c.
func (b *siteBook) exportVerdict(row *exportRow, u *audit.URL, c int) {
	r := b.reading(u, c)
	if r.export == nil {
		r.export = b.newExportReading(r, read(b.origin(u.Origin), c))
	}
	e := r.export
	row.Crawler, row.Profile, row.Verdict = e.crawler, e.profile, e.verdict
	row.Rule, row.Line, row.Group, row.Why, row.Without = e.rule, e.line, e.group, e.why, e.without
	row.RunnerUp, row.RunnerUpLine, row.Margin = e.runnerUp, e.runnerUpLine, e.margin
}

func (b *siteBook) newExportReading(r *reading, how *audit.Read) *exportReading {
	text := func(c *xlsx.Cell) string { return b.Strings.Text(c) }
	rival := r.runnerUpLine.Number > 0
	e := &exportReading{
		crawler: escape.ShowInvalid(text(&r.crawler)), profile: escape.ShowInvalid(text(&r.profile)), verdict: text(&r.verdict),
		rule: given(text(&r.rule)), line: numberIf(r.line.Number > 0, int64(r.line.Number)), group: given(text(&r.group)), why: given(text(&r.why)), without: given(text(&r.without)),
		runnerUp: given(text(&r.runnerUp)), runnerUpLine: numberIf(rival, int64(r.runnerUpLine.Number)), margin: numberIf(rival, int64(r.margin.Number)),
	}
	if e.group == nil && how.GroupLine > 0 { // a group of a token without a name
		e.group = new(string)
	}
	return e
}

// given is a text that is null where there is none.
func given(s string) *string {
	if s == "" {
		return nil
	}
	s = escape.ShowInvalid(s)
	return &s
}

func numberIf(is bool, n int64) *int64 {
	if !is {
		return nil
	}
	return &n
}
