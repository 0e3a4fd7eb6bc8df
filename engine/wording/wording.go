// Package wording writes numbers and nouns as people read them: "1,234 known
// URLs", "3 sites", "12.5 %". Workbooks, pages and summaries say the same
// fact in the same words, so the words are here and in none of them.
package wording

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Plural returns a number with its noun: "1 site", "3 sites".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Known returns "1 known URL", "1,234 known URLs": the URLs of a site that are
// not known were not tested, and nothing is said of them.
func Known(n int64) string {
	if n == 1 {
		return "1 known URL"
	}
	return Thousands(n) + " known URLs"
}

// Thousands writes a number with commas: "1,234,567".
func Thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Percent writes part of whole with one decimal: "12.5 %". What is there but
// would be shown as zero is "less than 0.1 %".
func Percent(part, whole int64) string {
	if whole == 0 {
		return "0 %"
	}
	p := 100 * float64(part) / float64(whole)
	if part > 0 && p < 0.1 {
		return "less than 0.1 %"
	}
	return fmt.Sprintf("%.1f %%", p)
}

// Verb returns the form of a verb that goes with a number.
func Verb[N int | int64](n N, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Join appends a name to a list of names with commas between them.
func Join(list, name string) string {
	if list == "" {
		return name
	}
	return list + ", " + name
}

// CutMark stands at the end of a text that was cut.
const CutMark = "… [cut]"

// Cut returns the first bytes of a text, whole characters, with CutMark behind
// them where there are more than most.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return strings.Clone(s[:most]) + CutMark
}
