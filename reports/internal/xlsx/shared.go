package xlsx

// maxWords and maxWordBytes bound the shared strings of one workbook.
const (
	maxShared      = 8192
	maxSharedBytes = 256 << 10
)

// words are the shared strings of a workbook: texts that stand in many cells,
// such as rules, groups and sitemaps. A cell that shares its text takes 30
// bytes of XML instead of 100.
type SharedStrings struct {
	index map[string]Cell
	list  []string
	bytes int
}

// cell returns a cell with the text s, shared as long as there is room.
func (w *SharedStrings) Cell(s string) Cell {
	if s == "" {
		return Cell{}
	}
	c, ok := w.index[s]
	if !ok {
		if len(w.list) >= maxShared || w.bytes+len(s) > maxSharedBytes {
			return Text(s)
		}
		if w.index == nil {
			w.index = map[string]Cell{}
		}
		c = w.Reserve(s)
		w.index[s] = c
	}
	return c
}

// find is cell for text that is written over afterwards: a row must be written first.
func (w *SharedStrings) CellOf(s []byte) Cell {
	if c, ok := w.index[string(s)]; ok {
		return c
	}
	return w.Cell(string(s))
}

// text returns what a cell of text shows.
func (w *SharedStrings) Text(c *Cell) string {
	if c.Kind == KindShared {
		return w.list[int(c.Number)]
	}
	return c.Text
}

// reserve returns a cell whose text may still be set.
func (w *SharedStrings) Reserve(s string) Cell {
	w.list = append(w.list, s)
	w.bytes += len(s)
	return Cell{Kind: KindShared, Number: float64(len(w.list) - 1)}
}

// set changes a reserved text; false where there is no room for it.
func (w *SharedStrings) Set(c Cell, s string) bool {
	if c.Kind != KindShared || w.bytes+len(s) > 4*maxSharedBytes {
		return false
	}
	old := &w.list[int(c.Number)]
	w.bytes += len(s) - len(*old)
	*old = s
	return true
}

// full reports whether no text can be reserved any more.
func (w *SharedStrings) Full() bool { return len(w.list) >= maxShared || w.bytes > maxSharedBytes }

// appendXML writes the part xl/sharedStrings.xml.
func (w *SharedStrings) appendXML(dst []byte) []byte {
	dst = append(dst, `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`+"\n"+
		`<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`...)
	for _, s := range w.list {
		dst = append(dst, `<si>`...)
		dst = appendText(dst, s)
		dst = append(dst, `</si>`...)
	}
	return append(dst, `</sst>`...)
}
