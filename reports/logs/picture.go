package logs

import (
	"cmp"
	"math"
	"strconv"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/crawls"
	"robots-audit/reports/internal/plot"
)

// picture is a crawler's requests by day.
type picture struct {
	plot.Plot
	Title, About string
}

// longestPicture is the number of days of a picture at most: the last ones are drawn.
const longestPicture = 400

// newPicture draws a crawler's requests; nil = they are all of one day.
func newPicture(c *crawls.Crawler, id string) *picture {
	byDay := map[int64]*crawls.Date{}
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for _, d := range c.DateRows() {
		if start, err := time.Parse(time.DateOnly, d.Day); err == nil {
			day := start.Unix() / 86400
			first, last, byDay[day] = min(first, day), max(last, day), d
		}
	}
	if first >= last {
		return nil
	}
	first = max(first, last-longestPicture+1)
	days, points, most := make([]*crawls.Date, last-first+1), make([]int, last-first+1), int64(1)
	for i := range days {
		points[i], days[i] = i, cmp.Or(byDay[first+int64(i)], &crawls.Date{LogDay: new(audit.LogDay)})
		most = max(most, days[i].Requests)
	}
	date := func(i int) string { return crawls.Day(time.Unix((first+int64(i))*86400, 0)) }
	p := &picture{Plot: plot.New(len(days), most, wording.Thousands[int64]), Title: "Requests of " + c.Name + " by day"}
	p.ID = id
	p.AddDates(date)
	p.About = "From " + date(0) + " to " + date(len(days)-1) + "."
	for _, of := range crawls.DayLines {
		line, ok := p.Curve(points, func(i int) int64 { return of.Value(days[i]) })
		sum := int64(0)
		for i := range days {
			sum += of.Value(days[i])
		}
		if !ok || sum == 0 {
			continue
		}
		line.Number, line.Names, line.Label = of.Number, of.Name, of.Name
		p.Lines = append(p.Lines, line)
		p.About += " " + wording.Thousands(sum) + " " + of.Name + "."
	}
	p.PlaceLabels()
	for i := range c.Site.Versions[min(1, len(c.Site.Versions)):] {
		v := &c.Site.Versions[i+1]
		if at := v.First.Unix()/86400 - first; !v.First.IsZero() && at >= 0 && at < int64(len(days)) {
			p.AddMark(int(at), "robots.txt changed: version of "+v.Name)
		}
	}
	for _, of := range crawls.DayLanes {
		var spans []plot.Span
		n := int64(0)
		for i := range days {
			if count := of.Value(days[i]); count > 0 {
				spans = append(spans, p.Span(i, i, date(i)+": "+strconv.FormatInt(count, 10)))
				n++
			}
		}
		if n > 0 {
			p.AddLane(of.Class, of.Name+", "+wording.Plural(n, "day"), spans)
			p.About += " " + of.Name + " on " + wording.Plural(n, "day") + "."
		}
	}
	return p
}
