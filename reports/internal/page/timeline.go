package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/site"
)

// Measures of the picture of a timeline, in pixels. Only its width is that of the window: its
// content is placed by shares of the width, so that text is never stretched.
const (
	timelineTop    = 18  // room for the marks of changes
	timelinePlot   = 200 // height of the lines
	timelineDates  = 24  // room for the dates below them
	timelineLane   = 18  // height of a lane of the strip
	timelineLabel  = 15  // minimum distance of two labels
	timelineWidth  = 1000
	timelineLetter = 19 // maximum letters of a label
)

// Bounds of the drawing: a screen shows no more.
const (
	timelineLines  = 8   // the number of dashes and colours
	timelinePoints = 400 // points of a line, approximately
	timelineRows   = 100 // rows of the table
)

// viewTimeline is the picture of a timeline, and a table with the same data.
type viewTimeline struct {
	*site.Timeline
	Picture            bool // there are two runs or more
	Height             int
	PlotTop, PlotEnd   int
	Plot               int // height
	MarkEnd, DatesLine int
	Grid               []viewTick
	Dates              []viewDate
	Gaps               []viewSpan
	Marks              []viewSpan
	Lines              []viewCurve
	Lanes              []viewLane
	Same               []string // crawlers that share one line
	MoreLines          int
	Rows               []viewRun
	AllRows            bool // Rows are all runs
	NoWorkbooks        bool
}

type viewTick struct {
	Y, TextY int
	Words    string
}

type viewDate struct {
	X, Anchor, Words string
	Middle           bool // omitted if there is little space
}

// viewSpan is a part of the width, with its text.
type viewSpan struct{ X, Width, Words string }

// viewCurve is the line of one crawler, or of several with the same figures.
type viewCurve struct {
	Number      int    // of its dash and colour
	Path        string // in a plot of timelineWidth × timelinePlot
	Names       string
	Label       string
	End, LabelY int // y of the line's end, and of its label
	last        int64
}

type viewLane struct {
	Y, TextY int
	Class    string
	Words    string
	Spans    []viewSpan
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
	v.PlotTop, v.Plot = timelineTop, timelinePlot
	v.PlotEnd = v.PlotTop + v.Plot
	v.DatesLine = v.PlotEnd + timelineDates - 8
	v.grid()
	v.dates()
	v.lines()
	v.spans()
	v.Height = v.PlotEnd + timelineDates
	for _, lane := range t.Strip(timelinePoints) {
		drawn := viewLane{Y: v.Height + 2, TextY: v.Height + timelineLane - 5, Class: cmp.Or(laneClasses[lane.Answer], "bad"), Words: lane.Answer + ", " + wording.Plural(lane.Runs, "run")}
		for _, s := range lane.Stretches {
			drawn.Spans = append(drawn.Spans, v.span(s.From, s.To, s.Words))
		}
		v.Lanes = append(v.Lanes, drawn)
		v.Height += timelineLane
	}
	v.MarkEnd = v.Height
	v.Height += 2
	return v
}

// share is the start of the i-th run, as a share of the width.
func (v *viewTimeline) share(i int) string {
	return strconv.FormatFloat(float64(i*100)/float64(len(v.Runs)), 'f', 2, 64) + "%"
}

func (v *viewTimeline) span(from, to int, words string) viewSpan {
	return viewSpan{v.share(from), strconv.FormatFloat(float64((to-from+1)*100)/float64(len(v.Runs)), 'f', 2, 64) + "%", words}
}

// spans adds the runs without a response, and the marks of changes.
func (v *viewTimeline) spans() {
	for i := 0; i < len(v.Runs); i++ {
		from := i
		for i < len(v.Runs) && !v.Runs[i].Had() {
			i++
		}
		if i > from {
			v.Gaps = append(v.Gaps, v.span(from, i-1, "robots.txt could not be had: not drawn"))
		}
	}
	for _, i := range v.Changes {
		v.Marks = append(v.Marks, viewSpan{X: v.share(i), Words: v.Day(v.Runs[i].Started) + ": robots.txt changed, " + fileName(v.Runs[i].SHA256)})
	}
}

