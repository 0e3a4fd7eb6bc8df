package reports

import (
	"strconv"
	"time"
)

// cell is what stands in one cell. The zero cell is empty.
type cell struct {
	kind cellKind
	look look
	text string
	num  float64
}

type cellKind uint8

const (
	blankCell  cellKind = iota
	textCell            // text, inline
	sharedCell          // num is the index of the text in the workbook's shared strings
	numberCell          // num
	kinds               // how many there are
)

// look is the format of a cell. Its numbers are those of the workbook's cell
// formats, in the order in which the scaffolding asks excelize for them.
type look uint8

const (
	lookPlain   look = iota
	lookInt          // 1,234
	lookReal         // 1.2
	lookPercent      // 12.3%
	lookDay          // 2026-01-02
	lookTime         // 2026-01-02 03:04:05
	lookHead         // title of a column
	lookTitle        // title of a page
	lookWrap         // text over several lines
	lookBold         // name of a figure
	lookLink         // link to a sheet
	lookID           // a number that is a name: a line, a status
	lookTop          // text beside text over several lines
	looks            // how many there are
)

func text(s string) cell {
	if s == "" {
		return cell{}
	}
	return cell{kind: textCell, text: s}
}

func wrapped(s string) cell {
	if s == "" {
		return cell{}
	}
	return cell{kind: textCell, look: lookWrap, text: s}
}

func atTop(s string) cell {
	if s == "" {
		return cell{}
	}
	return cell{kind: textCell, look: lookTop, text: s}
}

func number(n int64) cell { return cell{kind: numberCell, look: lookInt, num: float64(n)} }

// count is a number of which zero is better not seen, such as a line that is none.
func count(n int64) cell {
	if n == 0 {
		return cell{}
	}
	return number(n)
}

// plainNumber is a number that is a name, such as a status or a line.
func plainNumber(n int) cell { return cell{kind: numberCell, look: lookID, num: float64(n)} }

func realNumber(x float64) cell { return cell{kind: numberCell, look: lookReal, num: x} }

// share is part of whole as a percentage; empty where there is no whole.
func share(part, whole int64) cell {
	if whole == 0 {
		return cell{}
	}
	return cell{kind: numberCell, look: lookPercent, num: float64(part) / float64(whole)}
}

func yesNo(b bool) cell {
	if b {
		return text("yes")
	}
	return text("no")
}

// unixDay is the serial number of 1970-01-01 in the calendar of spreadsheets.
const unixDay = 25569

// moment is a time, UTC, to the second.
func moment(t time.Time) cell {
	if t.IsZero() {
		return cell{}
	}
	return cell{kind: numberCell, look: lookTime, num: float64(unixDay*86400+t.Unix()) / 86400}
}

// appendCell writes a cell as sheet XML; column is the name of its column, row
// the digits of its row. Gnumeric, ExcelJS and others find a cell by this
// reference alone, though the standard lets it be left out (ISO/IEC 29500-1,
// 18.3.1.4). It is the last attribute: that compresses a tenth better. An empty
// cell is none.
func appendCell(dst []byte, column string, row []byte, c *cell) []byte {
	if c.kind == blankCell {
		return dst
	}
	dst = append(append(append(dst, cellTag[c.kind][c.look]...), column...), row...)
	switch n := int64(c.num); {
	case c.kind == textCell:
		dst = append(dst, `"><is>`...)
		dst = appendText(dst, c.text)
		return append(dst, `</is></c>`...)
	case float64(n) == c.num:
		dst = strconv.AppendInt(append(dst, `"><v>`...), n, 10)
	default:
		dst = strconv.AppendFloat(append(dst, `"><v>`...), c.num, 'g', -1, 64)
	}
	return append(dst, `</v></c>`...)
}

// cellTag is how a cell begins, up to its reference: with its format and type.
var cellTag = func() (tags [kinds][looks]string) {
	for kind, kindType := range [kinds]string{textCell: ` t="inlineStr"`, sharedCell: ` t="s"`, numberCell: ""} {
		for look := range tags[kind] {
			tags[kind][look] = `<c s="` + strconv.Itoa(look) + `"` + kindType + ` r="`
		}
		tags[kind][lookPlain] = `<c` + kindType + ` r="`
	}
	return tags
}()
