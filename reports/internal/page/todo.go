package page

import (
	"slices"
	"strconv"

	"robots-audit/engine/wording"
	"robots-audit/reports/internal/site"
)

// pageCauses bounds the causes of a site's page; the workbook has them all.
const pageCauses = 15

// viewToDo is what is to be decided on or fixed, as the page shows it.
type viewToDo struct {
	Title   string
	Causes  []viewCause
	More    string // how many others there are; "" = none
	Nothing string // what was looked at where there is nothing to do
}

// viewCause is a cause with its facts in words.
type viewCause struct {
	*site.Cause
	Key     string // for the filter of the URLs; "" = none
	Figures []viewFact
	Facts   []viewFact
}

// viewFact is what is known of a cause in one respect.
type viewFact struct{ Name, Text string }

// viewCauses puts the causes in words; rules are those by which the page's URLs can be filtered.
func viewCauses(todo *site.ToDo, rules []viewChoice) viewToDo {
	v := viewToDo{Title: todo.Title, Nothing: todo.Nothing}
	shown := todo.List[:min(len(todo.List), pageCauses)]
	if more := len(todo.List) + todo.More - len(shown); more > 0 {
		v.More = "And " + wording.Thousands(more) + " more; see the sheet To do."
	}
	for i := range shown {
		c := viewCause{Cause: &shown[i]}
		key := strconv.Itoa(c.Index) + ":" + strconv.Itoa(c.Line)
		if c.Kind == site.CauseLine && slices.ContainsFunc(rules, func(r viewChoice) bool { return r.Value == key }) {
			c.Key = key
		}
		c.add(&c.Figures, "URLs", withShare(c.URLCount(), c.Share, "known URLs"))
		c.add(&c.Figures, "Clicks", withShare(c.ClickCount(), c.ClickShare, "clicks"))
		c.add(&c.Figures, "Crawlers", c.ForWhom())
		c.add(&c.Figures, "Templates", c.InTemplates())
		c.add(&c.Facts, "Is it meant?", c.Meant)
		c.add(&c.Facts, "What to do", c.Do)
		c.add(&c.Facts, "What happens then", c.Proof)
		v.Causes = append(v.Causes, c)
	}
	return v
}

// add adds a fact, unless nothing is known.
func (*viewCause) add(to *[]viewFact, name, text string) {
	if text != "" {
		*to = append(*to, viewFact{name, text})
	}
}

// withShare writes a number with its part of the whole; "" = it was not counted.
func withShare(n, share site.Value, of string) string {
	if n.Kind == site.NoValue {
		return ""
	}
	return n.String() + " (" + share.String() + " of " + of + ")"
}
