package export

import (
	"io"

	"robots-audit/engine/escape"
)

// newJSONL returns a writer of JSON Lines: one object for each row, with every key in every row.
func newJSONL(out io.Writer, _ *Metadata) writer {
	return newLines(out, asJSONL, "}\n", appendJSON)
}

// keys are the text before each value of an object, with the columns' names.
var keys = func() (list []string) {
	for i, c := range columns {
		before := `,"`
		if i == 0 {
			before = `{"`
		}
		list = append(list, before+c.name+`":`)
	}
	return list
}()

// appendJSON appends a value, with its key before it.
func appendJSON(dst []byte, column int, v value) []byte {
	dst = append(dst, keys[column]...)
	switch v.kind {
	case null:
		return append(dst, "null"...)
	case text:
		return escape.AppendPlainString(dst, v.text)
	case moment:
		return append(v.appendNumber(append(dst, '"')), '"')
	}
	return v.appendNumber(dst)
}
