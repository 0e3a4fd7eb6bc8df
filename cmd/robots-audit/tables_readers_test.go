//go:build readers

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"robots-audit/audit"
	"robots-audit/audit/edit"
	"robots-audit/audit/migrate"
	"robots-audit/audit/table"
	"robots-audit/audit/watch/history"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/clitest"
	"robots-audit/reports"
)

// tableLanguage is a line of testdata/tables.tsv.
type tableLanguage struct {
	name, domain, encoding, charset, comma, thousands, decimal string
	titles, words                                              []string
}

// madeRow is a row as its maker knows it.
type madeRow struct {
	url, newURL, path, segment, site, expect string
	clicks, impressions                      int
}

// madeFile is a file of a language.
type madeFile struct {
	name, encoding string // encoding is one that the file does not show; "" = it does
	list           bool   // it has only URLs
	rows           []madeRow
}

var beyondASCII = regexp.MustCompile(`[^\x00-\x7f]+`)

// requested returns a URL as a crawler requests it.
func requested(loc string) string { return beyondASCII.ReplaceAllStringFunc(loc, url.QueryEscape) }

// rows returns the rows under a top-level domain. They are more than ten, because guesses count rows.
func (l *tableLanguage) rows(domain string) (rows []madeRow) {
	forms := []string{"/%s", "/%s/7", "/shop/%s.html", "/a,b;c/%s", "/x?q=%s&n=1"}
	for i := range 3 * len(l.words) {
		word := l.words[i%len(l.words)]
		path := fmt.Sprintf(forms[i%len(forms)], word)
		rows = append(rows, madeRow{"https://www.example." + domain + path, "https://new.example." + domain + path, path, fmt.Sprint(word, " ", i),
			fmt.Sprintf("shop%d.example.%s", i, domain), []string{"allow", "disallow"}[i%2], 2345678 >> (2 * i), 87654321 >> (2 * i)})
	}
	return rows
}

// cells returns titles and rows of a table, with numbers as people of the language write them, or as
// programs do.
func (l *tableLanguage) cells(rows []madeRow, plain bool) (cells [][]string) {
	number := func(n int) string {
		text := strconv.Itoa(n)
		for at := len(text) - 3; at > 0; at -= 3 {
			text = text[:at] + l.thousands + text[at:]
		}
		return text
	}
	cells = append(cells, append(slices.Clone(l.titles), "New URL", "Crawler", "Expected", "Segment", "Pattern", "Website"))
	for _, r := range rows {
		numbers := []string{number(r.clicks), number(r.impressions), "5" + l.decimal + "23%", "12" + l.decimal + "3"}
		if plain {
			numbers = []string{strconv.Itoa(r.clicks), strconv.Itoa(r.impressions), "0.0523", "12.345"}
		}
		cells = append(cells, slices.Concat([]string{r.url}, numbers, []string{r.newURL, "Googlebot", r.expect, r.segment, r.path, r.site}))
	}
	return cells
}

// listOf returns what a list of URLs has of rows, and its cells.
func listOf(rows []madeRow) (list []madeRow, cells [][]string) {
	for _, r := range rows {
		list = append(list, madeRow{url: r.url, site: strings.Split(r.url, "/")[2]})
		cells = append(cells, []string{r.url})
	}
	return list, cells
}

// Which cells have quotation marks besides those that need them.
func noCell(string) bool     { return false }
func eachCell(string) bool   { return true }
func textCell(s string) bool { _, err := strconv.ParseFloat(s, 64); return err != nil }

// delimited writes a table as a text.
func delimited(cells [][]string, comma, eol string, quoted func(cell string) bool) string {
	var b strings.Builder
	for _, row := range cells {
		for i, cell := range row {
			if i > 0 {
				b.WriteString(comma)
			}
			if quoted(cell) || comma != "" && strings.Contains(cell, comma) {
				cell = `"` + cell + `"`
			}
			b.WriteString(cell)
		}
		b.WriteString(eol)
	}
	return b.String()
}

// utf16Text returns a text in UTF-16, without a mark of its own.
func utf16Text(text string, order binary.AppendByteOrder) string {
	var s []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		s = order.AppendUint16(s, unit)
	}
	return string(s)
}

