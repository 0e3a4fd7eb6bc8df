package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/xlsx"
)

// Rows of the page of summary.xlsx.
const (
	runFigures    = 6 // header of the key figures
	runStates     = 18
	runShares     = 36
	runTroubles   = 54
	runTroubleMax = 12
)

// Places of its charts that are filled in.
const (
	placeStateTitle   = "@states@"
	placeShareTitle   = "@shares@"
	placeTroubleTitle = "@troubles@"
	placeTroubleRows  = "1040003"
)

// shareClasses are the classes of the picture of sites by share blocked.
var shareClasses = []struct {
	name string
	upTo float64 // share, inclusive
}{
	{"none", 0}, {"up to 1 %", 0.01}, {"1 to 5 %", 0.05}, {"5 to 20 %", 0.2}, {"20 to 50 %", 0.5}, {"50 to 99 %", 0.999999}, {"all", 1},
}

func runLayout() xlsx.PageLayout {
	return xlsx.PageLayout{
		Name:   "Summary",
		Widths: []float64{40, 14, 12, 84, 13},
		Merged: []string{"A1:E1", "A2:E2", "A3:E3", "A4:E4"},
		Links: map[string]string{
			"E7": "Sites", "E8": "Sites", "E9": "Sites", "E10": "Sites", "E11": "Sites", "E12": "Sites", "E13": "Sites", "E14": "Left out", "E15": "Errors", "E16": "Fleet",
		},
		Charts: []xlsx.Chart{
			{Cell: "D18", Type: xlsx.BarChart, Title: placeStateTitle, From: runStates, Rows: itoa(runStates + 4), Categories: "A",
				Values: []string{"B"}, Colours: []string{"4F81BD"}, Height: 330},
			{Cell: "D36", Type: xlsx.ColumnChart, Title: placeShareTitle, From: runShares, Rows: itoa(runShares + len(shareClasses)), Categories: "A",
				Values: []string{"B"}, Colours: []string{"C0504D"}, Height: 330},
			{Cell: "D54", Type: xlsx.BarChart, Title: placeTroubleTitle, From: runTroubles, Rows: placeTroubleRows, Categories: "A",
				Values: []string{"B"}, Colours: []string{"7F7F7F"}, Height: 330},
		},
	}
}

// fleet is what the summaries say about all sites together.
type fleet struct {
	shares   []int          // sites by class of share blocked
	judged   int            // sites with known URLs
	troubles map[string]int // sites with at least one problem of a code
	leftOut  int64
	unclear  int64
	problems int64
	worst    *siteLine // the site with most blocked URLs
	noted    map[audit.State][]notedSite
}

// notedSite is a site that summary.md names.
type notedSite struct{ name, why string }

// maxNoted bounds the sites of one state that summary.md names.
const maxNoted = 50

// maxTroubles bounds the codes that are counted; there are some forty.
const maxTroubles = 1000

func (f *fleet) add(l *siteLine) {
	if f.noted == nil {
		f.noted, f.troubles, f.shares = map[audit.State][]notedSite{}, map[string]int{}, make([]int, len(shareClasses))
	}
	f.leftOut += total(l.LeftOut)
	f.unclear += l.Unknown
	f.problems += int64(l.Problems)
	if l.URLs > 0 {
		f.judged++
		part := float64(l.BlockedURLs) / float64(l.URLs)
		for i, class := range shareClasses {
			if part <= class.upTo {
				f.shares[i]++
				break
			}
		}
	}
	if l.BlockedURLs > 0 && (f.worst == nil || l.BlockedURLs > f.worst.BlockedURLs) {
		f.worst = l
	}
	seen := map[string]bool{}
	for _, e := range l.entry.Errors {
		if !seen[e.Code] && len(f.troubles) < maxTroubles {
			seen[e.Code] = true
			f.troubles[e.Code]++
		}
	}
	if s := audit.State(l.State); s != audit.OK && len(f.noted[s]) < maxNoted {
		f.noted[s] = append(f.noted[s], notedSite{l.Name, l.Why})
	}
}

