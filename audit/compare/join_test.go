package compare

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// batches are records of URLs, in batches that are used again as Decode's are.
func batches(urls []audit.URL, size int) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		room := make([]audit.URL, size)
		for part := range slices.Chunk(urls, size) {
			clear(room)
			copy(room, part)
			if !yield(audit.Record{URLs: &audit.URLs{List: room[:len(part)]}}, nil) {
				return
			}
		}
	}
}

// pairing pairs URLs by joiner, as text.
func pairing(t testing.TB, folder string, old, new []audit.URL, waiting, block int) (list [][2]string) {
	t.Helper()
	j := newJoiner(&judged{side: newSide()}, &judged{side: newSide()}, folder, waiting, block)
	for p, err := range j.pairs(batches(old, 7), batches(new, 5)) {
		noError(t, err)
		list = append(list, [2]string{told(p.old), told(p.new)})
	}
	return list
}

func told(k *known) string {
	if k == nil {
		return ""
	}
	return fmt.Sprintf("%s,%d,%v,%d,%v,%v,%v,%v", k.loc, k.kind, k.listed, k.origin.record.Index, k.weight, k.recorded, k.lines, k.hits)
}

// paired pairs URLs the plain way: each with the first one that is left of the same key.
func paired(old, new []audit.URL) (counts [3]int) {
	key := func(u audit.URL) string {
		k := string(engine.AppendPath([]byte(strings.ToLower(u.Loc[:len("https://e.com")])), u.Loc))
		if !audit.IsPage(u.Kind) {
			k += fmt.Sprint(u.Kind)
		}
		return k
	}
	left := map[string]int{}
	for _, u := range old {
		left[key(u)]++
	}
	for _, u := range new {
		if left[key(u)] > 0 {
			left[key(u)]--
			counts[0]++
		} else {
			counts[1]++
		}
	}
	for _, n := range left {
		counts[2] += n
	}
	return counts
}

// TestJoin compares the join with the simple algorithm, for any order of URLs and any amount of
// memory.
func TestJoin(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 12))
	for round := range 64 {
		of := func(n int) (list []audit.URL) {
			for range n {
				path := fmt.Sprintf("/p%d", r.IntN(400))
				switch r.IntN(12) {
				case 0:
					path = "/%7E" + path[1:]
				case 1:
					path = "/~" + path[1:]
				case 2:
					path += strings.Repeat("x", r.IntN(300))
				}
				u := audit.URL{Loc: "https://e.com" + path, Kind: []audit.Kind{crawl.KindLoc, crawl.KindLink, crawl.KindImage}[r.IntN(3)], Sitemap: r.IntN(3) - 1, Origin: r.IntN(3)}
				if r.IntN(20) == 0 {
					u.Loc = "HTTPS://E.com" + path
				}
				if r.IntN(4) == 0 {
					u.Weight = audit.Weight{Clicks: r.Int64N(9), Impressions: r.Int64N(9), ClicksGiven: true, Indexed: r.IntN(2) == 0}
					u.Hits = []int64{r.Int64N(9), r.Int64N(1 << 40)}
				}
				u.Verdicts, u.Lines = []engine.Verdict{engine.Allow, engine.Verdict(r.IntN(4))}, []int32{0, r.Int32N(1000)}
				list = append(list, u)
			}
			return list
		}
		old := of(r.IntN(600))
		new := slices.Clone(old)
		switch round % 4 {
		case 0:
			new = append(new, of(50)...)
			r.Shuffle(len(new), func(i, k int) { new[i], new[k] = new[k], new[i] })
		case 1: // now and then one more, or one less
			for range 20 {
				at := r.IntN(len(new) + 1)
				new = slices.Insert(new, at, of(1+r.IntN(3))...)
				at = r.IntN(len(new))
				new = slices.Delete(new, at, at+1)
			}
		case 2:
			new = of(r.IntN(5))
		}
		if round%8 > 3 {
			old, new = new, old
		}
		waiting, block := []int{1, 500, 5000, waitingBytes}[r.IntN(4)], []int{1, 300, blockBytes}[r.IntN(3)]
		list := pairing(t, t.TempDir(), old, new, waiting, block)
		var counts [3]int
		var olds, news []string
		for _, p := range list {
			switch {
			case p[0] == "":
				counts[1]++
			case p[1] == "":
				counts[2]++
			default:
				counts[0]++
			}
			olds, news = append(olds, p[0]), append(news, p[1])
		}
		isNone := func(text string) bool { return text == "" }
		olds, news = slices.DeleteFunc(olds, isNone), slices.DeleteFunc(news, isNone)
		if want := paired(old, new); counts != want {
			t.Fatalf("round %d, %d and %d URLs, waiting %d, block %d: %v paired, appeared, vanished; want %v", round, len(old), len(new), waiting, block, counts, want)
		}
		for name, side := range map[string]struct {
			got  []string
			urls []audit.URL
		}{"old": {olds, old}, "new": {news, new}} {
			var want []string
			for _, u := range side.urls {
				want = append(want, told(&known{u.Loc, u.Kind, u.Sitemap >= 0, &governed{record: &audit.Robots{Index: u.Origin}}, u.Weight, u.Verdicts, u.Lines, u.Hits}))
			}
			slices.Sort(want)
			slices.Sort(side.got)
			if !slices.Equal(side.got, want) {
				t.Fatalf("round %d: the %s side's URLs came out as others", round, name)
			}
		}
		if again := pairing(t, t.TempDir(), old, new, waiting, block); !slices.Equal(again, list) {
			t.Fatalf("round %d: another order when joined again", round)
		}
	}
}

