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

// appendCell writes a cell as sheet XML, without its reference: a cell stands
// to the right of the one before (ISO/IEC 29500-1, 18.3.1.4: r is optional).
// References, different in every cell, would double the time that a row takes
// and make the file a third larger.
func appendCell(dst []byte, c *cell) []byte {
	if c.kind == blankCell {
		return append(dst, `<c/>`...)
	}
	dst = append(dst, `<c`...)
	if c.look != lookPlain {
		dst = append(dst, lookAttribute[c.look]...)
	}
	switch c.kind {
	case sharedCell:
		dst = append(dst, ` t="s"><v>`...)
		dst = strconv.AppendInt(dst, int64(c.num), 10)
	case numberCell:
		dst = append(dst, `><v>`...)
		if n := int64(c.num); float64(n) == c.num {
			dst = strconv.AppendInt(dst, n, 10)
		} else {
			dst = strconv.AppendFloat(dst, c.num, 'g', -1, 64)
		}
	default:
		dst = append(dst, ` t="inlineStr"><is>`...)
		dst = appendText(dst, c.text)
		return append(dst, `</is></c>`...)
	}
	return append(dst, `</v></c>`...)
}

// lookAttribute is the attribute that gives a cell its format.
var lookAttribute = func() (a [looks]string) {
	for i := range a {
		a[i] = ` s="` + strconv.Itoa(i) + `"`
	}
	return a
}()
