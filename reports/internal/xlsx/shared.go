package xlsx

// maxShared and maxSharedBytes bound the shared strings of one workbook.
const (
	maxShared      = 8192
	maxSharedBytes = 256 << 10
)

// SharedStrings are texts that many cells of a workbook share. Such a cell takes 30 bytes of XML
// instead of 100. The zero value is empty.
type SharedStrings struct {
	index map[string]Cell
	list  []string
	bytes int
}

// Cell returns a cell with the text s, shared as long as there is space.
func (t *SharedStrings) Cell(s string) Cell {
	if s == "" {
		return Cell{}
	}
	c, ok := t.index[s]
	if !ok {
		if len(t.list) >= maxShared || t.bytes+len(s) > maxSharedBytes {
			return Text(s)
		}
		if t.index == nil {
			t.index = map[string]Cell{}
		}
		c = t.Reserve(s)
		t.index[s] = c
	}
	return c
}

// CellOf is Cell for text that will be overwritten: the row must be written before that.
func (t *SharedStrings) CellOf(s []byte) Cell {
	if c, ok := t.index[string(s)]; ok {
		return c
	}
	return t.Cell(string(s))
}

// Text returns the text of a cell.
func (t *SharedStrings) Text(c *Cell) string {
	if c.Kind == KindShared {
		return t.list[int(c.Number)]
	}
	return c.Text
}

// Reserve returns a cell whose text may still be changed by Set.
func (t *SharedStrings) Reserve(s string) Cell {
	t.list = append(t.list, s)
	t.bytes += len(s)
	return Cell{Kind: KindShared, Number: float64(len(t.list) - 1)}
}

// Set changes a reserved text. It returns false if there is no space for the new one; the old one
// stays.
func (t *SharedStrings) Set(c Cell, s string) bool {
	if c.Kind != KindShared || t.bytes+len(s) > 4*maxSharedBytes {
		return false
	}
	old := &t.list[int(c.Number)]
	t.bytes += len(s) - len(*old)
	*old = s
	return true
}

// Full reports whether no more texts should be reserved.
func (t *SharedStrings) Full() bool { return len(t.list) >= maxShared || t.bytes > maxSharedBytes }

// sharedStart is the beginning of the part of shared strings.
const sharedStart = `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`

// appendXML writes the part xl/sharedStrings.xml.
func (t *SharedStrings) appendXML(dst []byte) []byte {
	dst = append(dst, sharedStart...)
	for _, s := range t.list {
		dst = append(dst, `<si>`...)
		dst = appendText(dst, s)
		dst = append(dst, `</si>`...)
	}
	return append(dst, `</sst>`...)
}
