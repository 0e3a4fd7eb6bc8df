package xlsx

import (
	"strconv"
	"time"
)

// Cell is the content of one cell. The zero Cell is empty.
type Cell struct {
	Kind   CellKind
	Style  Style
	Text   string  // of KindText
	Number float64 // for KindNumber; for KindShared the index of its text
}

// CellKind is the type of a cell's value.
type CellKind uint8

// The kinds of cells.

const (
	KindBlank  CellKind = iota
	KindText            // text, inline
	KindShared          // text, among the workbook's SharedStrings
	KindNumber          // a number, also a time or a percentage
	numKinds            // number of kinds
)

// Style is the format of a cell. Its numbers are those of the workbook's cell formats, in the order
// in which the template requests them from excelize.
type Style uint8

// The styles of cells.
const (
	StylePlain      Style = iota
	StyleInt              // 1,234
	StyleFloat            // 1.2
	StylePercent          // 12.3%
	StyleDay              // 2026-01-02
	StyleTime             // 2026-01-02 03:04:05
	StyleHeader           // title of a column
	StyleTitle            // title of the summary sheet
	StyleWrapped          // text over several lines
	StyleBold             // name of a figure
	StyleLink             // link to a sheet
	StyleIdentifier       // a number used as a name: a line, a status
	StyleTop              // text next to text over several lines
	StyleUnsigned         // 1,234 for -1,234 too: a bar of a chart to the left
	StyleNoLater          // ≤ 2026-01-02 03:04:05: then or before; only if Design.NoLater is set
	numStyles             // number of styles
)

// Text is text on one line.
func Text(s string) Cell {
	if s == "" {
		return Cell{}
	}
	return Cell{Kind: KindText, Text: s}
}

// Wrapped is text over as many lines as it needs.
func Wrapped(s string) Cell {
	if s == "" {
		return Cell{}
	}
	return Cell{Kind: KindText, Style: StyleWrapped, Text: s}
}

// TopAligned is text next to wrapped text.
func TopAligned(s string) Cell {
	if s == "" {
		return Cell{}
	}
	return Cell{Kind: KindText, Style: StyleTop, Text: s}
}

// Styled is text in another style; unlike Text("") it is a cell even if it is empty.
func Styled(style Style, s string) Cell { return Cell{Kind: KindText, Style: style, Text: s} }

// Number is a count.
func Number(n int64) Cell { return Cell{Kind: KindNumber, Style: StyleInt, Number: float64(n)} }

// Left is a number whose bar goes to the left in a chart with two sides: it is below zero, and
// shown without sign.
func Left(n int64) Cell {
	return Cell{Kind: KindNumber, Style: StyleUnsigned, Number: float64(-n)}
}

// NumberOrBlank is a number, blank if it is zero.
func NumberOrBlank(n int64) Cell {
	if n == 0 {
		return Cell{}
	}
	return Number(n)
}

// Identifier is a number used as a name, such as a status or a line.
func Identifier(n int) Cell {
	return Cell{Kind: KindNumber, Style: StyleIdentifier, Number: float64(n)}
}

// Float is a number with one decimal.
func Float(x float64) Cell { return Cell{Kind: KindNumber, Style: StyleFloat, Number: x} }

// Percent is part of whole as a percentage; empty if whole is 0.
func Percent(part, whole int64) Cell {
	if whole == 0 {
		return Cell{}
	}
	return Cell{Kind: KindNumber, Style: StylePercent, Number: float64(part) / float64(whole)}
}

// YesNo is the word for b.
func YesNo(b bool) Cell {
	if b {
		return Text("yes")
	}
	return Text("no")
}

// UnixDay is the serial number of 1970-01-01 in the calendar of spreadsheets.
const UnixDay = 25569

// Day is a day, as its serial number in that calendar.
func Day(serial int64) Cell {
	return Cell{Kind: KindNumber, Style: StyleDay, Number: float64(serial)}
}

// Seconds is a time, as the seconds since that calendar's beginning.
func Seconds(n int64) Cell {
	return Cell{Kind: KindNumber, Style: StyleTime, Number: float64(n) / 86400}
}

// Time is a time, in UTC and to the second; empty if t is zero.
func Time(t time.Time) Cell {
	if t.IsZero() {
		return Cell{}
	}
	return Seconds(UnixDay*86400 + t.Unix())
}

// appendCell writes a cell as sheet XML; column is the name of its column, row the digits of its
// row. Gnumeric, ExcelJS and others find a cell only by this reference, though the standard makes
// it optional (ISO/IEC 29500-1, 18.3.1.4). It is the last attribute, which compresses a tenth
// better. It writes nothing for an empty cell.
func appendCell(dst []byte, column string, row []byte, c *Cell) []byte {
	if c.Kind == KindBlank {
		return dst
	}
	dst = append(append(append(dst, cellTag[c.Kind][c.Style]...), column...), row...)
	switch n := int64(c.Number); {
	case c.Kind == KindText:
		dst = append(dst, `"><is>`...)
		dst = appendText(dst, c.Text)
		return append(dst, `</is></c>`...)
	case float64(n) == c.Number:
		dst = strconv.AppendInt(append(dst, `"><v>`...), n, 10)
	default:
		dst = strconv.AppendFloat(append(dst, `"><v>`...), c.Number, 'g', -1, 64)
	}
	return append(dst, `</v></c>`...)
}

// cellTag is the beginning of a cell, up to its reference: with its format and type.
var cellTag = func() (tags [numKinds][numStyles]string) {
	for kind, kindType := range [numKinds]string{KindText: ` t="inlineStr"`, KindShared: ` t="s"`, KindNumber: ""} {
		for style := range tags[kind] {
			tags[kind][style] = `<c s="` + strconv.Itoa(style) + `"` + kindType + ` r="`
		}
		tags[kind][StylePlain] = `<c` + kindType + ` r="`
	}
	return tags
}()
