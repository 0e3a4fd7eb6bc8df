package reports

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/reports/internal/export"
	"robots-audit/reports/internal/site"
)

var allFormats = export.Formats()

// packedAs are the standard programs that unpack a format, with the packed format.
var packedAs = map[string]struct {
	of     string // the packed format
	unpack func(io.Reader) (io.Reader, error)
}{
	"csv.gz":    {"csv", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
	"jsonl.zst": {"jsonl", func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) }},
}

// readPacked reads a file that is packed as a whole.
func readPacked(t *testing.T, name, format string) []byte {
	t.Helper()
	f, err := os.Open(name)
	noError(t, err)
	defer f.Close()
	r, err := packedAs[format].unpack(f)
	noError(t, err)
	text, err := io.ReadAll(r)
	noError(t, err)
	return text
}

// exported reads a site's exports back: the same rows in every format.
func exported(t *testing.T, dir, base string, mark bool) []export.Row {
	t.Helper()
	rows, err := parquet.ReadFile[export.Row](filepath.Join(dir, base+".parquet"))
	noError(t, err)
	for format, as := range packedAs {
		plain := readBytes(t, dir, base+"."+as.of)
		if !bytes.Equal(readPacked(t, filepath.Join(dir, base+"."+format), format), plain) {
			t.Errorf("%s is not %s, packed", format, as.of)
		}
	}
	text := readBytes(t, dir, base+".jsonl")
	var fromJSON []export.Row
	for line := range bytes.Lines(text) {
		var row export.Row
		noError(t, json.Unmarshal(line, &row))
		fromJSON = append(fromJSON, row)
	}
	if diff := cmp.Diff(rows, fromJSON); diff != "" && len(rows)+len(fromJSON) > 0 {
		t.Errorf("Parquet (-) and JSON Lines (+) differ:\n%s", diff)
	}
	text = readBytes(t, dir, base+".csv")
	text, marked := bytes.CutPrefix(text, []byte("\xef\xbb\xbf"))
	if marked != mark || strings.Count(string(text), "\n") != strings.Count(string(text), "\r\n") {
		t.Errorf("not the line ends of RFC 4180, or a byte order mark: %v, want %v", marked, mark)
	}
	table, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	noError(t, err)
	if len(table) != len(rows)+1 || table[0][0] != "url_id" {
		t.Fatalf("%d rows of CSV, %d of Parquet", len(table)-1, len(rows))
	}
	for i, row := range fromJSON {
		v := reflect.ValueOf(row)
		for n, got := range table[i+1] {
			if want := csvOf(v.Field(n)); got != want {
				t.Errorf("row %d, %s: %q, want %q", i, table[0][n], got, want)
			}
		}
	}
	return fromJSON
}

// csvOf is a field of a row in CSV.
func csvOf(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	if v.Kind() == reflect.String {
		return export.CSVText(v.String())
	}
	return fmt.Sprint(v.Interface()) // a number, or a time as RFC 3339 has it
}

// told is the text of a column, "" for null.
func told[T any](v *T) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(*v)
}

