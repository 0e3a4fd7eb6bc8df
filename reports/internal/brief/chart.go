package brief

import (
	"fmt"
	"strings"

	"robots-audit/engine/wording"
)

// chart has a bar for each crawler, or one for all sites.
type chart struct {
	Title string
	Bars  []bar
}

// bar shows the parts of a whole.
type bar struct {
	Name  string
	Text  string // its parts in words
	Parts []part
}

// part is a part of a whole; its name is its class of style.
type part struct {
	Name   string
	Plural string // ending of the name if Count is not 1
	Count  int64
}

// newBar returns a bar with its parts in words. A part named "other" is not put in words.
func newBar(name string, parts ...part) bar {
	b := bar{Name: name, Parts: parts}
	whole := int64(0)
	for _, p := range parts {
		whole += p.Count
	}
	var words []string
	for _, p := range parts {
		switch {
		case p.Name == "other":
		case p.Name == "blocked":
			words = append(words, fmt.Sprintf("%s blocked (%s)", wording.Thousands(p.Count), wording.Percent(p.Count, whole)))
		case p.Count > 0:
			words = append(words, wording.Thousands(p.Count)+" "+wording.Verb(p.Count, p.Name, p.Name+p.Plural))
		}
	}
	b.Text = strings.Join(words, ", ")
	return b
}

// barUnits is the length of a bar.
const barUnits = 1000

// Rects are the rectangles of the bar: class, begin and length. A part that is there can be seen.
func (b bar) Rects() (list []rect) {
	whole, at := int64(0), int64(0)
	for _, p := range b.Parts {
		whole += p.Count
	}
	for i, p := range b.Parts {
		if p.Count == 0 {
			continue
		}
		length := max(4, p.Count*barUnits/whole)
		if rest := barUnits - at; length > rest || i == len(b.Parts)-1 {
			length = rest
		}
		list = append(list, rect{strings.ToLower(p.Name), at, length})
		at += length
	}
	return list
}

type rect struct {
	Class     string
	At, Width int64
}
