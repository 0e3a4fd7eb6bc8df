package site

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
)

// day is a day of a history whose first run is on 1 Sep 2026.
func day(n int) time.Time { return time.Date(2026, 9, 1+n, 6, 0, 0, 0, time.UTC) }

// timelineOf makes a timeline of points; the last is the current run. In each word: the class of
// the response, the version of the file, and the figures of Googlebot and Bingbot of 2,000 URLs
// found; "-" = was not tested.
func timelineOf(words ...string) *Timeline {
	t := &Timeline{Crawlers: []string{"Googlebot", "Bingbot"}}
	for i, word := range words {
		f := strings.Split(word, "/")
		p := audit.Point{Started: day(i), Answer: f[0], SHA256: f[1], Known: 2000, Blocked: map[string]int64{}}
		for c, text := range f[2:] {
			var n int64
			if _, err := fmt.Sscan(text, &n); err == nil {
				p.Blocked[t.Crawlers[c]] = n
			}
		}
		t.add(p)
	}
	t.tell(t.Runs[0].Started)
	return t
}

// TestTimelineTitle checks the title for different histories.
func TestTimelineTitle(t *testing.T) {
	for _, c := range []struct{ title, runs string }{
		{"The timeline begins with this run", "200/a/5/5"},
		{"Nothing has changed since 1 Sep", "200/a/5/5 200/a/5/5 200/a/5/5"},
		{"Googlebot: 1,203 URLs blocked since robots.txt changed on 3 Sep; 12 before", "200/a/12/12 200/a/12/12 200/b/1203/13 200/b/1203/13"},
		{"Googlebot: 1,203 URLs blocked since robots.txt changed on 2 Sep; 12 before, 1,210 now", "200/a/12/12 200/b/1203/12 200/b/1210/12"},
		{"Bingbot: no URL blocked since robots.txt was removed on 2 Sep; 12 before", "200/a/11/12 4xx//0/0 4xx//0/0"},
		{"Bingbot: 12 URLs blocked since robots.txt was added on 2 Sep; 0 before", "4xx//0/0 200/a/11/12"},
		// A run without another version of the file is not a change of it.
		{"robots.txt failed in 2 of 5 runs; nothing has changed since 1 Sep", "200/a/5/5 5xx//2000/2000 200/a/5/5 unreachable//0/0 200/a/5/5"},
		{"robots.txt failed in 1 of 3 runs; nothing has changed since 1 Sep", "200/a/5/5 html/h/0/0 200/a/5/5"},
		{"Googlebot: 9 URLs blocked since robots.txt changed on 3 Sep; 5 before", "200/a/5/5 5xx//2000/2000 200/b/9/5"},
		{"This run found no robots.txt to read: server error; the run of 2 Sep had it", "200/a/5/5 200/a/5/5 5xx//2000/2000"},
		{"robots.txt changed 2 times since 1 Sep, without effect on any URL", "200/a/5/5 200/b/5/5 200/c/5/5"},
		{"Bingbot: 9 URLs blocked, 5 on 1 Sep, without a change of robots.txt", "200/a/5/5 200/a/6/9"},
		{"Nothing has changed since 1 Sep", "200/a/5/- 200/a/5/7 200/a/5/7"},
	} {
		if got := timelineOf(strings.Fields(c.runs)...).Title; got != c.title {
			t.Errorf("%s:\n got %s\nwant %s", c.runs, got, c.title)
		}
	}
}

