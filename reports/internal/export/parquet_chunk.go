package export

import (
	"cmp"
	"strings"

	"github.com/parquet-go/parquet-go/format"
)

// chunk is a column in the current row group: its distinct values, and an index for each URL, each
// verdict or each row, depending on the part of the row to which the column belongs.
type chunk struct {
	element  *format.SchemaElement
	part     part
	each     bool             // every value is treated as a new one: ids and URLs
	indexes  []int32          // of values; -1 = null
	values   []value          // with copied texts
	known    map[string]int32 // index by text
	numbers  map[int64]int32  // index by other value
	last     int32            // index of the value before; -1 = null
	nulls    bool             // some of indexes are null
	min, max int32            // indexes of the lowest and the highest value

	texts []byte  // if each: the values in the format of pages
	ends  []int32 // end of each value in texts
}

// none is the index of null.
const none = -1

func newChunk(element *format.SchemaElement) *chunk {
	return &chunk{element: element, each: element.Name == "url_id" || element.Name == "url", known: map[string]int32{}, numbers: map[int64]int32{}, last: none}
}

// part says which rows share a value.
type part uint8

const (
	ofRow     part = iota // none
	ofURL                 // those of a URL
	ofVerdict             // those with the same verdict
)

// add adds a value.
func (c *chunk) add(v value) {
	if c.each {
		c.addEach(v.text)
		return
	}
	if v.kind == null {
		c.last, c.nulls = none, true
	} else if c.last == none || c.values[c.last] != v {
		at, ok := c.known[v.text]
		if v.kind != text {
			at, ok = c.numbers[v.number]
		}
		if !ok {
			at = c.addValue(v)
		}
		c.last = at
	}
	c.indexes = append(c.indexes, c.last)
}

// addEach adds the text of a column in which every value is treated as a new one.
func (c *chunk) addEach(s string) {
	at := int32(len(c.ends))
	c.texts = appendText(c.texts, s)
	c.ends = append(c.ends, int32(len(c.texts)))
	c.indexes = append(c.indexes, at)
	if at == 0 || s < string(c.text(c.min)) {
		c.min = at
	}
	if at == 0 || s > string(c.text(c.max)) {
		c.max = at
	}
}

// page returns a text that addEach has added, in the format of pages.
func (c *chunk) page(at int32) []byte {
	if at == 0 {
		return c.texts[:c.ends[0]]
	}
	return c.texts[c.ends[at-1]:c.ends[at]]
}

// text returns a text that addEach has added.
func (c *chunk) text(at int32) []byte { return c.page(at)[4:] }

// addValue adds a new value.
func (c *chunk) addValue(v value) int32 {
	v.text = strings.Clone(v.text) // it may belong to a batch that is reused
	at := int32(len(c.values))
	c.values = append(c.values, v)
	if v.kind == text {
		c.known[v.text] = at
	} else {
		c.numbers[v.number] = at
	}
	if at == 0 || compareValues(v, c.values[c.min]) < 0 {
		c.min = at
	}
	if at == 0 || compareValues(v, c.values[c.max]) > 0 {
		c.max = at
	}
	return at
}

func compareValues(a, b value) int {
	return cmp.Or(strings.Compare(a.text, b.text), cmp.Compare(a.number, b.number))
}

// alike reports whether the column has the same value in every row.
func (c *chunk) alike() bool {
	return !c.each && len(c.values) == 0 || len(c.values) == 1 && !c.nulls
}

// reset empties the column for the next row group.
func (c *chunk) reset() {
	clear(c.known)
	clear(c.numbers)
	c.indexes, c.values, c.texts, c.ends, c.last = c.indexes[:0], c.values[:0], c.texts[:0], c.ends[:0], none
	c.nulls = false
}
