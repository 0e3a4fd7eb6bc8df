package site

import (
	"encoding/json"

	"robots-audit/engine/wording"
)

// Value is a number, a bound, a share or a text. The zero Value is none: a key figure that was not
// measured.
type Value struct {
	Kind ValueKind
	Text string
	Num  float64 // of a share: 1 is the whole
}

// ValueKind is the kind of a Value.
type ValueKind uint8

// Kinds of values.
const (
	NoValue ValueKind = iota
	TextValue
	NumberValue
	ShareValue
	LeastValue // a number that is a lower bound
	MostValue  // a number that is an upper bound
)

// Text returns a text; none if it is empty.
func Text(s string) Value {
	if s == "" {
		return Value{}
	}
	return Value{Kind: TextValue, Text: s}
}

// Number returns a number.
func Number(n int64) Value { return Value{Kind: NumberValue, Num: float64(n)} }

// AtLeast returns a lower bound: "at least 608", "0 so far".
func AtLeast(n int64) Value { return Value{Kind: LeastValue, Num: float64(n)} }

// AtMost returns an upper bound: "at most 12".
func AtMost(n int64) Value { return Value{Kind: MostValue, Num: float64(n)} }

// Share returns part of whole; none if whole is 0.
func Share(part, whole int64) Value {
	if whole == 0 {
		return Value{}
	}
	return Value{Kind: ShareValue, Num: float64(part) / float64(whole)}
}

// MarshalJSON writes a text, or the number.
func (v Value) MarshalJSON() ([]byte, error) {
	if v.Kind == TextValue {
		return json.Marshal(v.Text)
	}
	return json.Marshal(v.Num)
}

// UnmarshalJSON reads a number.
func (v *Value) UnmarshalJSON(text []byte) error {
	v.Kind = NumberValue
	return json.Unmarshal(text, &v.Num)
}

// percent formats a share as wording.Percent does: only the whole is "100 %".
func percent(share float64) string {
	const whole = 1 << 52
	part := int64(share * whole)
	if part == 0 && share > 0 {
		part = 1
	}
	return wording.Percent(part, whole)
}

// String formats the value for people: "1,234", "12 %".
func (v Value) String() string {
	switch v.Kind {
	case NumberValue:
		return wording.Thousands(int64(v.Num))
	case LeastValue:
		if v.Num == 0 {
			return "0 so far"
		}
		return "at least " + wording.Thousands(int64(v.Num))
	case MostValue:
		return "at most " + wording.Thousands(int64(v.Num))
	case ShareValue:
		return percent(v.Num)
	}
	return v.Text
}
