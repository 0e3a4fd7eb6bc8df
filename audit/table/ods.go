package table

import (
	"encoding/xml"
	"errors"
	"io"
	"iter"
	"strconv"
	"strings"
)

const (
	odsPart     = "content.xml"
	odsManifest = "META-INF/manifest.xml"
)

// isODS reports whether the ZIP is a workbook in OpenDocument form.
func (a *Archive) isODS() bool { return a.has(odsPart) && a.has(odsManifest) }

// readODS reads the names of the sheets.
func (b *Book) readODS() error {
	locked := false
	err := b.each(odsManifest, func(tag xml.StartElement) error {
		locked = locked || tag.Name.Local == "encryption-data"
		return nil
	})
	if err == nil && locked {
		err = errors.New("it has a password. Save it without one")
	}
	if err != nil {
		return err
	}
	e, err := b.part(odsPart)
	if err != nil {
		return err
	}
	defer e.close()
	for {
		token, err := e.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if tag, ok := token.(xml.StartElement); ok && isTableTag(tag.Name, "table") {
			b.Sheets = append(b.Sheets, Sheet{Name: attribute(tag, "name"), book: b, part: odsPart, ods: len(b.Sheets) + 1})
			if len(b.Sheets) > b.archive.limits.Entries {
				return e.fault("more than %d sheets", b.archive.limits.Entries)
			}
		}
	}
}

// isTableTag reports whether a raw tag is one of a table, as its usual prefix says.
func isTableTag(name xml.Name, local string) bool {
	return name.Local == local && name.Space == "table"
}

// odsReader reads the rows of a sheet in OpenDocument form.
type odsReader struct {
	e       *elements
	book    *Book
	cells   []string
	empty   int // cells without text at the end of the row so far
	size    int // of the texts in the row
	repeat  int // of the cell
	value   string
	text    []byte
	inCell  bool
	inText  int // open paragraphs
	comment int // open annotations
}

// odsRows yields the rows of the sheet. Empty rows at its end, of which programs write a million, are
// not yielded.
func (s Sheet) odsRows(e *elements) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		r := odsReader{e: e, book: s.book}
		sheet, blank, rows, times := 0, 0, 0, 1
		for {
			token, err := e.next()
			if err == nil && sheet == s.ods {
				err = r.add(token)
			}
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
			switch token := token.(type) {
			case xml.StartElement:
				if isTableTag(token.Name, "table") {
					sheet++
				}
				if sheet == s.ods && isTableTag(token.Name, "table-row") {
					times = repeated(token, "number-rows-repeated")
					r.cells, r.empty, r.size = r.cells[:0], 0, 0
				}
			case xml.EndElement:
				if sheet != s.ods || !isTableTag(token.Name, "table-row") {
					continue
				}
				if len(r.cells) == 0 {
					blank += times
					continue
				}
				if rows += blank + times; rows > maxRows {
					yield(nil, e.fault("more than %d rows", maxRows))
					return
				}
				if s.book.rows += blank + times; s.book.rows > maxAllRows {
					yield(nil, e.fault("more than %d rows in all sheets", maxAllRows))
					return
				}
				for ; blank > 0; blank-- {
					if !yield(nil, nil) {
						return
					}
				}
				for range times {
					if !yield(r.cells, nil) {
						return
					}
				}
			}
		}
	}
}

// repeated reads how often an element stands for equal ones.
func repeated(tag xml.StartElement, name string) int {
	n, err := strconv.Atoi(attribute(tag, name))
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// add reads a token of the sheet.
func (r *odsReader) add(token xml.Token) error {
	switch token := token.(type) {
	case xml.StartElement:
		switch {
		case isTableTag(token.Name, "table-cell") || isTableTag(token.Name, "covered-table-cell"):
			r.inCell, r.repeat, r.text = true, repeated(token, "number-columns-repeated"), r.text[:0]
			r.value = ""
			if kind := attribute(token, "value-type"); kind == "float" || kind == "currency" {
				r.value = attribute(token, "value")
			}
		case token.Name.Local == "annotation":
			r.comment++
		case token.Name.Local == "p" && r.comment == 0:
			if r.inText++; len(r.text) > 0 {
				r.text = append(r.text, '\n')
			}
		case token.Name.Local == "s" && r.inText > 0:
			r.text = append(r.text, strings.Repeat(" ", min(repeated(token, "c"), maxText))...)
		}
	case xml.EndElement:
		switch {
		case isTableTag(token.Name, "table-cell") || isTableTag(token.Name, "covered-table-cell"):
			r.inCell = false
			return r.endCell()
		case token.Name.Local == "annotation":
			r.comment--
		case token.Name.Local == "p" && r.comment == 0:
			r.inText--
		}
	case xml.CharData:
		if r.inCell && r.inText > 0 && r.comment == 0 {
			r.text = append(r.text, token...)
		}
	}
	if len(r.text) > maxText {
		return r.e.fault("%w", errText)
	}
	return nil
}

// endCell puts the cell into its row, as often as it says.
func (r *odsReader) endCell() error {
	value := string(r.text)
	if r.value != "" {
		value = plainNumber(r.value)
	}
	if value == "" {
		r.empty += min(r.repeat, maxColumns)
		return nil
	}
	if len(r.cells)+r.empty+r.repeat > maxColumns {
		return r.e.fault("a cell after column %d", maxColumns)
	}
	if r.size += len(value) * r.repeat; r.size > maxRow {
		return r.e.fault("a row is longer than %d MB", maxRow>>20)
	}
	for ; r.empty > 0; r.empty-- {
		r.cells = append(r.cells, "")
	}
	for range r.repeat {
		r.cells = append(r.cells, value)
	}
	return nil
}
