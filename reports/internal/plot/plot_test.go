package plot

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"testing"
)

var step = regexp.MustCompile(`M(\S+) ([0-9.]+)|H([0-9.]+)(?:V([0-9.]+))?`)

// A line has the height of each figure at its point, and breaks where there is none.
func TestCurve(t *testing.T) {
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		figures := make([]int64, 1+rnd.IntN(40))
		points := make([]int, len(figures))
		for i := range figures {
			points[i], figures[i] = i, int64(rnd.IntN(12)-2)*100
		}
		p := New(len(figures), 1000, func(n int64) string { return fmt.Sprint(n, " URLs") })
		line, ok := p.Curve(points, func(i int) int64 { return figures[i] })
		number := func(text string) float64 {
			n, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		drawn := make([]float64, len(figures)) // height over each point; -1 = none
		for i := range drawn {
			drawn[i] = -1
		}
		from, height := 0.0, 0.0
		for _, m := range step.FindAllStringSubmatch(line.Path, -1) {
			if m[1] != "" {
				from, height = number(m[1]), number(m[2])
				continue
			}
			to := number(m[3])
			for i := range drawn {
				if middle := (float64(i) + 0.5) * width / float64(len(drawn)); middle > from && middle < to {
					drawn[i] = height
				}
			}
			if from = to; m[4] != "" {
				height = number(m[4])
			}
		}
		any := false
		for i, n := range figures {
			want := 200 - float64(n)/5
			if n < 0 {
				want = -1
			} else {
				any = true
			}
			if drawn[i] != want {
				t.Fatalf("%v: point %d is at %v, want %v: %s", figures, i, drawn[i], want, line.Path)
			}
		}
		if ok != any {
			t.Errorf("%v: ok = %v", figures, ok)
		}
	}
}

// Labels do not overlap, and are in the picture.
func TestPlaceLabels(t *testing.T) {
	p := New(2, 100, func(n int64) string { return fmt.Sprint(n) })
	for i := range 8 {
		line, _ := p.Curve([]int{0, 1}, func(int) int64 { return int64(i / 4) })
		line.Label = "name"
		p.Lines = append(p.Lines, line)
	}
	p.PlaceLabels()
	at := map[int]bool{}
	for _, line := range p.Lines {
		if line.LabelY < top || line.LabelY > p.End+8 || at[line.LabelY/labelRoom] || line.Label != fmt.Sprint(line.Last, " name") {
			t.Errorf("%q at %d", line.Label, line.LabelY)
		}
		at[line.LabelY/labelRoom] = true
	}
}
