package alert

import (
	"fmt"
	"strings"

	"robots-audit/audit/compare"
)

// levels are the severities that alerts mostly have, by condition: what is said of them
// to people who choose what a channel tells. A crawler that is no one's first, shut out
// of "/" where nobody watches it, makes AL01 a medium one.
var levels = map[string]compare.Severity{
	"AL01": compare.Critical, "AL02": compare.Critical, "AL03": compare.Critical, "AL04": compare.High, "AL05": compare.Critical, "AL06": compare.High, "AL07": compare.High,
	"AL08": compare.High, "AL09": compare.Critical, "AL10": compare.Medium, "AL11": compare.Medium, "AL12": compare.Medium, "AL13": compare.Info, ended: compare.Info,
}

// Manual lists the conditions, a line each: "  AL01  critical  / is blocked from crawling".
func Manual() string {
	var b strings.Builder
	line := func(code, what string) { fmt.Fprintf(&b, "  %s  %-8s  %s\n", code, levels[code], what) }
	for _, c := range conditions {
		what := c.short
		if c.confirm {
			what += "; asked again first"
		}
		line(c.code, what)
	}
	line(ended, "an alert has ended, after how long")
	return b.String()
}
