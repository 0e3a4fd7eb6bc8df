// Package wording writes numbers and nouns for people: "1,234 URLs", "3 sites",
// "12.5 %". Findings, workbooks, pages and summaries share these words, so that
// they say the same fact in the same way.
package wording

import (
	"fmt"
	"strconv"
	"strings"
)

// Plural returns a number with its noun: "1 site", "3 sites", "1,234 sites".
func Plural[N int | int64](n N, noun string) string {
	return Thousands(n) + " " + Verb(n, noun, noun+"s")
}

// URLs returns "1 URL", "1,234 URLs".
func URLs(n int64) string { return Plural(n, "URL") }

// Of names a number of things in a sentence, or "the only page"; words are
// "all", "any of the", "each of the".
func Of[N int | int64](words string, n N, noun string) string {
	if n == 1 {
		return "the only " + noun
	}
	return words + " " + Plural(n, noun)
}

// NoURL begins a sentence that says "no" for all URLs: "None of the 1,234 URLs is", "The
// only URL is not".
func NoURL(n int64) string {
	if n == 1 {
		return "The only URL is not"
	}
	return "None of the " + URLs(n) + " is"
}

// Thousands writes a number with commas: "1,234,567".
func Thousands[N int | int64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Percent writes part of whole as a percentage: "87 %", "2.5 %". Only the whole is
// "100 %". Below 10 % and above 99 % there is one decimal. A small part that would
// round to 0 is "less than 0.1 %", and an incomplete part is never rounded up to 100
// %.
func Percent(part, whole int64) string {
	switch p := 100 * float64(part) / float64(whole); {
	case whole == 0 || part == 0:
		return "0 %"
	case part == whole:
		return "100 %"
	case p < 0.1:
		return "less than 0.1 %"
	case p < 9.95:
		return fmt.Sprintf("%.1f %%", p)
	case p > 99:
		return fmt.Sprintf("%.1f %%", min(p, 99.9))
	default:
		return fmt.Sprintf("%d %%", int(p+0.5))
	}
}

// Verb returns the form of a verb or noun for a number.
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

// And joins names for a sentence: "Googlebot, Bingbot and YandexBot".
func And(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// Some lists the first three names, and says whether there are others.
func Some(names []string) string {
	if len(names) > 3 {
		return strings.Join(names[:3], ", ") + " and others"
	}
	return And(names)
}
