package export

import (
	"io"

	"robots-audit/engine/escape"
)

// newJSONL returns a writer of JSON Lines: one object for each row, with every key in every row.
func newJSONL(out io.Writer, _ *Metadata, of *table) writer {
	return newLines(out, asJSONL, of, "}\n", appendJSON)
}

// appendJSON appends a value.
func appendJSON(dst []byte, v value) []byte {
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