// The exports have the same rows as the sheets.
func TestExports(t *testing.T) {
	t.Parallel()
	for _, which := range []string{"blocked", "all"} {
		records := judged(t, "Googlebot,Bingbot,Googlebot@google-2019", engine.File{Status: 200, Body: []byte("user-agent: *\ndisallow: /a\nallow: /a/b\ndisallow: /page*.html\nallow: /page\n")},
			"/a", "/a/b", "/a/b/17", "/page.html", "/img/a", "/a?x=\"1,2\"", "/ok")
		records[2].URLs.List[0].ClicksGiven = true // 0 of them: the sheet says so as well
		records[2].URLs.List[0].Written = "https://example.com/./a"
		o := Options{Dir: t.TempDir(), Started: start, Crawlers: records[0].Site.Crawlers, Formats: allFormats, Rows: which, CSVMark: which == "all"}
		writeRun(t, o, records)
		rows := exported(t, o.Dir, "example.com", o.CSVMark)
		f := openBook(t, o.Dir, "example.com.xlsx")
		var want []map[string]string
		for _, sheet := range []string{"Blocked", "Undecided", "Resources"} {
			want = append(want, perCrawler(t, sheetRows(t, f, sheet))...)
		}
		sheets := map[string]map[string]string{}
		for _, row := range want {
			sheets[row["url_id"]+row["Crawler"]] = row
		}
		written := map[string]string{}
		for _, row := range sheetRows(t, f, "As written") {
			written[row["url_id"]] = row["As written"]
		}
		if len(written) != 1 {
			t.Errorf("As written: %v", written)
		}
		allowed := 0
		for _, row := range rows {
			if told(row.Written) != written[row.URLID] {
				t.Errorf("%s is written %q, the sheet says %q", row.URL, told(row.Written), written[row.URLID])
			}
			if row.Verdict == "allow" {
				allowed++
				continue
			}
			w := sheets[row.URLID+row.Crawler]
			delete(sheets, row.URLID+row.Crawler)
			if !slices.Contains(strings.Split(w["Profile"], ", "), row.Profile) {
				t.Errorf("%s for %s: the profile %s is not among %s", row.URL, row.Crawler, row.Profile, w["Profile"])
			}
			got := strings.Join([]string{row.URL, map[string]string{"disallow": "blocked", "undefined": "undefined"}[row.Verdict], told(row.Rule), told(row.Line), told(row.Group), told(row.Why), told(row.RunnerUp), told(row.RunnerUpLine), told(row.Margin), told(row.Without), row.Source, told(row.Clicks)}, "|")
			if w := strings.Join([]string{w["URL"], w["Verdict"], w["Rule"], w["Line"], w["Group"], w["Why this group"], w["Runner-up rule"], w["Runner-up line"], w["Margin (bytes)"], w["If this line is deleted"], w["Source"], w["Clicks"]}, "|"); got != w {
				t.Errorf("exported %s, the sheet says %s", got, w)
			}
		}
		if len(sheets) > 0 || (allowed > 0) != (which == "all") || which == "all" && len(rows) != 7*3 {
			t.Errorf("rows %s: %d rows, %d of them allowed; of the sheets' rows are missing %v", which, len(rows), allowed, sheets)
		}
		before := folder(t, o.Dir)
		for _, format := range allFormats {
			gone(t, o.Dir, "example.com."+format)
		}
		mustRebuild(t, o.Dir)
		sameFolder(t, before, folder(t, o.Dir), journalName)
	}
}

// TestExportKey: a URL that is a page and an alternate has a row for each, and the guide says so.
func TestExportKey(t *testing.T) {
	t.Parallel()
	records := judged(t, "Googlebot,Bingbot", engine.File{Status: 200, Body: []byte("user-agent: *\ndisallow: /a\n")}, "/a", "/b")
	list := &records[2].URLs.List
	alternate := (*list)[0]
	alternate.Kind = audit.Kind(crawl.KindHreflang)
	*list = append(*list, alternate)
	o := Options{Dir: t.TempDir(), Started: start, Crawlers: records[0].Site.Crawlers, Formats: allFormats, Rows: "all"}
	writeRun(t, o, records)
	ids, keys := map[string]bool{}, map[string]bool{}
	rows := exported(t, o.Dir, "example.com", false)
	for _, row := range rows {
		ids[row.URLID+row.Crawler], keys[row.URLID+row.Kind+row.Crawler] = true, true
	}
	if len(rows) != 6 || len(keys) != 6 || len(ids) != 4 {
		t.Errorf("%d rows, %d of a URL, kind and crawler, %d of a URL and crawler", len(rows), len(keys), len(ids))
	}
	guide, err := os.ReadFile(filepath.Join("..", ".github", "docs", "formats.md"))
	if err != nil || !strings.Contains(string(guide), "a row for each URL, `kind` and crawler") {
		t.Errorf("formats.md names another key (%v)", err)
	}
}

