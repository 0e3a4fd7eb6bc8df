package site

import (
	"strconv"

	"robots-audit/engine/wording"
)

// Value is a number, a share or a text; the zero Value is none.
type Value struct {
	Kind ValueKind
	Text string
	Num  float64 // of a share: 1 is the whole
}

// ValueKind is what a Value is.
type ValueKind uint8

// Kinds of values.
const (
	NoValue ValueKind = iota
	TextValue
	NumberValue
	ShareValue
)

// Text returns a text; none where it is empty.
func Text(s string) Value {
	if s == "" {
		return Value{}
	}
	return Value{Kind: TextValue, Text: s}
}

// Number returns a number.
func Number(n int64) Value { return Value{Kind: NumberValue, Num: float64(n)} }

// Share returns part of whole; none where there is no whole.
func Share(part, whole int64) Value {
	if whole == 0 {
		return Value{}
	}
	return Value{Kind: ShareValue, Num: float64(part) / float64(whole)}
}

// String writes the value as people read it: "1,234", "12.3 %".
func (v Value) String() string {
	switch v.Kind {
	case NumberValue:
		return wording.Thousands(int64(v.Num))
	case ShareValue:
		return strconv.FormatFloat(100*v.Num, 'f', 1, 64) + " %"
	}
	return v.Text
}
