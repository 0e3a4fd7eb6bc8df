package page

import (
	"cmp"
	"slices"
	"strconv"

	"robots-audit/engine/wording"
	"robots-audit/reports/internal/site"
)

// pageCauses bounds the causes on a site's page; the workbook has them all.
const pageCauses = 15

// viewToDo is the page's list of decisions and fixes.
type viewToDo struct {
	Title   string
	Lead    site.Lead
	Causes  []viewCause
	More    string // number of the other causes in words; "" = none
	Nothing string // what was checked, if there is nothing to do
}

// viewCause is a cause with its facts in words.
type viewCause struct {
	*site.Cause
	Key     string // for filtering the URLs; "" = none
	Figures []viewFact
	Answers []viewFact
	Edit    editLink
}

// viewFact is one fact about a cause.
type viewFact struct{ Name, Text string }

// viewCauses puts the causes in words; rules are the options for filtering the page's URLs, hitsOf is
// the crawler of site.CauseColumns.
func viewCauses(todo *site.ToDo, rules []viewChoice, hitsOf string) viewToDo {
	v := viewToDo{Title: todo.Title, Lead: todo.Lead, Nothing: todo.Nothing}
	shown := todo.List[:min(len(todo.List), pageCauses)]
	if more := len(todo.List) + todo.More - len(shown); more > 0 {
		v.More = "And " + wording.Thousands(more) + " more; see the sheet To do."
	}
	columns := slices.DeleteFunc(site.CauseColumns(true, hitsOf), func(c site.CauseColumn) bool { return c.Figure == 0 && !c.Answer })
	slices.SortStableFunc(columns, func(a, b site.CauseColumn) int { return cmp.Compare(a.Figure, b.Figure) })
	for i := range shown {
		c := viewCause{Cause: &shown[i]}
		key := strconv.Itoa(c.Index) + ":" + strconv.Itoa(c.Line)
		if c.Kind == site.CauseLine && slices.ContainsFunc(rules, func(r viewChoice) bool { return r.Value == key }) {
			c.Key = key
		}
		for _, column := range columns {
			fact := viewFact{column.Title, column.Words(c.Cause)}
			switch {
			case fact.Text == "":
			case column.Figure > 0:
				c.Figures = append(c.Figures, fact)
			default:
				c.Answers = append(c.Answers, fact)
			}
		}
		v.Causes = append(v.Causes, c)
	}
	return v
}