// fileName names a version of robots.txt by the beginning of its checksum.
func fileName(sha256 string) string {
	if sha256 == "" {
		return "no file"
	}
	return "sha256 " + sha256[:min(8, len(sha256))] + "…"
}

// ceiling is the top of the plot: the next round number.
func ceiling(most int64) int64 {
	for unit := int64(1); ; unit *= 10 {
		for _, n := range []int64{1, 2, 4, 6, 8, 10} {
			if n*unit >= most && (n*unit)%2 == 0 {
				return n * unit
			}
		}
	}
}

func (v *viewTimeline) y(count int64) float64 {
	return float64(v.Plot) * (1 - float64(count)/float64(ceiling(v.Most())))
}

func (v *viewTimeline) grid() {
	top := ceiling(v.Most())
	for _, count := range []int64{0, top / 2, top} {
		y := v.PlotTop + int(v.y(count)+0.5)
		v.Grid = append(v.Grid, viewTick{y, y + 4, wording.Thousands(count)})
	}
}

func (v *viewTimeline) dates() {
	last := len(v.Runs) - 1
	v.Dates = append(v.Dates, viewDate{"0%", "start", v.Day(v.Runs[0].Started), false})
	for part := 1; part < 4 && last >= 8; part++ {
		i := last * part / 4
		v.Dates = append(v.Dates, viewDate{v.share(i), "middle", v.Day(v.Runs[i].Started), true})
	}
	v.Dates = append(v.Dates, viewDate{"100%", "end", v.Day(v.Runs[last].Started), false})
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
	var drawn []viewCurve
	for _, g := range groups {
		line, ok := v.line(g.crawlers[0])
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
		slices.SortStableFunc(drawn, func(a, b viewCurve) int { return cmp.Compare(b.last, a.last) })
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
	v.placeLabels()
}

// line draws the line of a crawler in steps, since values between two runs are not known. The line
// breaks if a run has no figure.
func (v *viewTimeline) line(crawler int) (line viewCurve, ok bool) {
	var path strings.Builder
	at := int64(site.NoCount)
	x := func(run int) string { return tenth(float64(run) * timelineWidth / float64(len(v.Runs))) }
	for _, run := range v.Drawn(crawler, timelinePoints) {
		count := v.Runs[run].ByFile(crawler)
		if count == at {
			continue
		}
		y := tenth(v.y(count))
		switch {
		case count == site.NoCount:
			path.WriteString("H" + x(run))
		case at == site.NoCount:
			path.WriteString("M" + x(run) + " " + y)
		default:
			path.WriteString("H" + x(run) + "V" + y)
		}
		if at = count; at != site.NoCount {
			line.last, ok = at, true
		}
	}
	if at != site.NoCount {
		path.WriteString("H" + strconv.Itoa(timelineWidth))
	}
	line.Path = path.String()
	line.End = v.PlotTop + int(v.y(line.last)+0.5)
	return line, ok
}

// tenth formats a length to a tenth of a pixel.
func tenth(length float64) string {
	return strconv.FormatFloat(math.Round(length*10)/10, 'f', -1, 64)
}

// placeLabels places the labels at the lines' ends, without overlap.
func (v *viewTimeline) placeLabels() {
	order := make([]*viewCurve, len(v.Lines))
	for i := range v.Lines {
		order[i] = &v.Lines[i]
		order[i].Label = wording.Thousands(order[i].last) + " " + order[i].Label
	}
	slices.SortStableFunc(order, func(a, b *viewCurve) int { return cmp.Compare(a.End, b.End) })
	least := v.PlotTop
	for _, line := range order {
		line.LabelY = max(line.End, least)
		least = line.LabelY + timelineLabel
	}
	most := v.PlotEnd + 8
	for _, line := range slices.Backward(order) {
		line.LabelY = min(line.LabelY, most)
		most = line.LabelY - timelineLabel
	}
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
