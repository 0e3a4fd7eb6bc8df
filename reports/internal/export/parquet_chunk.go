package export

import (
	"cmp"
	"strings"

	"github.com/parquet-go/parquet-go/format"
)

// chunk is what a column says in the row group at hand: its values, each once, and which of
// them stands where. Each URL, each verdict or each row has an index, by the part of the row
// to which the column belongs.
type chunk struct {
	column
	element  *format.SchemaElement
	each     bool             // every value is taken for another: ids and URLs
	indexes  []int32          // of values; -1 = null
	values   []value          // with texts of their own
	known    map[string]int32 // of texts
	numbers  map[int64]int32  // of other values
	last     int32            // index of the value before; -1 = null
	nulls    bool             // some of indexes are null
	min, max int32            // indexes of the least and the greatest value

	texts []byte  // where each: the values, as pages have them
	ends  []int32 // of each in texts
}

// none is the index of null.
const none = -1

func newChunk(c column, element *format.SchemaElement) *chunk {
	return &chunk{column: c, element: element, each: c.name == "url_id" || c.name == "url", known: map[string]int32{}, numbers: map[int64]int32{}, last: none}
}

// add adds what the column says in a row.
func (c *chunk) add(row *Row) {
	v := c.of(row)
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

// addEach adds the text of a column of which every value is taken for another.
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

// page is a text that addEach has added, as pages have it.
func (c *chunk) page(at int32) []byte {
	if at == 0 {
		return c.texts[:c.ends[0]]
	}
	return c.texts[c.ends[at-1]:c.ends[at]]
}

// text is a text that addEach has added.
func (c *chunk) text(at int32) []byte { return c.page(at)[4:] }

// addValue adds a value that none is like.
func (c *chunk) addValue(v value) int32 {
	v.text = strings.Clone(v.text) // it may be of a batch that is used again
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

// alike reports whether the column says the same in every row.
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
