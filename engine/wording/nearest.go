package wording

import "strings"

// Nearest returns the name that was probably intended by a name that is not in names.
// It is the first that is equal except for case and signs. Otherwise it is the one
// that differs in the fewest letters, or one that begins with the name. "" = none is
// similar. Two swapped letters count as one difference. One difference is allowed for
// every four letters, and one for short names.
func Nearest(name string, names []string) string {
	written := nameLetters(name)
	if written == "" {
		return ""
	}
	best, least := "", max(1, len(written)/4)+1
	for _, n := range names {
		if d := Distance(written, nameLetters(n)); d < least {
			best, least = n, d
		}
	}
	for _, n := range names {
		if best == "" && len(written) >= 3 && strings.HasPrefix(nameLetters(n), written) {
			best = n
		}
	}
	return best
}

// longestName limits which texts are compared: longer ones are not misspelt
// names.
const longestName = 64

// nameLetters returns the letters of a name; "" = it has none, or is too long to be
// a name.
func nameLetters(name string) string {
	if len(name) > longestName {
		return ""
	}
	return Letters(name)
}

// Letters keeps only the ASCII letters and digits of a text, in lower case.
func Letters(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'A' && c <= 'Z':
			return c + 0x20
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			return c
		}
		return -1
	}, text)
}

// Distance is the Damerau-Levenshtein distance of two words of at most 64 bytes: the
// number of bytes to insert, delete, replace or swap with their neighbour to turn
// one into the other. For a longer word it is the word's length.
func Distance(a, b string) int {
	if longest := max(len(a), len(b)); longest > longestName {
		return longest
	}
	var before, last [longestName + 1]uint8 // rows of the table: the second to last, the last
	for j := range len(b) {
		last[j+1] = uint8(j + 1)
	}
	for i := range len(a) {
		var row [longestName + 1]uint8
		row[0] = uint8(i + 1)
		for j := range len(b) {
			replace := last[j]
			if a[i] != b[j] {
				replace++
			}
			row[j+1] = min(replace, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return int(last[len(b)])
}