// numbered are pages of one origin.
func numbered(n int) (list []audit.URL) {
	for i := range n {
		list = append(list, audit.URL{Loc: fmt.Sprintf("https://example.com/products/%d.html", i)})
	}
	return list
}

// TestTemporary checks three things: data that does not fit into memory is in a file without a
// name; the file is only created when necessary; a missing folder is reported.
func TestTemporary(t *testing.T) {
	folder := t.TempDir()
	old := numbered(200_000)
	new := slices.Clone(old)
	slices.Reverse(new)
	j := newJoiner(&judged{side: newSide()}, &judged{side: newSide()}, folder, 64<<10, blockBytes)
	n := 0
	for p, err := range j.pairs(batches(old, 256), batches(new, 256)) {
		noError(t, err)
		if p.old == nil || p.new == nil || p.old.loc != p.new.loc {
			t.Fatalf("%+v", p)
		}
		if n++; n == 1 || n == len(old)/2 { // the first pair comes where the sides meet, in the middle
			noNames(t, folder)
			if open := nameless(t, folder); open >= 0 && open != 2 {
				t.Errorf("%d files are open without a name, want one for each side", open)
			}
		}
	}
	if open := nameless(t, folder); open > 0 {
		t.Errorf("%d files are still open", open)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if n != len(old) || j.old.spill.written == 0 {
		t.Errorf("%d pairs, %d chunks written", n, j.old.spill.written)
	}
	missing := filepath.Join(folder, "missing")
	if got := pairing(t, missing, old[:1000], slices.Clone(new[len(new)-1000:]), waitingBytes, blockBytes); len(got) != 1000 {
		t.Errorf("%d pairs without a temporary file", len(got))
	}
	j = newJoiner(&judged{side: newSide()}, &judged{side: newSide()}, missing, 64<<10, blockBytes)
	var last error
	for _, err := range j.pairs(batches(old, 256), batches(new, 256)) {
		last = err
	}
	if last == nil || !strings.Contains(last.Error(), missing) {
		t.Errorf("no word of the folder: %v", last)
	}
}

// TestNothingWhereNothingDiffers checks that an unchanged URL costs no memory.
func TestNothingWhereNothingDiffers(t *testing.T) {
	paths := make([]string, 20_000)
	for i := range paths {
		paths[i] = fmt.Sprintf("/a/%d", i)
	}
	old := run(t, "Googlebot,YandexBot", "User-agent: *\nDisallow: /b\n", paths...)
	new := run(t, "Googlebot,YandexBot", "User-agent: *\nDisallow: /b\nDisallow: /c\n", paths...)
	allocs := testing.AllocsPerRun(2, func() {
		for _, err := range Sides(old, new, Options{}) {
			noError(t, err)
		}
	})
	if allocs > 3000 { // a site whose file differs takes some 2,000, however many URLs it has
		t.Errorf("%.0f allocations for %d URLs", allocs, len(paths))
	}
}

// BenchmarkJoin pairs pages of two sides.
func BenchmarkJoin(b *testing.B) {
	list := numbered(100_000)
	shuffled := slices.Clone(list)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, k int) { shuffled[i], shuffled[k] = shuffled[k], shuffled[i] })
	for _, test := range []struct {
		name    string
		new     []audit.URL
		waiting int
	}{{"in step", list, waitingBytes}, {"shuffled", shuffled, waitingBytes}, {"shuffled, on disk", shuffled, 256 << 10}} {
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				j := newJoiner(&judged{side: newSide()}, &judged{side: newSide()}, b.TempDir(), test.waiting, blockBytes)
				for p, err := range j.pairs(batches(list, 256), batches(test.new, 256)) {
					if err != nil || p.old == nil || p.new == nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(2*len(list)), "ns/URL-and-side")
		})
	}
}
