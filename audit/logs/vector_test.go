package logs

import (
	"fmt"
	"math/rand"
	"strings"
	"sync"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/engine"
)

// fileTimeline is the timeline of a file of the user.
func fileTimeline(body string) *Timeline {
	return NewTimeline(audit.LogFile, []Observation{{File: engine.File{Body: []byte(body)}, SHA256: "s", Told: true}})
}

func TestFileIsInForceAlways(t *testing.T) {
	crawlers, user := caseCrawlers(t)
	timeline := fileTimeline("User-agent: *\nDisallow: /x\n")
	j := NewJudge(timeline, crawlers, user)
	v := j.Vector(0, "https://example.com/x")
	for _, at := range []int64{0, 1_000_000_000, 5_000_000_000} {
		if class, version, line, rule := j.Class(&Reads{}, 0, v, at, true); class != Disobeyed || version != 0 || line != 2 || rule != "disallow: /x" || !j.Blocks(v, at) {
			t.Errorf("at %d: %v %d %d %q", at, class, version, line, rule)
		}
	}
	if got := timeline.Versions(); len(got) != 1 || got[0] != (audit.LogVersion{Name: "robots.txt", SHA256: "s", Status: 200}) {
		t.Errorf("versions %+v", got)
	}
	if class, version, _, _ := NewJudge(NewTimeline(audit.LogFile, nil), crawlers, user).Class(&Reads{}, 0, v, 0, true); class != Unclear || version != -1 {
		t.Errorf("no file: %v by version %d", class, version)
	}
}

func TestVersions(t *testing.T) {
	list := NewTimeline(audit.LogHistory, caseHistory(t, "10 block, 0 allow, 5 allow, 6 503, 7 allow, 20 allow, 20.01 404, 30 doubt, 40 404")).Versions()
	var got []string
	for _, v := range list {
		got = append(got, fmt.Sprint(v.Name, " ", v.Status, " ", v.First.Sub(caseStart), " ", v.Last.Sub(caseStart), " ", v.Before.Format("15:04")))
	}
	want := `1 Nov 2026, 00:00 200 0s 7h0m0s 00:00
1 Nov 2026, 10:00 200 10h0m0s 10h0m0s 07:00
1 Nov 2026, 20:00 200 20h0m0s 20h0m0s 10:00
1 Nov 2026, 20:00:36 404 20h0m36s 40h0m0s 20:00`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	names := map[string]bool{}
	for _, v := range list {
		if names[v.Name] {
			t.Errorf("two versions are named %s", v.Name)
		}
		names[v.Name] = true
	}
}

// A run within a second is neither before nor after the requests of that second.
func TestPartsOfSeconds(t *testing.T) {
	list := caseHistory(t, "0 allow, 10 block, 20 allow")
	for i := range list {
		list[i].At = list[i].At.Add(500 * time.Millisecond)
	}
	timeline := NewTimeline(audit.LogHistory, list)
	for hour, want := range map[float64]candidates{0: {0, 0, true}, 10: {0, 1, false}, 20: {1, 2, false}, 5: {0, 1, false}, 21: {2, 2, true}} {
		if got := timeline.during(caseSecond(hour), caseSecond(hour)); got != want {
			t.Errorf("hour %g: %v, want %v", hour, got, want)
		}
	}
	if got := timeline.during(caseSecond(0)+1, caseSecond(20)); got.unknown {
		t.Error("unknown between the first run and the last one")
	}
}

// Each profile reads a missing file as no restrictions, which Class takes for granted.
func TestMissingFileIsOpen(t *testing.T) {
	for _, p := range engine.Profiles() {
		if r := p.Read(engine.File{Status: 404}); r.Access != engine.AllowAll {
			t.Errorf("%s: %v", p.Name, r.Access)
		}
	}
}

