package findings

import (
	"robots-audit/engine/escape"
	"strings"
)

// lineEnds unifies the line ends of a file.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// makePrintable makes all texts of the finding UTF-8, so that they survive JSON unchanged. It
// copies the line, so that the finding does not keep the whole file in memory.
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