func TestExportHostileText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o := testOptions(dir)
	o.Formats = allFormats
	r := openRun(t, o)
	records := siteRecords("example.com", 0, 0)
	batch := &audit.URLs{}
	for text := range hostile {
		batch.List = append(batch.List, audit.URL{Loc: text, Written: text, LastMod: text, Verdicts: []engine.Verdict{engine.Disallow, engine.Allow, engine.Allow}, Lines: []int32{2, 0, 0}})
	}
	writeAll(t, r, append([]audit.Record{records[0], records[1], {Domain: "example.com", URLs: batch}}, records[2:]...))
	closeRun(t, r)
	if rows := exported(t, dir, "example.com", false); len(rows) != len(hostile) {
		t.Errorf("%d rows, want %d", len(rows), len(hostile))
	}
}

// Rows are the same whether they are written while the records of a small site come, or read back
// from those of a large one. This includes URLs that are hard to write, and sitemaps named after
// their URLs.
func TestExportsOfLargeSites(t *testing.T) {
	t.Parallel()
	hard := &audit.URLs{}
	for i, text := range slices.Sorted(maps.Keys(hostile)) {
		if len(text) < 1000 {
			hard.List = append(hard.List, audit.URL{Loc: text, Written: text, LastMod: text, Sitemap: i%3 - 1, Verdicts: []engine.Verdict{engine.Disallow, engine.Allow, engine.Unknown}, Lines: []int32{2, 0, 0}})
		}
	}
	texts := map[bool]map[string]string{}
	for _, large := range []bool{false, true} {
		o := testOptions(t.TempDir())
		o.Formats, o.Rows = allFormats, "all"
		r := openRun(t, o)
		few, many := siteRecords("example.com", 0, 0), siteRecords("example.com", 0, 3000)
		records := append([]audit.Record{few[0], few[1]}, audit.Record{Domain: "example.com", URLs: hard.Clone()})
		if large {
			records = append(records, many[2:len(many)-1]...)
		}
		for i := range 2 {
			records = append(records, audit.Record{Domain: "example.com", Sitemap: &audit.Sitemap{SitemapFile: crawl.SitemapFile{Outcome: crawl.Outcome{URL: fmt.Sprintf("https://example.com/sitemap-\xff-%d.xml", i)}, Index: i}}})
		}
		records = append(records, few[len(few)-1])
		for i, rec := range records {
			if s := r.sites["example.com"]; i == len(records)-1 && (s.data != nil) != large {
				t.Fatalf("large %v: begun %v", large, s.data != nil)
			}
			noError(t, r.Write(rec))
		}
		closeRun(t, r)
		exported(t, o.Dir, "example.com", false)
		texts[large] = map[string]string{}
		for _, format := range []string{"csv", "jsonl"} {
			text := readText(t, o.Dir, "example.com."+format)
			texts[large][format] = text
		}
	}
	for format, text := range texts[false] {
		if !strings.HasPrefix(texts[true][format], text) || len(text) < 10000 || !strings.Contains(text, "sitemap-") {
			t.Errorf("%s of a large site begins otherwise than that of a small one: %s", format, cmp.Diff(strings.Split(text, "\n"), strings.Split(texts[true][format][:len(text)], "\n")))
		}
	}
}

