package reports

// maxWords and maxWordBytes bound the shared strings of one workbook.
const (
	maxWords     = 8192
	maxWordBytes = 256 << 10
)

// words are the shared strings of a workbook: texts that stand in many cells,
// such as rules, groups and sitemaps. A cell that shares its text takes 30
// bytes of XML instead of 100.
type words struct {
	index map[string]cell
	list  []string
	bytes int
}

// cell returns a cell with the text s, shared as long as there is room.
func (w *words) cell(s string) cell {
	if s == "" {
		return cell{}
	}
	c, ok := w.index[s]
	if !ok {
		if len(w.list) >= maxWords || w.bytes+len(s) > maxWordBytes {
			return text(s)
		}
		if w.index == nil {
			w.index = map[string]cell{}
		}
		c = w.reserve(s)
		w.index[s] = c
	}
	return c
}

// find is cell for text that is written over afterwards: a row must be written first.
func (w *words) find(s []byte) cell {
	if c, ok := w.index[string(s)]; ok {
		return c
	}
	return w.cell(string(s))
}

// text returns what a cell of text shows.
func (w *words) text(c *cell) string {
	if c.kind == sharedCell {
		return w.list[int(c.num)]
	}
	return c.text
}

// reserve returns a cell whose text may still be set.
func (w *words) reserve(s string) cell {
	w.list = append(w.list, s)
	w.bytes += len(s)
	return cell{kind: sharedCell, num: float64(len(w.list) - 1)}
}

// set changes a reserved text; false where there is no room for it.
func (w *words) set(c cell, s string) bool {
	if c.kind != sharedCell || w.bytes+len(s) > 4*maxWordBytes {
		return false
	}
	old := &w.list[int(c.num)]
	w.bytes += len(s) - len(*old)
	*old = s
	return true
}

// full reports whether no text can be reserved any more.
func (w *words) full() bool { return len(w.list) >= maxWords || w.bytes > maxWordBytes }

// appendXML writes the part xl/sharedStrings.xml.
func (w *words) appendXML(dst []byte) []byte {
	dst = append(dst, `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`+"\n"+
		`<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`...)
	for _, s := range w.list {
		dst = append(dst, `<si>`...)
		dst = appendText(dst, s)
		dst = append(dst, `</si>`...)
	}
	return append(dst, `</sst>`...)
}