func TestVectors(t *testing.T) {
	crawlers, user := caseCrawlers(t)
	j := NewJudge(NewTimeline(audit.LogHistory, caseHistory(t, "0 block, 10 allow, 20 block2, 30 block, 40 block")), crawlers, user)
	a, b := j.Vector(1, "https://example.com/x"), j.Vector(1, "https://example.com/x?")
	if a == allowedByAll || a == b { // "/x?" does not match "/x$" of block2
		t.Errorf("vectors %d and %d", a, b)
	}
	if c := j.Vector(3, "https://example.com/x"); c != a {
		t.Errorf("crawlers of one profile and group have vectors %d and %d", a, c)
	}
	if v := j.vector(a); v.states != "babb" || fmt.Sprint(v.lines) != "[2 0 4 2]" || v.rules[2] != "disallow: /x$" {
		t.Errorf("vector %+v", v)
	}
	if got := j.Vector(0, "https://example.com/y"); got != 0 {
		t.Errorf("an allowed URL has vector %d", got)
	}
	for hour, want := range map[float64]bool{-1: false, 5: true, 15: false, 25: true, 100: true} {
		if got := j.Blocks(a, caseSecond(hour)); got != want {
			t.Errorf("hour %g: blocked %v", hour, got)
		}
	}
	other := engine.Crawler{Name: "FooBot", Tokens: []string{"FooBot"}}
	if i := j.Add(other, false); i != len(caseNames) || j.Vector(i, "https://example.com/x") == 0 {
		t.Errorf("the added crawler %d", i)
	}
	for _, unknown := range []int{Visitor, len(caseNames) + 1} {
		v := j.Vector(unknown, "https://example.com/x")
		if class, _, _, _ := j.Class(&Reads{}, unknown, v, caseSecond(30), true); class != Unclear || j.Blocks(v, caseSecond(30)) {
			t.Errorf("crawler %d: %v", unknown, class)
		}
	}
}

// Beyond the bound of vectors, and of reads, requests are unclear; no one is accused.
func TestBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	crawlers, user := caseCrawlers(t)
	var body strings.Builder
	body.WriteString("User-agent: *\n")
	for i := range maxVectors + 100 {
		fmt.Fprintf(&body, "Disallow: /%d$\n", i)
	}
	j := NewJudge(fileTimeline(body.String()), crawlers[:1], user)
	j.readings["google"] = []*engine.Robots{(&engine.Profile{Name: "google", Limit: -1}).Read(j.time.versions[0].file)}
	last := VectorID(0)
	for i := range maxVectors + 100 {
		last = j.Vector(0, fmt.Sprintf("https://example.com/%d", i))
	}
	if class, _, _, _ := j.Class(&Reads{}, 0, last, 0, true); last != unjudged || class != Unclear || len(j.vectors) != maxVectors {
		t.Errorf("last of %d vectors: %d, %v", len(j.vectors), last, class)
	}

	var reads Reads
	for i := range int64(keptReads) {
		reads.Add(0, caseSecond(0)+i%100, 200)
	}
	if reads.Full(0) {
		t.Error("equal reads are kept once")
	}
	for i := range int64(keptReads) {
		reads.Add(0, caseSecond(0)+i, 200)
	}
	v := j.Vector(0, "https://example.com/1")
	if class, _, _, _ := j.Class(&reads, 0, v, caseSecond(300), true); !reads.Full(0) || class != Unclear {
		t.Errorf("full: %v, %v", reads.Full(0), class)
	}
	if class, _, _, _ := j.Class(&reads, 1, v, caseSecond(300), true); class != Disobeyed {
		t.Errorf("another crawler: %v", class)
	}
}

// Dropping seconds changes no answer about a day or more.
func TestThin(t *testing.T) {
	for seed := range int64(300) {
		random := rand.New(rand.NewSource(seed))
		var reads Reads
		var all []int64
		span := int64(1+random.Intn(20)) * day
		for range 1 + random.Intn(3000) {
			at := random.Int63n(span)
			all = append(all, at)
			reads.Add(Visitor, at, 404)
		}
		reads.sort()
		for range 300 {
			a := random.Int63n(span+2*day) - 2*day
			b := a + day + max(0, random.Int63n(2*day)-day)
			want := false
			for _, x := range all {
				want = want || a <= x && x <= b
			}
			if got := reads.opens.within(a, b); got != want {
				t.Fatalf("seed %d: from %d to %d: %v, want %v", seed, a, b, got, want)
			}
		}
		if limit := int(2*span/day) + 4; len(reads.opens.list) > limit {
			t.Errorf("%d seconds of %d days are kept", len(reads.opens.list), span/day)
		}
	}
}

