package page

import (
	"robots-audit/audit/compare"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/changes/internal/model"
	"robots-audit/reports/internal/sidebyside"
)

// fewFileRows is the number of rows of a robots.txt in a section that is not complete.
const fewFileRows = 40

// file is a robots.txt of both sides.
type file struct {
	Origin  string
	at      int    // position among the site's origins
	Answers []fact // the responses, if they differ
	Note    string
	flips   int64 // pages that single lines change
	sidebyside.File
}

// newFile returns nil if nothing differs.
func newFile(s *model.Site, at int) *file {
	o := &s.Origins[at]
	if o.SameAs != "" || o.Old == nil && o.New == nil {
		return nil
	}
	was, is := answerWords(o.Old), answerWords(o.New)
	if was == is && len(o.Diff) == 0 && sum(o.Old) == sum(o.New) {
		return nil
	}
	f := &file{Origin: origins(s, o), at: at}
	for i := range o.Diff {
		f.flips += o.Diff[i].Flips()
	}
	if was != is || sum(o.Old) != sum(o.New) {
		f.Answers = []fact{{"Before", was}, {"Now", is}}
	}
	if len(o.Diff) > 0 {
		f.File = sidebyside.New(o)
	} else if sum(o.Old) != sum(o.New) && hasText(o.Old) && hasText(o.New) {
		f.Note = "The two files cannot be compared line by line."
	}
	return f
}

func sum(a *compare.Answer) string {
	if a == nil {
		return ""
	}
	return a.SHA256
}

func hasText(a *compare.Answer) bool { return a != nil && a.Kind == compare.BodyText }

// origins names an origin and those that serve the same file.
func origins(s *model.Site, o *compare.Origin) string {
	names := []string{o.Name}
	for i := range s.Origins {
		if s.Origins[i].SameAs == o.Name {
			names = append(names, s.Origins[i].Name)
		}
	}
	return cut(model.Names(names))
}

// answerWords describe the response of an origin: "HTTP 200, 1,234 bytes, from https://…".
func answerWords(a *compare.Answer) string {
	words := model.AnswerWords(a)
	if a == nil || a.Status == 0 {
		return words
	}
	words += ", " + wording.Plural(a.Bytes, "byte")
	if a.Type != "" && !a.Given {
		words += ", " + escape.Cut(a.Type, 60)
	}
	if a.Hops > 0 {
		words += ", after " + wording.Plural(a.Hops, "redirect") + " from " + escape.Cut(a.FinalURL, 200)
	}
	return words
}