// makeTables makes the files of all languages in a folder: with LibreOffice, and by hand.
func makeTables(t *testing.T, languages []tableLanguage, dir string) (files []madeFile) {
	var formats []string // of LibreOffice: each is one start, with all its sources
	sources := map[string][]string{}
	source := t.TempDir()
	convert := func(f madeFile, format, from, text string) {
		at := slices.Index(formats, format)
		if at < 0 {
			at = len(formats)
			formats = append(formats, format)
		}
		ext, _, _ := strings.Cut(format, ":")
		f.name = filepath.Join(strconv.Itoa(at), from+"."+ext)
		files = append(files, f)
		from = filepath.Join(source, from+".csv")
		sources[format] = append(sources[format], from)
		clitest.WriteFile(t, from, text)
	}
	csv := func(comma, charset string) string {
		return fmt.Sprintf("csv:Text - txt - csv (StarCalc):%d,34,%s,1", comma[0], charset)
	}
	for _, l := range languages {
		rows, com := l.rows(l.domain), l.rows("com")
		cells, f := l.cells(rows, false), madeFile{rows: rows}
		numbers, texts := delimited(l.cells(rows, true), ",", "\n", textCell), delimited(cells, ",", "\n", eachCell)
		convert(f, "xlsx:Calc MS Excel 2007 XML", l.name+"-numbers", numbers)
		convert(f, "ods:calc8", l.name+"-numbers", numbers)
		convert(f, csv(",", "76"), l.name, texts)     // UTF-8
		convert(f, csv("\t", "65535"), l.name, texts) // UTF-16
		own := csv(l.comma, l.charset)
		convert(madeFile{rows: rows, encoding: l.encoding}, own, l.name, texts)
		convert(madeFile{rows: com, encoding: l.encoding}, own, l.name+"-com", delimited(l.cells(com, false), ",", "\n", eachCell))
		com, listed := listOf(com)
		convert(madeFile{rows: com, encoding: l.encoding, list: true}, own, l.name+"-com-list", delimited(listed, ",", "\n", eachCell))
		list, listed := listOf(rows)
		convert(madeFile{rows: list, encoding: l.encoding, list: true}, own, l.name+"-list", delimited(listed, ",", "\n", eachCell))

		pages := delimited(cells, ",", "\n", noCell)
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		z.Write([]byte(pages))
		z.Close()
		for name, text := range map[string]string{
			"mark.csv": "\ufeff" + delimited(cells, ";", "\r\n", noCell),
			"mac.tsv":  delimited(cells, "\t", "\r", noCell),
			"sep.csv":  utf16Text("\ufeffsep=|\r\n"+delimited(cells, "|", "\r\n", noCell), binary.BigEndian),
			"le.txt":   utf16Text(delimited(cells, "\t", "\n", eachCell), binary.LittleEndian),
			"csv.gz":   packed.String(),
			"zip": string(clitest.Archived("Queries.csv", "Top queries,Clicks,Impressions,CTR,Position\nshoes,1,2,1%,3\n", "Pages.csv", pages,
				"Filters.csv", "Filter,Value\nSearch type,Web\n")),
			"list.txt": delimited(listed, "", "\n", noCell),
		} {
			if f.name, f.rows, f.list = l.name+"."+name, rows, name == "list.txt"; f.list {
				f.rows = list
			}
			files = append(files, f)
			clitest.WriteFile(t, filepath.Join(dir, f.name), text)
		}
	}
	var group sync.WaitGroup
	for worker := range 2 {
		profile := filepath.Join(t.TempDir(), "profile")
		group.Go(func() {
			for at := worker; at < len(formats); at += 2 {
				args := append([]string{"-env:UserInstallation=file://" + profile, "--headless", "--infilter=CSV:44,34,76,1,,1033,true", // cells in quotation marks are texts
					"--convert-to", formats[at], "--outdir", filepath.Join(dir, strconv.Itoa(at))}, sources[formats[at]]...)
				if said, err := exec.Command("soffice", args...).CombinedOutput(); err != nil {
					t.Errorf("%v: %s", err, said)
				}
			}
		})
	}
	group.Wait()
	for _, f := range slices.Clone(files) {
		if name := f.name; filepath.Ext(name) == ".xlsx" {
			f.name += ".zip"
			files = append(files, f)
			clitest.WriteFile(t, filepath.Join(dir, f.name), string(clitest.Archived("export.xlsx", clitest.Read(t, dir, name))))
		}
	}
	return files
}

// tableCommand is a flag for tables: what a row of a file is to it, and what it reads of the file.
// Without lists, it refuses a file with URLs only.
type tableCommand struct {
	flag  string
	lists bool
	want  func(r madeRow) string
	read  func(name, text string, f *madeFile, o table.Options) ([]string, error)
}

func requestedURL(r madeRow) string { return requested(r.url) }