func TestGoroutines(t *testing.T) {
	crawlers, user := caseCrawlers(t)
	j := NewJudge(NewTimeline(audit.LogHistory, caseHistory(t, "0 block, 99 block, 100 allow, 200 block2")), crawlers, user)
	var reads Reads
	run := func(do func(i int)) {
		var group sync.WaitGroup
		for i := range 4 {
			group.Add(1)
			go func() { defer group.Done(); do(i) }()
		}
		group.Wait()
	}
	run(func(i int) {
		for n := range 200 {
			reads.Add(i, caseSecond(float64(n)), 200)
			j.Vector(i, fmt.Sprintf("https://example.com/x/%d", n))
			j.Blocks(firstVector, caseSecond(10))
		}
	})
	run(func(i int) {
		v := j.Vector(0, "https://example.com/x")
		if class, _, _, _ := j.Class(&reads, 0, v, caseSecond(60), true); class != Disobeyed {
			t.Errorf("%v", class)
		}
	})
}

// benchJudge has a history of n versions, each with more rules.
func benchJudge(b *testing.B, n, rules int, alike bool) (*Judge, *Reads) {
	var list []Observation
	for i := range n {
		var body strings.Builder
		fmt.Fprintf(&body, "# version %d\nUser-agent: GPTBot\nDisallow: /ai/%d\n\nUser-agent: *\n", i, i)
		for k := range rules {
			fmt.Fprintf(&body, "Disallow: /dir%d/\nAllow: /dir%d/*.css$\n", k, k)
		}
		if !alike {
			fmt.Fprintf(&body, "Disallow: /new%d/\n", i)
		}
		o := caseServed(body.String())
		o.At = caseStart.AddDate(0, 0, i)
		list = append(list, o)
	}
	j := NewJudge(NewTimeline(audit.LogHistory, list), engine.Crawlers(), nil)
	reads := &Reads{}
	for i := range 100 {
		for n := range 1000 {
			reads.Add(i, caseStart.Unix()+int64(n)*1000, 200)
		}
	}
	reads.sort()
	return j, reads
}

func BenchmarkVector(b *testing.B) {
	for _, c := range []struct {
		versions, rules int
		alike           bool
	}{{1, 20, false}, {12, 20, false}, {12, 20, true}, {12, 1000, false}, {100, 20, false}} {
		j, _ := benchJudge(b, c.versions, c.rules, c.alike)
		urls := make([]string, 1000)
		for i := range urls {
			urls[i] = fmt.Sprintf("https://www.example.com/dir%d/page-%d.html?a=b", i%30, i)
		}
		for i := range 100 * 20 {
			j.Vector(i%100, urls[i%len(urls)])
		}
		b.Run(fmt.Sprintf("versions=%d,rules=%d,alike=%v", c.versions, c.rules, c.alike), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				j.Vector(i%100, urls[i%len(urls)])
			}
		})
	}
}

func BenchmarkClass(b *testing.B) {
	j, reads := benchJudge(b, 12, 20, false)
	blocked, some := j.Vector(0, "https://www.example.com/dir1/"), j.Vector(0, "https://www.example.com/new3/")
	for name, v := range map[string]VectorID{"allowed": 0, "blocked": blocked, "some": some} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := int64(0); b.Loop(); i++ {
				j.Class(reads, int(i%100), v, caseStart.Unix()+i*7919%1_000_000, true)
			}
		})
	}
}

func BenchmarkNewJudge(b *testing.B) {
	for b.Loop() {
		j, _ := benchJudge(b, 12, 1000, false)
		for i := range 100 {
			j.Vector(i, "https://www.example.com/")
		}
	}
}
