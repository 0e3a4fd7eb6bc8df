package logs

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/crawls"
	"robots-audit/reports/internal/site"
)

// Summary is the folder's content in short.
type Summary struct {
	Head  Head
	Sites []Site // most severe first
}

// Site is a site in short.
type Site struct {
	Name      string
	Crawlers  int
	Requests  int64     // of crawlers
	Disobeyed int64     // requests to blocked URLs, from addresses that prove who sent them
	Doubtful  int64     // requests to blocked URLs, from addresses that do not
	Waiting   []string  // crawlers that have not read the current robots.txt
	Changed   time.Time // first time that the current robots.txt was seen; zero = it is the only one
	Failed    int64     // requests for robots.txt that got an error
	Claimed   int64     // requests that only claim a crawler's name

	Headline   string
	Answers    []crawls.Answer
	Incomplete []string // what the figures do not have

	at int // place in logs.json
}

// Bounds of the lines.
const (
	lineSites     = 10 // sites with their answers
	lineSentences = 2  // of an answer
	lineLength    = 300
)

// newSite summarises a site.
func newSite(s *crawls.Site, at int) Site {
	row := Site{Name: s.Site, Crawlers: s.Active(), Requests: s.Requests, Claimed: s.Claimed, Headline: s.Headline(), Answers: s.Answers(), Incomplete: s.Incomplete(), at: at}
	for _, c := range s.Crawlers {
		row.Disobeyed += c.Own.Disobeyed
		row.Doubtful += c.Own.Blocked
		row.Failed += c.RobotsErrors()
		if c.Waiting() {
			row.Waiting = append(row.Waiting, c.Name)
		}
	}
	if n := len(s.Versions); n > 1 && s.Judged != audit.LogFile {
		row.Changed = s.Versions[n-1].First
	}
	return row
}

// sort puts the most severe site first.
func (s *Summary) sort() {
	slices.SortStableFunc(s.Sites, func(a, b Site) int {
		return cmp.Or(cmp.Compare(b.Disobeyed, a.Disobeyed), cmp.Compare(b.Failed, a.Failed), cmp.Compare(len(b.Waiting), len(a.Waiting)), cmp.Compare(b.Requests, a.Requests), strings.Compare(a.Name, b.Name))
	})
}

// severalSites are the sites, if they need a table.
func (s *Summary) severalSites() []*Site {
	if len(s.Sites) == 1 {
		return nil
	}
	return s.rows()
}

func (s *Summary) rows() []*Site {
	rows := make([]*Site, len(s.Sites))
	for i := range rows {
		rows[i] = &s.Sites[i]
	}
	return rows
}

// Lines are the lines for the terminal, without characters that control one.
func (s *Summary) Lines() (lines []string) {
	add := func(text string) { lines = append(lines, escape.Printable(escape.Cut(escape.Show(text), lineLength))) }
	for _, text := range s.Head.sentences() {
		add(text)
	}
	for i := range s.Sites[:min(len(s.Sites), lineSites)] {
		of := &s.Sites[i]
		add(of.Name + ": " + of.Headline)
		for _, a := range of.Answers {
			add("  " + a.Question + " " + strings.Join(a.Sentences[:min(len(a.Sentences), lineSentences)], " "))
		}
		for _, text := range of.Incomplete {
			add("  " + text)
		}
	}
	if more := len(s.Sites) - lineSites; more > 0 {
		add(wording.Plural(more, "more site") + wording.Verb(more, " is", " are") + " in " + pageName + ".")
	}
	return lines
}