// page is the first sheet of summary.xlsx.
func (f *fleet) page(r *Run) *xlsx.Page {
	t := r.ledger.totals
	p := &xlsx.Page{Charts: make([]bool, 3)}
	p.SetRow(1, 30, xlsx.Styled(xlsx.StyleTitle, "robots.txt audit of "+plural(t.Sites, "site")))
	for i, s := range f.sentences(t) {
		p.SetRow(2+i, xlsx.TextHeight(s, 150), xlsx.Wrapped(s))
	}
	p.SetRow(runFigures, 20, head("Figure", "Value", "Share", "Why it matters", "Sheet")...)
	of := func(n int) xlsx.Cell { return xlsx.Percent(int64(n), int64(t.Sites)) }
	for i, row := range []struct {
		name         string
		value, share xlsx.Cell
		why, sheet   string
	}{
		{"Sites", xlsx.Number(int64(t.Sites)), xlsx.Cell{}, "started " + r.Started.Format("2006-01-02 15:04") + " UTC, asked for " + strings.Join(labels(r.Crawlers), ", "), "Sites"},
		{"Critical", xlsx.Number(int64(t.Critical)), of(t.Critical), "a crawler is shut out from the home page, or the server keeps it away", "Sites"},
		{"Warnings", xlsx.Number(int64(t.Warn)), of(t.Warn), "something to look at, such as URLs that a sitemap names and robots.txt blocks", "Sites"},
		{"Unknown", xlsx.Number(int64(t.Unknown)), of(t.Unknown), "could not be read: nothing is known about these sites, and they are never counted as fine", "Sites"},
		{"OK", xlsx.Number(int64(t.OK)), of(t.OK), "read and tested, with nothing to report", "Sites"},
		{"Known URLs tested", xlsx.Number(t.URLs), xlsx.Cell{}, "distinct URLs that sitemaps, followed links or your own list name; others are not known here", "Sites"},
		{"Blocked for at least one crawler", xlsx.Number(t.Blocked), xlsx.Percent(t.Blocked, t.URLs), "blocked from crawling: such a URL can still be indexed", "Sites"},
		{"URLs left out", xlsx.Number(f.leftOut), xlsx.Cell{}, "named in a sitemap but not testable, each with its reason", "Left out"},
		{"Problems on the way", xlsx.Number(f.problems), xlsx.Cell{}, "what could not be fetched or read, and what that means", "Errors"},
		{"Findings", xlsx.Number(t.Findings.Total()), xlsx.Cell{}, severityWords(t.Findings) + ": what is wrong with the robots.txt files, for whom, and what to do", "Fleet"},
	} {
		p.SetRow(runFigures+1+i, xlsx.TextHeight(row.why, 88), xlsx.Styled(xlsx.StyleBold, row.name), row.value, row.share, xlsx.Wrapped(row.why),
			xlsx.Styled(xlsx.StyleLink, row.sheet))
	}
	f.pictures(p, t)
	return p
}

// sentences are the three on top of the page.
func (f *fleet) sentences(t Totals) [3]string {
	var s [3]string
	s[0] = t.Headline() + "."
	switch {
	case t.URLs == 0:
		s[1] = "No known URL was tested."
	case t.Blocked == 0:
		s[1] = fmt.Sprintf("None of the %s is blocked from crawling.", known(t.URLs))
	default:
		s[1] = fmt.Sprintf("%s of %s (%s) %s blocked from crawling for at least one crawler; a blocked URL can still be indexed.",
			thousands(t.Blocked), known(t.URLs), percent(t.Blocked, t.URLs), verb(t.Blocked, "is", "are"))
	}
	if f.worst != nil {
		s[2] = fmt.Sprintf("Most blocked URLs lie on %s: %s of %s.", f.worst.Name, thousands(f.worst.BlockedURLs), known(f.worst.URLs))
	}
	if t.Unknown > 0 {
		s[2] = strings.TrimSpace(s[2] + fmt.Sprintf(" %s could not be judged; see the column Why under Sites.", plural(t.Unknown, "site")))
	}
	return s
}

// pictures writes the tables behind the charts, and the charts' titles.
func (f *fleet) pictures(p *xlsx.Page, t Totals) {
	if t.Sites == 0 {
		return
	}
	p.SetRow(runStates, 20, head("Sites by state", "Sites")...)
	for i, s := range []struct {
		name string
		n    int
	}{{"critical", t.Critical}, {"warn", t.Warn}, {"unknown", t.Unknown}, {"ok", t.OK}} {
		p.SetRow(runStates+1+i, 0, xlsx.Text(s.name), xlsx.Number(int64(s.n)))
	}
	p.Charts[0] = true
	p.Placeholders = append(p.Placeholders, placeStateTitle, fmt.Sprintf("%d of %s need a look or could not be judged", t.Sites-t.OK, plural(t.Sites, "site")))

	if f.judged > 0 {
		p.SetRow(runShares, 20, head("Sites by share of known URLs blocked", "Sites")...)
		for i, class := range shareClasses {
			p.SetRow(runShares+1+i, 0, xlsx.Text(class.name), xlsx.Number(int64(f.shares[i])))
		}
		p.Charts[1] = true
		p.Placeholders = append(p.Placeholders, placeShareTitle, fmt.Sprintf("%d of %s with known URLs %s none of them", f.shares[0], plural(f.judged, "site"), verb(f.shares[0], "blocks", "block")))
	}
	if len(f.troubles) == 0 {
		return
	}
	var codes []string
	for code := range f.troubles {
		codes = append(codes, code)
	}
	slices.SortFunc(codes, func(a, b string) int {
		return cmp.Or(cmp.Compare(f.troubles[b], f.troubles[a]), strings.Compare(a, b))
	})
	codes = codes[:min(len(codes), runTroubleMax)]
	p.SetRow(runTroubles, 20, head("Problems by kind", "Sites")...)
	for i, code := range codes {
		p.SetRow(runTroubles+1+i, 0, xlsx.Text(escape.Cut(meaning(code), 60)), xlsx.Number(int64(f.troubles[code])))
	}
	p.Charts[2] = true
	p.Placeholders = append(p.Placeholders, placeTroubleRows, itoa(runTroubles+len(codes)),
		placeTroubleTitle, fmt.Sprintf("Most frequent problem, on %s: %s", plural(f.troubles[codes[0]], "site"), escape.Cut(meaning(codes[0]), 60)))
}