// TestTimelineFigures compares the drawing with the points: changes, gaps, sentences.
func TestTimelineFigures(t *testing.T) {
	line := timelineOf(strings.Fields("200/a/5/- 5xx//2000/- 200/a/5/7 html/h/0/0 200/b/8/7")...)
	var got []string
	for _, r := range line.Runs {
		got = append(got, fmt.Sprintln(r.Answer, r.Changed, r.Counts))
	}
	if want := []string{"200 false [5 -1]\n", "5xx false [2000 -1]\n", "200 false [5 7]\n", "html true [0 0]\n", "200 true [8 7]\n"}; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if want := []string{
		"5 runs from 1 Sep to 5 Sep.", "robots.txt changed 2 times, last on 5 Sep, what stood in its place counted as well.",
		"In 2 runs robots.txt could not be read as a file (1 server error, 1 HTML page).", "Bingbot has been tested since 3 Sep.",
	}; !slices.Equal(line.Sentences, want) {
		t.Errorf("got  %q\nwant %q", line.Sentences, want)
	}
	var lanes []string
	for _, lane := range line.Strip(100) {
		for _, s := range lane.Stretches {
			lanes = append(lanes, s.Words)
		}
	}
	if want := []string{"200: 1 Sep", "200: 3 Sep", "200: 5 Sep", "html: 4 Sep", "5xx: 2 Sep"}; !slices.Equal(lanes, want) {
		t.Errorf("got  %q\nwant %q", lanes, want)
	}
}

// TestTimelineThinned draws random histories, and checks that no extreme, no change of robots.txt,
// no break and no response is lost if there is little space.
func TestTimelineThinned(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n, room := 2+random.IntN(1000), 20+random.IntN(200)
		line := &Timeline{Crawlers: []string{"Googlebot"}}
		version, count := 0, int64(random.IntN(1000))
		runs := map[string]int{}
		for i := range n {
			if random.IntN(40) == 0 {
				version++
				count = int64(random.IntN(100_000))
			}
			p := audit.Point{Started: day(i), Answer: "200", SHA256: fmt.Sprint(version), Known: 100_000, Blocked: map[string]int64{"Googlebot": count + int64(random.IntN(9))}}
			if random.IntN(30) == 0 {
				p.Answer, p.SHA256 = "5xx", ""
			}
			runs[p.Answer]++
			line.add(p)
		}
		drawn := line.Drawn(0, room)
		if !slices.IsSorted(drawn) || drawn[0] != 0 || drawn[len(drawn)-1] != n-1 {
			t.Fatalf("%d runs, room for %d: drawn %v", n, room, drawn)
		}
		if most := 2*room + 2*len(line.Changes) + 8; len(drawn) > most {
			t.Errorf("%d runs, room for %d: %d are drawn", n, room, len(drawn))
		}
		for _, change := range line.Changes {
			if !slices.Contains(drawn, change) || !slices.Contains(drawn, change-1) {
				t.Errorf("the change in run %d is not drawn", change)
			}
		}
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		least, most, gaps := extremes(line, all)
		if l, m, g := extremes(line, drawn); l != least || m != most || g > gaps || g == 0 && gaps > 0 {
			t.Errorf("%d runs, room for %d: drawn [%d, %d], %d gaps; there are [%d, %d], %d", n, room, l, m, g, least, most, gaps)
		}
		for _, lane := range line.Strip(room) {
			sum := 0
			for i, s := range lane.Stretches {
				sum += s.Runs
				if s.To < s.From || i > 0 && s.From <= lane.Stretches[i-1].To || line.Runs[s.From].Answer != lane.Answer || line.Runs[s.To].Answer != lane.Answer {
					t.Errorf("stretch %+v of %s", s, lane.Answer)
				}
			}
			if sum != runs[lane.Answer] || lane.Runs != sum {
				t.Errorf("%s: %d and %d runs, not %d", lane.Answer, sum, lane.Runs, runs[lane.Answer])
			}
		}
	}
}

// extremes of the figures of some runs, and the number of those without any.
func extremes(t *Timeline, runs []int) (least, most int64, gaps int) {
	least = 1 << 60
	for _, r := range runs {
		switch n := t.Runs[r].ByFile(0); n {
		case NoCount:
			gaps++
		default:
			least, most = min(least, n), max(most, n)
		}
	}
	return least, most, gaps
}
