package table

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

const (
	workbookPart  = "xl/workbook.xml"
	relationsPart = "xl/_rels/workbook.xml.rels"
)

// IsWorkbook reports whether the ZIP is a workbook.
func (a *Archive) IsWorkbook() bool {
	return a.has(workbookPart) || a.isODS()
}

func (a *Archive) has(name string) bool {
	return slices.ContainsFunc(a.File, func(f *zip.File) bool { return f.Name == name })
}

// Book is a workbook whose sheets are read row by row.
type Book struct {
	Sheets []Sheet // with cells, in their order

	archive *Archive
	files   map[string]*zip.File // by name, in lower case
	shared  []string             // texts that cells refer to by number
	rows    int                  // rows read, of all sheets
}

// Sheet is a sheet of a workbook.
type Sheet struct {
	Name string
	book *Book
	part string
	ods  int // 1-based place of the sheet in the part of an OpenDocument; 0 = .xlsx
}

// sharedCost is the memory of a shared text in addition to its bytes.
const sharedCost = 48

// Workbook reads a workbook, except for the rows of its sheets.
func (a *Archive) Workbook() (*Book, error) {
	b := &Book{archive: a, files: map[string]*zip.File{}}
	for _, f := range a.File {
		b.files[strings.ToLower(strings.ReplaceAll(f.Name, `\`, "/"))] = f
	}
	if a.isODS() {
		return b, b.readODS()
	}
	names, ids := []string{}, []string{}
	err := b.each(workbookPart, func(tag xml.StartElement) error {
		if tag.Name.Local != "sheet" {
			return nil
		}
		id := ""
		for _, attr := range tag.Attr {
			if attr.Name.Local == "id" && attr.Name.Space != "" { // r:id; sheetId is something else
				id = attr.Value
			}
		}
		if names, ids = append(names, attribute(tag, "name")), append(ids, id); len(names) > a.limits.Entries {
			return fmt.Errorf("more than %d sheets", a.limits.Entries)
		}
		return nil
	})
	if err != nil || len(names) == 0 {
		return b, err
	}
	parts, shared := map[string]string{}, "" // of worksheets, by id
	err = b.each(relationsPart, func(tag xml.StartElement) error {
		if tag.Name.Local != "Relationship" {
			return nil
		}
		target := path.Join("xl", attribute(tag, "Target"))
		if t := attribute(tag, "Target"); strings.HasPrefix(t, "/") {
			target = path.Clean(t)[1:]
		}
		switch path.Base(attribute(tag, "Type")) {
		case "worksheet":
			parts[attribute(tag, "Id")] = target
		case "sharedStrings":
			shared = target
		}
		if len(parts) > a.limits.Entries {
			return fmt.Errorf("more than %d sheets", a.limits.Entries)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		if part := parts[id]; part != "" { // a chart sheet has no cells
			b.Sheets = append(b.Sheets, Sheet{Name: names[i], book: b, part: part})
		}
	}
	if shared == "" {
		return b, nil
	}
	return b, b.readShared(shared)
}

// each calls a function for each start tag of a part that lists other parts.
func (b *Book) each(part string, do func(xml.StartElement) error) error {
	e, err := b.part(part)
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
		if e.xml.InputOffset() > maxIndex {
			return e.fault("longer than %d MB", maxIndex>>20)
		}
		if tag, ok := token.(xml.StartElement); ok {
			if err := do(tag); err != nil {
				return e.fault("%w", err)
			}
		}
	}
}

// readShared reads the texts that cells share.
func (b *Book) readShared(part string) error {
	e, err := b.part(part)
	if err != nil {
		return err
	}
	defer e.close()
	var text cellText
	for held := int64(0); ; {
		token, err := e.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = text.add(e, token)
		}
		if err != nil {
			return err
		}
		if end, ok := token.(xml.EndElement); ok && end.Name.Local == "si" {
			if held += int64(len(text.text) + sharedCost); held > b.archive.limits.Texts {
				return e.fault("more than %d MB of texts. Save the sheet as .csv", b.archive.limits.Texts>>20)
			}
			b.shared = append(b.shared, text.take(true))
		}
	}
}