var tableCommands = []tableCommand{
	{"-urls", true, func(r madeRow) string {
		return fmt.Sprint(requested(r.url), " ", r.clicks, " ", r.impressions)
	}, func(name, _ string, _ *madeFile, o table.Options) (got []string, err error) {
		known, _, err := audits.ReadKnown(name, o, "")
		if err != nil {
			return nil, err
		}
		for loc, w := range known.All {
			got = append(got, fmt.Sprint(requested(loc), " ", w.Clicks, " ", w.Impressions))
		}
		return got, nil
	}},
	{"-map", false, func(r madeRow) string {
		return fmt.Sprint(requested(r.url), " ", requested(r.newURL), " ", r.clicks)
	}, func(name, _ string, _ *madeFile, o table.Options) (got []string, err error) {
		m, err := migrate.ReadMap(name, "", "", o)
		if err != nil {
			return nil, err
		}
		for p, err := range m.Pairs() {
			got = append(got, fmt.Sprint(p.Old, " ", p.New, " ", p.Clicks))
			if err != nil {
				return nil, err
			}
		}
		return got, nil
	}},
	// verify judges expectations of a file, with the URLs of the same file.
	{"-expect", false, func(r madeRow) string { return requested(r.url) + " Googlebot@google " + r.expect }, func(name, _ string, _ *madeFile, o table.Options) (got []string, err error) {
		_, said := callWith("User-agent: *\nDisallow:\n", "verify", "-json", "-quiet", "-encoding", o.Encoding, "-expect", name, "-urls", name, "-")
		for line := range strings.Lines(said) {
			var r struct{ URL, Crawler, Expect string }
			if json.Unmarshal([]byte(line), &r) == nil && r.URL != "" {
				got = append(got, fmt.Sprint(requested(r.URL), " ", r.Crawler, " ", r.Expect))
			}
		}
		if got == nil {
			return nil, errors.New(said)
		}
		return got, nil
	}},
	{"-important", true, requestedURL, func(name, _ string, f *madeFile, o table.Options) (got []string, err error) {
		list, err := history.ReadImportant(name, o)
		if err != nil || list.URLs != len(f.rows) {
			return nil, fmt.Errorf("%v, %v", list, err)
		}
		for _, r := range f.rows {
			if list.Has(requested(r.url)) {
				got = append(got, requested(r.url))
			}
		}
		return got, nil
	}},
	{"-segments", false, func(r madeRow) string { return r.segment + " " + r.path }, func(name, text string, _ *madeFile, o table.Options) (got []string, err error) {
		list, err := reports.ParseSegments(name, []byte(text), o)
		for _, s := range list {
			got = append(got, s.Name+" "+s.Pattern)
		}
		return got, err
	}},
	{"-domains", true, func(r madeRow) string { return r.site }, func(name, _ string, _ *madeFile, o table.Options) (got []string, err error) {
		list, _, err := audit.OpenDomains(name, o.Encoding, "")
		if err != nil {
			return nil, err
		}
		defer list.Close()
		for d, err := range audit.Domains(list) {
			got = append(got, d.Host)
			if err != nil {
				return nil, err
			}
		}
		return got, nil
	}},
	{"-free", true, requestedURL, func(name, text string, _ *madeFile, o table.Options) (got []string, err error) {
		list, err := edit.ReadList(name, []byte(text), o)
		for _, loc := range list {
			got = append(got, requested(loc))
		}
		return got, err
	}},
}

// maxNamed bounds the files that show no encoding: those under .com with few letters of their language.
const maxNamed = 8

// helps matches refusals of a list that say what the rows need.
var helps = regexp.MustCompile(`old and new are needed|Write old,new|the column "crawler" is missing|no name and pattern, such as`)

// TestReadersTables reads tables that LibreOffice and others have made with each command. Each URL and
// number is right, or the file is refused. The refusal names the encoding, with which all is right.
func TestReadersTables(t *testing.T) {
	var languages []tableLanguage
	names := strings.NewReplacer("tab", "\t", "space", "\u00a0")
	for line := range strings.Lines(clitest.Read(t, "testdata", "tables.tsv")) {
		if c := strings.Split(strings.TrimSpace(line), "\t"); line[0] != '#' {
			languages = append(languages, tableLanguage{c[0], c[1], c[2], c[3], names.Replace(c[4]), names.Replace(c[5]), c[6], strings.Split(c[7], "|"), strings.Fields(c[8])})
		}
	}
	dir, start := t.TempDir(), time.Now()
	files := makeTables(t, languages, dir)
	t.Logf("%d files in %d languages, made in %v", len(files), len(languages), time.Since(start))
	if len(files) < 120 || len(languages) < 20 {
		t.Errorf("%d files in %d languages", len(files), len(languages))
	}
	for _, c := range tableCommands {
		right, lists, named, wrong := 0, 0, 0, 0
		for _, f := range files {
			var want []string
			for _, r := range f.rows {
				want = append(want, c.want(r))
			}
			want = slices.Compact(want) // a list has one site
			name := filepath.Join(dir, f.name)
			text := clitest.Read(t, name)
			got, err := c.read(name, text, &f, table.Options{})
			byName := err != nil && f.encoding != "" && strings.HasPrefix(f.rows[0].url, "https://www.example.com/") && strings.Contains(err.Error(), "-encoding ") && strings.Contains(strings.ToLower(err.Error()), f.encoding)
			if byName {
				got, err = c.read(name, text, &f, table.Options{Encoding: f.encoding})
			}
			switch refused := f.list && !c.lists; {
			case refused && err != nil && helps.MatchString(err.Error()):
				lists++
			case refused || err != nil || !slices.Equal(got, want):
				wrong++
				t.Errorf("%s %s: %v\n got %q\nwant %q", c.flag, f.name, err, got, want)
			case byName:
				named++
			default:
				right++
			}
		}
		t.Logf("%s: %d files right, %d with the encoding that the refusal names, %d lists refused, %d wrong", c.flag, right, named, lists, wrong)
		if named > maxNamed {
			t.Errorf("%s: %d files need the name of their encoding", c.flag, named)
		}
	}
}
