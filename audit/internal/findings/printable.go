package findings

import (
	"robots-audit/engine/escape"
	"strings"
)

// lineEnds makes those of a file one kind.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// makePrintable makes all texts of the finding UTF-8, so that they are the same once
// they were written as JSON and read again, and the line its own, so that the
// finding does not hold the whole file.
func (f *Finding) makePrintable() {
	f.Text = strings.Clone(f.Text)
	f.Replacement = lineEnds.Replace(f.Replacement)
	for _, s := range []*string{&f.Text, &f.What, &f.Why, &f.Fix, &f.Replacement} {
		*s = escape.ShowInvalid(*s)
	}
	for i := range f.Samples {
		f.Samples[i] = escape.ShowInvalid(f.Samples[i])
	}
}
