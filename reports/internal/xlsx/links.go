package xlsx

import (
	"bytes"
	"strconv"
	"strings"

	"robots-audit/reports/internal/disk"
)

// maxLinks bounds the links of a sheet, which are in memory until it ends. Excel
// refuses a sheet of more than 65,530.
const maxLinks = 30_000

// links are the links of a sheet's cells to files near the workbook, and to its sheets.
type links struct {
	cells     []byte // the elements <hyperlink>
	relations []byte // the targets of links to files
	count     int
}

// LinkToSheet is the target of a link to a sheet of the same workbook.
func LinkToSheet(name string) string { return "#'" + name + "'!A1" }

// LinkToRow is the target of a link to a row of a sheet of the same workbook.
func LinkToRow(name string, row int) string { return "#'" + name + "'!A" + strconv.Itoa(row) }

// addLink links a cell to a file, by its path from the workbook's folder, as a URL; or to a sheet,
// as in LinkToSheet and LinkToRow. It reports whether there is still space for it.
func (p *part) addLink(column string, row []byte, target string) bool {
	if p.links == nil {
		p.links = new(links)
	}
	l := p.links
	if l.count == maxLinks {
		return false
	}
	l.count++
	if place, ok := strings.CutPrefix(target, "#"); ok {
		l.cells = append(append(append(append(l.cells, `<hyperlink ref="`...), column...), row...), `" location="`...)
		l.cells = append(appendEscaped(l.cells, place), `"/>`...)
		return true
	}
	id := strconv.Itoa(l.count)
	l.cells = append(append(append(append(append(append(l.cells, `<hyperlink ref="`...), column...), row...), `" r:id="rId`...), id...), `"/>`...)
	l.relations = append(append(append(l.relations, `<Relationship Id="rId`...), id...), `" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" TargetMode="External" Target="`...)
	l.relations = append(appendEscaped(l.relations, target), `"/>`...)
	return true
}

// appendAfter appends the text after a sheet's rows, with the links at the position that the schema
// requires: before the margins of the page.
func (l *links) appendAfter(dst, after []byte) []byte {
	at := bytes.Index(after, []byte("<pageMargins"))
	if at < 0 {
		at = bytes.Index(after, []byte("</worksheet>"))
	}
	dst = append(append(dst, after[:at]...), `<hyperlinks xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">`...)
	return append(append(append(dst, l.cells...), `</hyperlinks>`...), after[at:]...)
}

// part is the file with the targets of a sheet's links.
func (l *links) part() *part {
	p := &part{raw: disk.GetBuffer()}
	p.raw = append(append(append(p.raw, `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`...), l.relations...), `</Relationships>`...)
	p.end()
	return p
}

// relationsName is the name of that file for a part.
func relationsName(part string) string {
	folder := strings.LastIndexByte(part, '/') + 1
	return part[:folder] + "_rels/" + part[folder:] + ".rels"
}