func TestCSVText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "ü": "ü", "a=1": "a=1", "/a": "/a", "https://a.example/=1": "https://a.example/=1", "a'": "a'", "٣": "٣",
		"=1": "'=1", "+1": "'+1", "-1": "'-1", "@a": "'@a", "\t=1": `'\x09=1`, "\r": `'\x0D`, "\n": `'\x0A`,
		"＝1": "'＝1", "＋1": "'＋1", "－1": "'－1", "＠a": "'＠a", "﹦1": "'﹦1", "﹢1": "'﹢1", "﹣1": "'﹣1", "﹫a": "'﹫a", "−1": "'−1",
		" =1": "' =1", "\u00a0\u3000＝1": "'\u00a0\u3000＝1", `"=1`: `'"=1`, "\ufeff=1": "'\ufeff=1", "\u200b\u202e=1": "'\u200b[U+202E]=1", "\x00=1": `'\x00=1`,
		"'=1": "''=1", "'a": "''a", " a": " a", `"a"`: `"a"`, "\u200da": "\u200da",
		"\xff": `\xFF`, "a\x00\x1b\x7f": `a\x00\x1B\x7F`, "a\u009b\u0085\u2028": "a[U+009B][U+0085][U+2028]", "\u202ea\u2066\u200f": "[U+202E]a[U+2066][U+200F]",
		"می\u200cخواهم \U0001F469\u200d\U0001F4BB": "می\u200cخواهم \U0001F469\u200d\U0001F4BB", // joiners belong to the words
	} {
		if got := export.CSVText(text); got != want {
			t.Errorf("%q as %q, want %q", text, got, want)
		}
	}
}

