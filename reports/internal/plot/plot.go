// Package plot draws lines of figures over a sequence of runs or days, as a picture in a page. Its width is that
// of the window: content is placed by shares of the width, so that text is never stretched. It also has the
// markup and style of this picture for all pages.
package plot

import (
	"cmp"
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Template defines "plot", the picture within a figure of class "tl", for a value with a Plot's fields, Title
// and About, a description in a sentence. It uses the functions of layout.
//
//go:embed plot.html
var Template string

// Style is the picture's style sheet. It uses the variables of layout's style.
//
//go:embed plot.css
var Style string

// Measures of a picture, in pixels.
const (
	top       = 18  // room for the marks
	height    = 200 // height of the lines
	datesRoom = 24  // room for the dates below them
	laneRoom  = 18  // height of a lane
	labelRoom = 15  // minimum distance of two labels
	width     = 1000
)

// Plot is a picture of lines over points in a sequence, with marks, gaps, and lanes below them.
type Plot struct {
	ID        string // distinguishes pictures on one page; "" = it is the only one
	Height    int
	Top, End  int // of the lines
	Room      int // height of the lines
	DatesLine int
	Grid      []Tick
	Dates     []Date
	Gaps      []Span
	Marks     []Span
	Lines     []Curve
	Lanes     []Lane

	points int
	limit  int64 // figure at the top
	words  func(int64) string
}

// Tick is a line of the grid.
type Tick struct {
	Y, TextY int
	Words    string
}

// Date is a date below the lines.
type Date struct {
	X, Anchor, Words string
	Middle           bool // omitted if there is little space
}

// Span is a part of the width, with its text.
type Span struct{ X, Width, Words string }

// Curve is a line. A page sets its Names and Label, and its Number: the place in Lines.
type Curve struct {
	Number      int    // of its dash and colour, from 0 to 7
	Path        string // in a plot of width × height
	Names       string
	Label       string
	End, LabelY int   // y of the line's end, and of its label
	Last        int64 // its last figure
}

// Lane is a strip below the lines.
type Lane struct {
	Y, TextY int
	Class    string // "ok", "none", "bad", "idle"
	Words    string
	Spans    []Span
}

// New returns a picture with a number of points, for figures from 0 to most. words formats a figure.
func New(points int, most int64, words func(int64) string) Plot {
	p := Plot{Top: top, End: top + height, Room: height, DatesLine: top + height + datesRoom - 8, Height: top + height + datesRoom + 2, points: points, limit: ceiling(most), words: words}
	for _, count := range []int64{0, p.limit / 2, p.limit} {
		y := p.Top + int(p.y(count)+0.5)
		p.Grid = append(p.Grid, Tick{y, y + 4, words(count)})
	}
	return p
}

// ceiling is the top of the lines: the next round number.
func ceiling(most int64) int64 {
	for unit := int64(1); ; unit *= 10 {
		for _, n := range []int64{1, 2, 4, 6, 8, 10} {
			if n*unit >= most && (n*unit)%2 == 0 {
				return n * unit
			}
		}
	}
}

func (p *Plot) y(count int64) float64 { return float64(p.Room) * (1 - float64(count)/float64(p.limit)) }

// share is the start of the i-th point, as a share of the width.
func (p *Plot) share(i int) string {
	return strconv.FormatFloat(float64(i*100)/float64(p.points), 'f', 2, 64) + "%"
}

// Span returns the part of some points.
func (p *Plot) Span(from, to int, words string) Span {
	return Span{p.share(from), strconv.FormatFloat(float64((to-from+1)*100)/float64(p.points), 'f', 2, 64) + "%", words}
}

// AddMark marks a point.
func (p *Plot) AddMark(i int, words string) {
	p.Marks = append(p.Marks, Span{X: p.share(i), Words: words})
}

// AddDates adds dates of the first and the last point, and of some between them.
func (p *Plot) AddDates(date func(i int) string) {
	last := p.points - 1
	p.Dates = append(p.Dates, Date{"0%", "start", date(0), false})
	for part := 1; part < 4 && last >= 8; part++ {
		i := last * part / 4
		p.Dates = append(p.Dates, Date{p.share(i), "middle", date(i), true})
	}
	p.Dates = append(p.Dates, Date{"100%", "end", date(last), false})
}

// AddLane adds a lane.
func (p *Plot) AddLane(class, words string, spans []Span) {
	y := p.Height - 2
	p.Lanes = append(p.Lanes, Lane{Y: y + 2, TextY: y + laneRoom - 5, Class: class, Words: words, Spans: spans})
	p.Height += laneRoom
}

// Curve draws the figures of some points, in ascending order, as a line in steps, since figures between two
// points are not known. The line breaks at a figure below 0, which means that there is none. ok = there is a
// figure.
func (p *Plot) Curve(points []int, figure func(i int) int64) (line Curve, ok bool) {
	var path strings.Builder
	const none = -1
	at := int64(none)
	x := func(i int) string { return tenth(float64(i) * width / float64(p.points)) }
	for _, i := range points {
		count := max(figure(i), none)
		if count == at {
			continue
		}
		y := tenth(p.y(count))
		switch {
		case count == none:
			path.WriteString("H" + x(i))
		case at == none:
			path.WriteString("M" + x(i) + " " + y)
		default:
			path.WriteString("H" + x(i) + "V" + y)
		}
		if at = count; at != none {
			line.Last, ok = at, true
		}
	}
	if at != none {
		path.WriteString("H" + strconv.Itoa(width))
	}
	line.Path = path.String()
	line.End = p.Top + int(p.y(line.Last)+0.5)
	return line, ok
}

// tenth formats a length to a tenth of a pixel.
func tenth(length float64) string {
	return strconv.FormatFloat(math.Round(length*10)/10, 'f', -1, 64)
}

// PlaceLabels puts the last figure before each label, and places the labels at the lines' ends, without overlap.
func (p *Plot) PlaceLabels() {
	order := make([]*Curve, len(p.Lines))
	for i := range p.Lines {
		order[i] = &p.Lines[i]
		order[i].Label = p.words(order[i].Last) + " " + order[i].Label
	}
	slices.SortStableFunc(order, func(a, b *Curve) int { return cmp.Compare(a.End, b.End) })
	least := p.Top
	for _, line := range order {
		line.LabelY = max(line.End, least)
		least = line.LabelY + labelRoom
	}
	most := p.End + 8
	for _, line := range slices.Backward(order) {
		line.LabelY = min(line.LabelY, most)
		most = line.LabelY - labelRoom
	}
}
