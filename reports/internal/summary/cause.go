package summary

import (
	"slices"

	"robots-audit/reports/internal/site"
)

// MaxCauses bounds the causes of one site in summary.json; its workbook has them all.
const MaxCauses = 10

// maxExampleLength bounds the examples of a cause in summary.json, in bytes: a longer address is
// omitted, not cut.
const maxExampleLength = 1000

// Causes returns the first causes of a site for summary.json, and the number of the others. They
// have effects if these differ by crawler.
func Causes(todo *site.ToDo) (list []site.Cause, more int) {
	list = slices.Clone(todo.List[:min(len(todo.List), MaxCauses)])
	for i := range list {
		c := &list[i]
		c.Examples = slices.DeleteFunc(slices.Clone(c.Examples), func(loc string) bool { return len(loc) > maxExampleLength })
		if c.Frees.Kind == site.NoValue || len(c.Effects) < 2 {
			c.Effects = nil
		}
	}
	return list, len(todo.List) + todo.More - len(list)
}
