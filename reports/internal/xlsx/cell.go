package xlsx

import (
	"strconv"
	"time"
)

// cell is what stands in one cell. The zero cell is empty.
type Cell struct {
	Kind   CellKind
	Style  Style
	Text   string
	Number float64
}

type CellKind uint8

const (
	KindBlank  CellKind = iota
	KindText            // text, inline
	KindShared          // num is the index of the text in the workbook's shared strings
	KindNumber          // num
	numKinds            // how many there are
)

// look is the format of a cell. Its numbers are those of the workbook's cell
// formats, in the order in which the scaffolding asks excelize for them.
type Style uint8

const (
	StylePlain      Style = iota
	StyleInt              // 1,234
	StyleFloat            // 1.2
	StylePercent          // 12.3%
	StyleDay              // 2026-01-02
	StyleTime             // 2026-01-02 03:04:05
	StyleHeader           // title of a column
	StyleTitle            // title of a page
	StyleWrapped          // text over several lines
	StyleBold             // name of a figure
	StyleLink             // link to a sheet
	StyleIdentifier       // a number that is a name: a line, a status
	StyleTop              // text beside text over several lines
	numStyles             // how many there are
)

func Text(s string) Cell {
	if s == "" {
		return Cell{}
	}
	return Cell{Kind: KindText, Text: s}
}

func Wrapped(s string) Cell {
	if s == "" {
		return Cell{}
	}
	return Cell{Kind: KindText, Style: StyleWrapped, Text: s}
}

func TopAligned(s string) Cell {
	if s == "" {
		return Cell{}
	}
	return Cell{Kind: KindText, Style: StyleTop, Text: s}
}

// Styled is text in a style of its own; it may be empty.
func Styled(style Style, s string) Cell { return Cell{Kind: KindText, Style: style, Text: s} }

func Number(n int64) Cell { return Cell{Kind: KindNumber, Style: StyleInt, Number: float64(n)} }

// count is a number of which zero is better not seen, such as a line that is none.
func NumberOrBlank(n int64) Cell {
	if n == 0 {
		return Cell{}
	}
	return Number(n)
}

// plainNumber is a number that is a name, such as a status or a line.
func Identifier(n int) Cell {
	return Cell{Kind: KindNumber, Style: StyleIdentifier, Number: float64(n)}
}

func Float(x float64) Cell { return Cell{Kind: KindNumber, Style: StyleFloat, Number: x} }

// share is part of whole as a percentage; empty where there is no whole.
func Percent(part, whole int64) Cell {
	if whole == 0 {
		return Cell{}
	}
	return Cell{Kind: KindNumber, Style: StylePercent, Number: float64(part) / float64(whole)}
}

func YesNo(b bool) Cell {
	if b {
		return Text("yes")
	}
	return Text("no")
}

// unixDay is the serial number of 1970-01-01 in the calendar of spreadsheets.
const UnixDay = 25569

// moment is a time, UTC, to the second.
func Time(t time.Time) Cell {
	if t.IsZero() {
		return Cell{}
	}
	return Cell{Kind: KindNumber, Style: StyleTime, Number: float64(UnixDay*86400+t.Unix()) / 86400}
}

// appendCell writes a cell as sheet XML; column is the name of its column, row
// the digits of its row. Gnumeric, ExcelJS and others find a cell by this
// reference alone, though the standard lets it be left out (ISO/IEC 29500-1,
// 18.3.1.4). It is the last attribute: that compresses a tenth better. An empty
// cell is none.
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

// cellTag is how a cell begins, up to its reference: with its format and type.
var cellTag = func() (tags [numKinds][numStyles]string) {
	for kind, kindType := range [numKinds]string{KindText: ` t="inlineStr"`, KindShared: ` t="s"`, KindNumber: ""} {
		for look := range tags[kind] {
			tags[kind][look] = `<c s="` + strconv.Itoa(look) + `"` + kindType + ` r="`
		}
		tags[kind][StylePlain] = `<c` + kindType + ` r="`
	}
	return tags
}()
