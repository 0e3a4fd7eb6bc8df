package page

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"robots-audit/engine"
	"robots-audit/reports/internal/site"
)

// Fix is an edit of a site's robots.txt as an address of the editor has it:
//
//	do=delete&line=3,17&was=9f86d081884c7d65
//	do=replace&line=5&was=2c26b46b68ffc68f&text=Disallow: /*?sort=
//	do=insert&line=17&was=fcde2b2edba56bf4&text=Allow: /post/1$
//
// was is the hash of the lines in the file that the address is about. So an old address never edits another line.
type Fix struct {
	site.Fix
	Was string
}

// Limits of the edit in an address.
const (
	maxFixLines = 200
	maxFixText  = 4000 // bytes
)

// Errors of an address that cannot be used.
var (
	errFix   = errors.New("the edit in this address could not be read. Expected do=delete, do=replace or do=insert, with line, was, and text")
	errStale = errors.New("the lines in this address are not the lines of this robots.txt. It has changed since the link was made")
)

// rawLines are the lines of a robots.txt as written, with the numbers of the engine.
func rawLines(body []byte) iter.Seq[engine.RawLine] {
	all := engine.Profile{Limit: -1}
	return all.Parse(body).Lines()
}

// lineTexts are the lines of a robots.txt without their ends.
func lineTexts(body []byte) (texts []string) {
	for l := range rawLines(body) {
		texts = append(texts, l.Text)
	}
	return texts
}

// hashLines is the hash of some lines of a file; "" = it does not have all of them.
func hashLines(texts []string, lines []int) string {
	sum := sha256.New()
	for _, n := range lines {
		if n > len(texts) {
			return ""
		}
		fmt.Fprintf(sum, "%s\n", texts[n-1])
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:8])
}

// fixQuery is the query of an address for an edit of a robots.txt; "" = it cannot be in an address.
func fixQuery(f *site.Fix, texts []string) string {
	was := hashLines(texts, f.Lines)
	if was == "" || len(f.Lines) > maxFixLines || len(f.Text) > maxFixText {
		return ""
	}
	var lines []string
	for _, n := range f.Lines {
		lines = append(lines, strconv.Itoa(n))
	}
	q := url.Values{"do": {string(f.Op)}, "line": {strings.Join(lines, ",")}, "was": {was}}
	if f.Text != "" {
		q.Set("text", f.Text)
	}
	return q.Encode()
}

// ReadFix reads the edit of an address; nil = it has none.
func ReadFix(q url.Values) (*Fix, error) {
	if !q.Has("do") {
		return nil, nil
	}
	f := &Fix{site.Fix{Op: site.FixOp(q.Get("do")), Text: strings.ToValidUTF8(q.Get("text"), "\uFFFD")}, q.Get("was")}
	list := strings.Split(q.Get("line"), ",")
	known := slices.Contains([]site.FixOp{site.DeleteLines, site.ReplaceLines, site.InsertBelow}, f.Op)
	if !known || (f.Op == site.DeleteLines) != (f.Text == "") || f.Was == "" || len(list) > maxFixLines || len(f.Text) > maxFixText {
		return nil, errFix
	}
	for _, text := range list {
		n, err := strconv.Atoi(text)
		if last := len(f.Lines) - 1; err != nil || n < 1 || last >= 0 && n <= f.Lines[last] {
			return nil, errFix
		}
		f.Lines = append(f.Lines, n)
	}
	return f, nil
}

// Apply makes the edit in a robots.txt, if its lines are those of the address.
func (f *Fix) Apply(body []byte) ([]byte, error) {
	if hashLines(lineTexts(body), f.Lines) != f.Was {
		return nil, errStale
	}
	var out []byte
	end := "\n" // of an earlier line, for a last line without an end
	for l := range rawLines(body) {
		if l.Number == 1 {
			out = append(out, body[:l.Offset]...) // a byte order mark
		}
		end = cmp.Or(l.End, end)
		_, named := slices.BinarySearch(f.Lines, l.Number)
		switch {
		case named && f.Op == site.DeleteLines:
		case named && f.Op == site.ReplaceLines:
			out = append(out, f.Text+l.End...)
		case named:
			out = append(out, l.Text+end+f.Text+l.End...)
		default:
			out = append(out, l.Text+l.End...)
		}
	}
	return out, nil
}

// editLink is a link to the editor.
type editLink struct{ Path, Words string }

// editLink is the link from an item or a finding about a line to the editor; "" = there is no editor, or it
// does not have the file.
func (p *Site) editLink(fix *site.Fix, line int) (link editLink) {
	if p.Editor == "" || len(p.site.Body(0)) == 0 {
		return link
	}
	if p.texts == nil {
		p.texts = lineTexts(p.site.Body(0))
	}
	if fix != nil {
		if query := fixQuery(fix, p.texts); query != "" {
			return editLink{p.Editor + "?" + query, "Try it in the editor: " + fix.Words()}
		}
	}
	if line > 0 {
		return editLink{p.Editor + "?line=" + strconv.Itoa(line), "Show line " + strconv.Itoa(line) + " in the editor"}
	}
	return link
}

// editLink appends the link after some markup, or nothing if there is none.
func (m *markup) editLink(before constant, link editLink) {
	if link.Path != "" {
		m.raw(before)
		m.attrIn(`<a href="`, link.Path, `">`)
		m.textRaw(link.Words, `</a>`)
	}
}