// sentences say what was read. Nothing in them is hidden.
func (h *Head) sentences() (list []string) {
	defer func() {
		for i := range list {
			list[i] = escape.Cut(escape.Show(list[i]), lineLength)
		}
	}()
	if h.Files == nil {
		return slices.Clone(h.Notes)
	}
	files := h.logs()
	list = append(list, wording.Plural(files, "file")+wording.Verb(files, " has ", " have ")+wording.Plural(h.Lines, "line")+".")
	words := wording.Plural(h.Crawlers, "request") + wording.Verb(h.Crawlers, " is", " are") + " of crawlers or in their name"
	if period := crawls.Period(h.From, h.To); period != "" {
		words += " (" + period + ")"
	}
	list = append(list, words+", "+wording.Thousands(h.Visitors)+" of visitors.")
	if h.Unparsed > 0 {
		list = append(list, h.unread())
	}
	twice := int64(0)
	var skipped, early []string
	for i := range h.Files {
		switch f := &h.Files[i]; {
		case f.Twice:
			twice++
		case f.Skipped:
			skipped = append(skipped, f.Name)
		case f.Early != "":
			early = append(early, f.Name+" ("+f.Early+")")
		}
	}
	if early != nil {
		list = append(list, wording.Plural(len(early), "file")+wording.Verb(len(early), " ends", " end")+" early, so requests are missing: "+wording.Some(early)+".")
	}
	if skipped != nil {
		list = append(list, wording.Plural(len(skipped), "file")+" of a folder "+wording.Verb(len(skipped), "is no log and was", "are no logs and were")+" skipped: "+wording.Some(skipped)+".")
	}
	if twice > 0 {
		list = append(list, wording.Plural(twice, "file")+wording.Verb(twice, " has", " have")+" the content of another file, and "+wording.Verb(twice, "was", "were")+" counted once.")
	}
	if n := len(h.OtherHosts); n > 0 {
		var names []string
		for _, host := range h.OtherHosts {
			names = append(names, host.Name+" ("+wording.Thousands(host.Requests)+")")
		}
		list = append(list, "Requests for hosts that are no site of this report were skipped: "+wording.Some(names)+".")
	}
	return append(list, h.Notes...)
}

// logs counts the files that were not skipped.
func (h *Head) logs() (n int64) {
	for i := range h.Files {
		if !h.Files[i].Skipped {
			n++
		}
	}
	return n
}

// unread says which lines could not be read.
func (h *Head) unread() string {
	words := wording.Plural(h.Unparsed, "line") + " could not be read"
	var kinds []string
	example := ""
	for _, e := range h.Errors {
		kinds = append(kinds, e.Kind+" ("+wording.Thousands(e.Lines)+")")
		if example == "" && len(e.Examples) > 0 {
			example = ", for example " + e.Examples[0]
		}
	}
	if len(kinds) > 0 {
		words += ": " + wording.Some(kinds) + example
	}
	return words + "."
}

// headline is the first sentences about several sites.
func (s *Summary) headline() (list []string) {
	if len(s.Sites) == 0 {
		return []string{"The logs have no request of a crawler for any site."}
	}
	var requests, disobeyed, waiting, bad int64
	for i := range s.Sites {
		of := &s.Sites[i]
		requests += of.Requests
		if disobeyed += of.Disobeyed; of.Disobeyed > 0 {
			bad++
		}
		waiting += int64(min(1, len(of.Waiting)))
	}
	sites := wording.Plural(len(s.Sites), "site")
	list = append(list, wording.Plural(requests, "request")+" of crawlers for "+sites+".")
	if bad == 0 {
		list = append(list, "No crawler is proved to have disobeyed robots.txt.")
	} else {
		list = append(list, "Crawlers disobeyed robots.txt on "+wording.Thousands(bad)+" of "+sites+", with "+wording.Plural(disobeyed, "request")+".")
	}
	if waiting > 0 {
		list = append(list, "On "+wording.Plural(waiting, "site")+" crawlers have not read the current robots.txt yet.")
	}
	return list
}

// siteColumns are the columns of the table of sites.
var siteColumns = []crawls.Column[Site]{
	{Title: "Site", Width: 30, Kind: crawls.Name, Value: func(s *Site) site.Value { return site.Text(s.Name) }},
	{Title: "Crawlers", Width: 10, Value: func(s *Site) site.Value { return site.Number(int64(s.Crawlers)) }},
	{Title: "Requests", Width: 12, Kind: crawls.Bar, Value: func(s *Site) site.Value { return site.Number(s.Requests) }},
	{Title: "Disobeyed", Width: 11, Value: func(s *Site) site.Value { return crawls.Count(s.Disobeyed) }, Class: "critical"},
	{Title: "Blocked, not proved", Width: 14, Value: func(s *Site) site.Value { return crawls.Count(s.Doubtful) }},
	{Title: "robots.txt changed", Width: 20, Time: func(s *Site) time.Time { return s.Changed }},
	{Title: "Crawlers that have not read it", Width: 15, Value: func(s *Site) site.Value { return crawls.Count(int64(len(s.Waiting))) }},
	{Title: "robots.txt errors", Width: 12, Value: func(s *Site) site.Value { return crawls.Count(s.Failed) }},
	{Title: "Only claim the name", Width: 12, Value: func(s *Site) site.Value { return crawls.Count(s.Claimed) }},
}
