package wording

import "strings"

// Nearest returns the name that was probably intended by one that is not among names:
// the first that is the same but for case and signs, or else differs in the fewest
// letters, or begins so; "" = none is near. Two letters that changed places are one
// difference; every four letters may have one, and short names may have one, too.
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

// longestName bounds what is compared: no one misspells a name into a book.
const longestName = 64

// nameLetters returns the letters of a name; "" = it has none, or is too long to be
// meant as a name.
func nameLetters(name string) string {
	if len(name) > longestName {
		return ""
	}
	return Letters(name)
}

// Letters leaves only the ASCII letters and digits of a text, in lower case.
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
// number of bytes that are to be put in, left out, replaced or exchanged with their
// neighbour to make one of the other. A longer word is as far away as it is long.
func Distance(a, b string) int {
	if longest := max(len(a), len(b)); longest > longestName {
		return longest
	}
	var before, last [longestName + 1]uint8 // rows of the table: the one before the last, the last
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
