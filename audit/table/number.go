package table

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Number reads a count as people and programs write it: "1,234", "1.234", "1 234", "12.0", "1.2K".
// A point or comma that is not followed by three digits begins a decimal fraction, which is cut
// off. ok = false: the cell has no such number.
func Number(cell string) (n int64, ok bool) {
	if n, err := strconv.ParseUint(cell, 10, 63); err == nil || cell == "" {
		return int64(n), err == nil
	}
	text := digits.Replace(cell)
	factor := 1.0
	if r, size := utf8.DecodeLastRuneInString(text); factors[r] > 0 {
		text, factor = text[:len(text)-size], factors[r]
	}
	at := strings.LastIndexAny(text, ".,")
	if factor > 1 || strings.ContainsAny(text, "eE") { // "1.2K", or a number of a program
		f, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
		if err != nil || !(f >= 0 && f*factor < math.MaxInt64/2) {
			return 0, false
		}
		return int64(math.Round(f * factor)), true
	}
	if at >= 0 && (len(text)-at != len(".123") || strings.HasPrefix(text, "0")) {
		if strings.Trim(text[at+1:], "0123456789") != "" {
			return 0, false
		}
		text = text[:at]
	}
	value, err := strconv.ParseUint(ungrouped.Replace(text), 10, 63)
	return int64(value), err == nil
}

// factors are the units of short numbers.
var factors = map[rune]float64{'K': 1e3, 'k': 1e3, 'M': 1e6, 'B': 1e9, '万': 1e4, '萬': 1e4}

// digits removes separators between groups of digits, other than points and commas, and writes
// Arabic and Persian digits as others do.
var digits = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "\u2009", "", "'", "", "\u2019", "", "\u066c", "", "\u066b", ".", "\u200f", "", "\u200e", "",
	"٠", "0", "١", "1", "٢", "2", "٣", "3", "٤", "4", "٥", "5", "٦", "6", "٧", "7", "٨", "8", "٩", "9",
	"۰", "0", "۱", "1", "۲", "2", "۳", "3", "۴", "4", "۵", "5", "۶", "6", "۷", "7", "۸", "8", "۹", "9")

var ungrouped = strings.NewReplacer(",", "", ".", "")
