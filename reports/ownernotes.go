package reports

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"

	"robots-audit/audit"
	"robots-audit/audit/table"
	"robots-audit/reports/internal/book"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// Bounds of the owner notes of one site. A note is as long as a cell, xlsx.MaxText.
const (
	MaxNotes     = 100_000
	MaxNoteBytes = 8 << 20 // of all texts together
)

// noteLimits limit what is read from a workbook, which may come from elsewhere.
var noteLimits = table.Limits{Bytes: 4 << 30, Entries: 1000, Tokens: 512 << 20, Texts: 512 << 20}

// headerRows is the number of rows in which the titles of a sheet are searched: people may have
// inserted lines above them.
const headerRows = 20

// OwnerNotes returns the owner notes of a site after people may have edited its workbook, a file in the folder dir. known are the
// notes that were in it when it was made. A cell with another text replaces the note, an empty cell removes it, and the note of a
// missing row stays. If a URL has several rows with different texts, these are joined.
//
// Columns are found by their titles on any sheet. So it does not matter what was moved, hidden, sorted or filtered, or which
// program saved the file. Rows are read one at a time, and none if no program has saved the workbook since it was made. An error
// says that the workbook cannot be read, or has more notes than MaxNotes and MaxNoteBytes allow; known then remains valid.
func OwnerNotes(dir, file string, known map[audit.NoteKey]string) (map[audit.NoteKey]string, error) {
	root, path := disk.NewRoot(dir), filepath.Join(dir, file)
	defer root.Close()
	in, err := root.Open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	z, err := table.OpenArchive(in, info.Size(), noteLimits)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if xlsx.Untouched(z.Reader) {
		return known, nil
	}
	book, err := z.Workbook()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	n := noteReader{known: known, written: map[audit.NoteKey][]string{}, emptied: map[audit.NoteKey]bool{}}
	for _, sheet := range book.Sheets {
		if err := n.readSheet(sheet); err != nil {
			return nil, fmt.Errorf("%s, sheet %s: %w", path, sheet.Name, err)
		}
	}
	return n.notes(), nil
}

// noteReader collects the differences from the known notes.
type noteReader struct {
	known   map[audit.NoteKey]string
	written map[audit.NoteKey][]string // each text once
	emptied map[audit.NoteKey]bool     // keys of known whose cells are empty
	count   int                        // number of texts in written
	bytes   int
}

// readSheet reads the rows of a sheet. It stops after the first rows if the columns are missing.
func (n *noteReader) readSheet(sheet table.Sheet) error {
	kind, id, note := "", -1, -1
	at := 0
	for cells, err := range sheet.Rows() {
		if err != nil {
			return err
		}
		if kind != "" {
			if err := n.addRow(kind, cell(cells, id), cell(cells, note)); err != nil {
				return err
			}
			continue
		}
		if at++; at > headerRows {
			return nil
		}
		kind, id, note = noteColumns(cells)
	}
	return nil
}

// cell is the text of a cell; "" if the row is shorter.
func cell(cells []string, i int) string {
	if i >= len(cells) {
		return ""
	}
	return cells[i]
}

// noteColumns finds the columns of the note and of the id; kind "" = these are not titles.
func noteColumns(titles []string) (kind string, id, note int) {
	if note = slices.Index(titles, book.TitleNote); note < 0 {
		return "", -1, -1
	}
	if id = slices.Index(titles, book.TitleURLID); id >= 0 {
		return site.NoteURL, id, note
	}
	if id = slices.Index(titles, book.TitleRuleID); id >= 0 {
		return site.NoteRule, id, note
	}
	return "", -1, -1
}

// addRow adds the note of a row.
func (n *noteReader) addRow(kind, id, text string) error {
	key := audit.NoteKey{Kind: kind, ID: id}
	text = cleanNote(text)
	switch old := n.known[key]; {
	case text == old || !isID(id):
	case text == "":
		n.emptied[key] = true
	case !slices.Contains(n.written[key], text):
		n.written[key] = append(n.written[key], text)
		n.count++
		n.bytes += len(text)
	}
	if n.count > MaxNotes || n.bytes > MaxNoteBytes {
		return fmt.Errorf("more than %d notes, or %d bytes of them", MaxNotes, MaxNoteBytes)
	}
	return nil
}

// isID reports whether text is an id as package audit makes them.
func isID(text string) bool {
	return len(text) == 16 && strings.Trim(text, "0123456789abcdef") == ""
}

// cleanNote returns a note as one line: white space is one space, and there are no control
// characters. A note that was written into a workbook is read unchanged.
func cleanNote(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\ufffd")), " ")
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, text)
	if len(text) <= xlsx.MaxText {
		return text
	}
	units := utf16.Encode([]rune(text))
	if len(units) <= xlsx.MaxText {
		return text
	}
	return strings.TrimSpace(strings.TrimSuffix(string(utf16.Decode(units[:xlsx.MaxText])), "\ufffd"))
}

// notes returns the notes after all rows are read.
func (n *noteReader) notes() map[audit.NoteKey]string {
	notes := map[audit.NoteKey]string{}
	for key, text := range n.known {
		if !n.emptied[key] {
			notes[key] = text
		}
	}
	for key, texts := range n.written {
		notes[key] = cleanNote(strings.Join(texts, "; "))
	}
	return notes
}