// A missing value is null; a measured 0 stays.
func TestExportNulls(t *testing.T) {
	t.Parallel()
	records := judged(t, "Googlebot,Googlebot@rep-1994,YandexBot", engine.File{Status: 200, Body: []byte("user-agent: *\ndisallow: /a\nallow: /a/b\nallow: /c\ndisallow: /c\n")}, "/a", "/a/b", "/c", "/ok")
	list := records[2].URLs.List
	list[0].Weight, list[0].LastMod = audit.Weight{ClicksGiven: true, Impressions: 7}, "2026-01"
	list[1].Weight, list[1].LastMod = audit.Weight{}, "yesterday"
	list[2].Weight = audit.Weight{Clicks: 3, ImpressionsGiven: true}
	o := Options{Dir: t.TempDir(), Version: "1.2.3", Started: start, Crawlers: records[0].Site.Crawlers, Formats: allFormats, Rows: "all"}
	writeRun(t, o, records)
	var got strings.Builder
	for _, row := range exported(t, o.Dir, "example.com", false) {
		var words []string
		v := reflect.ValueOf(row)
		for _, name := range []string{"URL", "Crawler", "Rule", "Line", "Group", "RunnerUp", "RunnerUpLine", "Margin", "Without", "LastMod", "LastModTime", "Clicks", "Impressions", "Site", "Run", "Version"} {
			f := v.FieldByName(name)
			if f.Kind() == reflect.Pointer && f.IsNil() {
				words = append(words, "null")
			} else {
				words = append(words, fmt.Sprint(reflect.Indirect(f)))
			}
		}
		fmt.Fprintln(&got, strings.Join(words, "|"))
	}
	const want = `https://example.com/a|Googlebot|disallow: /a|2|*|null|null|null|allow: no other rule|2026-01|2026-01-01T00:00:00Z|0|7|example.com|20260304T050607Z|1.2.3
https://example.com/a|Googlebot@rep-1994|disallow: /a|2|*|null|null|null|allow: no other rule|2026-01|2026-01-01T00:00:00Z|0|7|example.com|20260304T050607Z|1.2.3
https://example.com/a|YandexBot|disallow: /a|2|*|null|null|null|allow: no other rule|2026-01|2026-01-01T00:00:00Z|0|7|example.com|20260304T050607Z|1.2.3
https://example.com/a/b|Googlebot|allow: /a/b|3|*|disallow: /a|2|2|disallow by line 2|yesterday|null|null|null|example.com|20260304T050607Z|1.2.3
https://example.com/a/b|Googlebot@rep-1994|disallow: /a|2|*|null|null|null|allow: no other rule|yesterday|null|null|null|example.com|20260304T050607Z|1.2.3
https://example.com/a/b|YandexBot|allow: /a/b|3|*|disallow: /a|2|2|disallow by line 2|yesterday|null|null|null|example.com|20260304T050607Z|1.2.3
https://example.com/c|Googlebot|allow: /c|4|*|disallow: /c|5|0|disallow by line 5|null|null|3|0|example.com|20260304T050607Z|1.2.3
https://example.com/c|Googlebot@rep-1994|disallow: /c|5|*|null|null|null|allow: no other rule|null|null|3|0|example.com|20260304T050607Z|1.2.3
https://example.com/c|YandexBot|allow: /c|4|*|disallow: /c|5|0|disallow by line 5|null|null|3|0|example.com|20260304T050607Z|1.2.3
https://example.com/ok|Googlebot|null|null|*|null|null|null|null|null|null|3|null|example.com|20260304T050607Z|1.2.3
https://example.com/ok|Googlebot@rep-1994|null|null|*|null|null|null|null|null|null|3|null|example.com|20260304T050607Z|1.2.3
https://example.com/ok|YandexBot|null|null|*|null|null|null|null|null|null|3|null|example.com|20260304T050607Z|1.2.3
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}

// The metadata of a Parquet file.
func TestParquetFile(t *testing.T) {
	t.Parallel()
	o := testOptions(t.TempDir())
	o.Formats = []string{"parquet"}
	r := openRun(t, o)
	writeAll(t, r, siteRecords("example.com", 0, 100))
	closeRun(t, r)
	text := readBytes(t, o.Dir, "example.com.parquet")
	f, err := parquet.OpenFile(bytes.NewReader(text), int64(len(text)))
	noError(t, err)
	// The form that the format's specification requires: <application> version <version> (build
	// <hash>).
	if by := f.Metadata().CreatedBy; !regexp.MustCompile(`^robots-audit version 1\.2\.3 \(build ([0-9a-f]{12}|unknown)\)$`).MatchString(by) {
		t.Errorf("created_by is %q", by)
	}
	about := map[string]string{}
	for _, pair := range f.Metadata().KeyValueMetadata {
		about[pair.Key] = pair.Value
	}
	if diff := cmp.Diff(map[string]string{
		"robots-audit.site": "example.com", "robots-audit.run": r.id(), "robots-audit.version": "1.2.3", "robots-audit.started": start.Format(time.RFC3339),
		"robots-audit.crawlers": strings.Join(site.Specs(o.Crawlers), ","), "robots-audit.rows": "blocked",
	}, about); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(`message verdict {
	required binary url_id (STRING);
	required binary url (STRING);
	required binary kind (STRING);
	required binary crawler (STRING);
	required binary profile (STRING);
	required binary verdict (STRING);
	optional binary rule (STRING);
	optional int64 line (INT(64,true));
	optional binary group (STRING);
	optional binary why (STRING);
	optional binary runner_up (STRING);
	optional int64 runner_up_line (INT(64,true));
	optional int64 margin (INT(64,true));
	optional binary if_line_goes (STRING);
	required binary source (STRING);
	optional binary lastmod (STRING);
	required binary directory (STRING);
	required binary pattern (STRING);
	optional int64 clicks (INT(64,true));
	optional int64 impressions (INT(64,true));
	optional int64 lastmod_time (TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS));
	required binary site (STRING);
	required binary run (STRING);
	required binary version (STRING);
	optional binary written (STRING);
	optional binary indexed (STRING);
	optional int64 first_seen_blocked (TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS));
	optional int64 last_changed (TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS));
	optional binary owner_note (STRING);
	optional int64 history_begins (TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS));
	optional int64 hits (INT(64,true));
}`, f.Schema().String()); diff != "" {
		t.Error(diff)
	}
}

func TestCheckFormats(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]string{"": "", "csv,parquet": "", "xml": `unknown format "xml"`, "csv,csv": "twice"} {
		err := CheckFormats(strings.FieldsFunc(list, func(r rune) bool { return r == ',' }))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", list, err, want)
		}
	}
}
