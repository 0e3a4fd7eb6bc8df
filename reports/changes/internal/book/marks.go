package book

import (
	"robots-audit/audit/compare"
	"robots-audit/reports/internal/xlsx"
)

// Conditional formats: classes, verdicts and severities.
var (
	classColours = []xlsx.Highlight{
		{Text: compare.NewlyBlocked.Words(), Colour: xlsx.Red}, {Text: compare.NewlyAllowed.Words(), Colour: xlsx.Green},
		{Text: compare.NowUnclear.Words(), Colour: xlsx.Amber}, {Text: compare.ClearAgain.Words(), Colour: xlsx.Grey},
	}
	verdictColours  = []xlsx.Highlight{{Text: "blocked", Colour: xlsx.Red}, {Text: "undefined", Colour: xlsx.Amber}, {Text: "unknown", Colour: xlsx.Grey}}
	severityColours = []xlsx.Highlight{
		{Text: compare.Critical.Word(), Colour: xlsx.Red}, {Text: compare.High.Word(), Colour: xlsx.Red},
		{Text: compare.Medium.Word(), Colour: xlsx.Amber}, {Text: compare.Info.Word(), Colour: xlsx.Grey},
	}
)

// lineMarks colour lines side by side: old lines red, new lines green, edited or moved lines amber, equal
// lines grey.
func lineMarks() []xlsx.ConditionalFormat {
	word := func(op compare.Op, c xlsx.Colour) xlsx.Highlight {
		return xlsx.Highlight{Text: op.Words(), Colour: c}
	}
	alike := xlsx.Highlight{Text: unchanged, Colour: xlsx.Grey}
	moved := word(compare.Moved, xlsx.Amber)
	return []xlsx.ConditionalFormat{
		{Column: 1, Highlights: []xlsx.Highlight{word(compare.Added, xlsx.Green), word(compare.Removed, xlsx.Red), word(compare.Edited, xlsx.Amber), moved, alike}},
		{Column: 3, By: "Change", Highlights: []xlsx.Highlight{word(compare.Removed, xlsx.Red), word(compare.Edited, xlsx.Red), moved, alike}},
		{Column: 5, By: "Change", Highlights: []xlsx.Highlight{word(compare.Added, xlsx.Green), word(compare.Edited, xlsx.Green), moved, alike}},
	}
}
