package page

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/plot"
	"robots-audit/reports/internal/site"
)

// Bounds of the drawing: a screen shows no more.
const (
	timelineLines  = 8   // the number of dashes and colours
	timelinePoints = 400 // points of a line, approximately
	timelineRows   = 100 // rows of the table
	timelineLetter = 19  // maximum letters of a label
)

// viewTimeline is the picture of a timeline, and a table with the same data.
type viewTimeline struct {
	*site.Timeline
	plot.Plot
	Picture     bool     // there are two runs or more
	Same        []string // crawlers that share one line
	MoreLines   int
	Rows        []viewRun
	AllRows     bool // Rows are all runs
	NoWorkbooks bool
}

// viewRun is a row of the table.
type viewRun struct {
	Started, Answer, Status, SHA256 string
	Changed                         bool
	Known                           int64
	Counts                          []string
}

// laneClasses are the styles of the lanes; the words next to a lane name it.
var laneClasses = map[string]string{"200": "ok", "empty": "none", "3xx": "none", "4xx": "none", "not asked": "idle"}

// viewTimeline draws the timeline; nil = none.
func (p *Site) viewTimeline(t *site.Timeline) *viewTimeline {
	if t == nil {
		return nil
	}
	v := &viewTimeline{Timeline: t, Picture: len(t.Runs) > 1, NoWorkbooks: p.NoWorkbooks}
	v.table()
	if !v.Picture {
		return v
	}
	v.Plot = plot.New(len(v.Runs), v.Most(), wording.Thousands[int64])
	v.AddDates(func(i int) string { return v.Day(v.Runs[i].Started) })
	v.lines()
	v.spans()
	for _, lane := range t.Strip(timelinePoints) {
		var spans []plot.Span
		for _, s := range lane.Stretches {
			spans = append(spans, v.Span(s.From, s.To, s.Words))
		}
		v.AddLane(cmp.Or(laneClasses[lane.Answer], "bad"), lane.Answer+", "+wording.Plural(lane.Runs, "run"), spans)
	}
	return v
}

// spans adds the runs without a response, and the marks of changes.
func (v *viewTimeline) spans() {
	for i := 0; i < len(v.Runs); i++ {
		from := i
		for i < len(v.Runs) && !v.Runs[i].Had() {
			i++
		}
		if i > from {
			v.Gaps = append(v.Gaps, v.Span(from, i-1, "robots.txt could not be had: not drawn"))
		}
	}
	for _, i := range v.Changes {
		v.AddMark(i, v.Day(v.Runs[i].Started)+": robots.txt changed, "+fileName(v.Runs[i].SHA256))
	}
}

// fileName names a version of robots.txt by the beginning of its checksum.
func fileName(sha256 string) string {
	if sha256 == "" {
		return "no file"
	}
	return "sha256 " + sha256[:min(8, len(sha256))] + "…"
}

// lines draws a line for each crawler, and one line for those with the same figures. If there are
// too many lines, it keeps those with most URLs blocked in the last run.
func (v *viewTimeline) lines() {
	type group struct{ crawlers []int }
	var groups []group
	same := func(a, b int) bool {
		return !slices.ContainsFunc(v.Runs, func(r site.TimelineRun) bool { return r.ByFile(a) != r.ByFile(b) })
	}
	for c := range v.Crawlers {
		if i := slices.IndexFunc(groups, func(g group) bool { return same(g.crawlers[0], c) }); i >= 0 {
			groups[i].crawlers = append(groups[i].crawlers, c)
			continue
		}
		groups = append(groups, group{[]int{c}})
	}
	var drawn []plot.Curve
	for _, g := range groups {
		crawler := g.crawlers[0]
		line, ok := v.Curve(v.Drawn(crawler, timelinePoints), func(run int) int64 { return v.Runs[run].ByFile(crawler) })
		if !ok {
			continue
		}
		var names []string
		for _, c := range g.crawlers {
			names = append(names, v.Crawlers[c])
		}
		line.Names = wording.And(names)
		line.Label = escape.Cut(names[0], timelineLetter)
		if len(names) > 1 {
			line.Label = escape.Cut(names[0], timelineLetter-4) + " +" + strconv.Itoa(len(names)-1)
		}
		drawn = append(drawn, line)
	}
	if len(drawn) > timelineLines {
		slices.SortStableFunc(drawn, func(a, b plot.Curve) int { return cmp.Compare(b.Last, a.Last) })
		v.MoreLines = len(drawn) - timelineLines
		drawn = drawn[:timelineLines]
	}
	for i := range drawn {
		drawn[i].Number = i
		if drawn[i].Names != drawn[i].Label && strings.Contains(drawn[i].Label, " +") {
			v.Same = append(v.Same, drawn[i].Names)
		}
	}
	v.Lines = drawn
	v.PlaceLabels()
}

// table lists the runs, the newest first: all, or only those in which the response, robots.txt or a
// figure of blocked URLs changed.
func (v *viewTimeline) table() {
	v.AllRows = len(v.Runs) <= timelineRows
	for i := len(v.Runs) - 1; i >= 0 && len(v.Rows) < timelineRows; i-- {
		r := &v.Runs[i]
		if !v.AllRows && i > 0 && i < len(v.Runs)-1 && !r.Changed && r.Answer == v.Runs[i-1].Answer && slices.Equal(r.Counts, v.Runs[i-1].Counts) {
			continue
		}
		row := viewRun{Started: r.Started.UTC().Format("2006-01-02 15:04"), Answer: r.Answer, Status: "none", SHA256: fileName(r.SHA256), Changed: r.Changed, Known: r.Known}
		if r.Status != 0 {
			row.Status = strconv.Itoa(r.Status)
		}
		if !r.Had() {
			row.SHA256 = "–"
		}
		for _, n := range r.Counts {
			if n == site.NoCount {
				row.Counts = append(row.Counts, "–")
			} else {
				row.Counts = append(row.Counts, wording.Thousands(n))
			}
		}
		v.Rows = append(v.Rows, row)
	}
}

// About describes the picture in a sentence, for people who do not see it.
func (v *viewTimeline) About() string {
	var ends []string
	for _, line := range v.Lines {
		ends = append(ends, line.Label)
	}
	return fmt.Sprintf("%s Lines of blocked URLs, which end at: %s. Below them a strip of the answers. The table that follows has the same figures.", strings.Join(v.Sentences, " "), strings.Join(ends, "; "))
}
