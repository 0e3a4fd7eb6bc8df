package migration

import (
	"bytes"
	_ "embed"
	"html/template"

	"robots-audit/audit/migrate"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"show":      func(s string) string { return escape.Show(escape.Cut(s, 500)) },
	"thousands": wording.Thousands[int64],
	"said":      said,
}).Parse(pageText))

// pageView is what the page shows.
type pageView struct {
	*Summary
	Headline, Further string
	Bars              []pageBar
	Chains            []pageClass
	Book              string
}

// pageBar is a class with the length of its bar.
type pageBar struct {
	ClassCount
	Percent float64
}

// pageClass is a class with its first pairs.
type pageClass struct {
	ClassCount
	Pairs []*Sample
	More  int64
}

// chains is how many pairs of a class the page shows with their redirects.
const chains = 20

// page is index.html: by itself, with no script, and nothing from a network.
func (s *Summary) page() ([]byte, error) {
	v := pageView{Summary: s, Headline: s.Totals.Headline(), Further: s.further(), Book: bookName}
	most := int64(1)
	for _, c := range s.Classes {
		most = max(most, c.Pairs)
	}
	for _, c := range s.Classes {
		v.Bars = append(v.Bars, pageBar{c, max(0.5, 100*float64(c.Pairs)/float64(most))})
		if c.Class == migrate.ClassOK {
			continue
		}
		of := pageClass{ClassCount: c}
		for _, sample := range s.Samples {
			if sample.Class == c.Class && len(of.Pairs) < chains {
				of.Pairs = append(of.Pairs, sample)
			}
		}
		of.More = c.Pairs - int64(len(of.Pairs))
		v.Chains = append(v.Chains, of)
	}
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, &v)
	return b.Bytes(), err
}
