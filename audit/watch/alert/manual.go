package alert

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
)

// Manual lists the conditions, one per line: " AL01 critical / is blocked from crawling".
func Manual() string {
	var b strings.Builder
	line := func(code string, level compare.Severity, what string) {
		fmt.Fprintf(&b, "  %s  %-8s  %s\n", code, level.Word(), what)
	}
	for _, c := range conditions {
		what := c.short
		if c.confirm {
			what += "; checked again first"
		}
		line(c.code, c.level, what)
	}
	line(ended, compare.Info, "an alert is resolved; says after how long")
	return b.String()
}

// Short says in a few words what a condition is: "the home page is blocked". "" = there is no such
// condition.
func Short(code string) string {
	if i := slices.IndexFunc(conditions, func(c condition) bool { return c.code == code }); i >= 0 {
		return conditions[i].short
	}
	return ""
}

// NextStep is the first thing to do about an alert, a sentence. "" = its condition is of a later version.
func NextStep(a *history.Alert) string {
	i := slices.IndexFunc(conditions, func(c condition) bool { return c.code == a.Condition })
	switch {
	case i < 0:
		return ""
	case a.Base == "":
		return cmp.Or(conditions[i].initial, conditions[i].next)
	}
	return conditions[i].next
}
