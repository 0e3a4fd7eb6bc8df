package page

import (
	"robots-audit/audit/compare"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/changes/internal/model"
)

// Bounds of a robots.txt side by side.
const (
	fileRows    = 400 // rows of one file
	fewFileRows = 40  // of a site behind those that are shown in full
	fileContext = 3   // lines that stay, before and after one that differs
	longLine    = 300 // bytes
)

// file is a robots.txt of both sides.
type file struct {
	Origin  string
	at      int    // its place among the site's origins
	Answers []fact // how it was answered, where that differs
	Note    string
	flips   int64 // pages that single lines flip
	Rows    []fileRow
	More    int // lines that differ and are not shown
}

// fileRow is a row of a robots.txt side by side, or the lines that stay between two of them.
type fileRow struct {
	Skipped                 int // lines that stay and are not shown; 0 = this is a row
	Words                   string
	Class                   string // "added", "removed", "edited", "moved"; "" = it stays
	OldLine, NewLine        int
	OldID, NewID            string // of a line that a sample leads to; "" = none does
	Old, New                *fileLine
	Margin                  bool // it tells of flips
	Blocked, Allowed, Other int64
}

// fileLine is a line of one side, cut where it differs from that of the other.
type fileLine struct{ Before, Differs, After, Sign string }

// newFile returns nil where nothing differs.
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
		f.flips += o.Diff[i].NewlyBlocked + o.Diff[i].NewlyAllowed + o.Diff[i].OtherFlips
	}
	if was != is || sum(o.Old) != sum(o.New) {
		f.Answers = []fact{{"Before", was}, {"Now", is}}
	}
	if len(o.Diff) > 0 {
		f.sideBySide(o)
	} else if sum(o.Old) != sum(o.New) && hasText(o.Old) && hasText(o.New) {
		f.Note = "The two files cannot be told apart line by line."
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

// origins names an origin with those that serve the very same file.
func origins(s *model.Site, o *compare.Origin) string {
	names := []string{o.Name}
	for i := range s.Origins {
		if s.Origins[i].SameAs == o.Name {
			names = append(names, s.Origins[i].Name)
		}
	}
	return cut(model.Names(names))
}

// answerWords say how an origin answered: "HTTP 200, 1,234 bytes, from https://…".
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
