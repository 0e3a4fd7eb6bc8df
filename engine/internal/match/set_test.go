package match

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/engine/internal/match/matchtest"
)

// matches is the definition of a match: only the meaning of '*' and of the end
// anchor, case by case.
func matches(text, path string, end bool) bool {
	if text == "" {
		return !end || path == ""
	}
	if text[0] == '*' {
		return matches(text[1:], path, end) || path != "" && matches(text, path[1:], end)
	}
	return path != "" && text[0] == path[0] && matches(text[1:], path[1:], end)
}

// TestSetExhaustive compares all small patterns on all small paths with the
// definition: alone, in groups that are tried one by one, and in groups large
// enough for the tree and its filters. The letters of the longer alphabets
// overlap with themselves and each other.
func TestSetExhaustive(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		texts, paths []string
	}{
		{matchtest.Texts(4, "a", "b", "*", "$"), matchtest.Texts(5, "a", "b", "$")},
		{matchtest.Texts(5, "a", "b", "*"), matchtest.Texts(6, "a", "b")},
		{matchtest.Texts(4, "aa", "aab", "*"), matchtest.Texts(5, "a", "b", "aab")},
		{matchtest.Texts(4, "/", "/x?y=", "*"), matchtest.Texts(4, "/", "x?y=", "z")},
		{matchtest.Texts(3, "/abcdefghijklmnopqrstuvw1", "/abcdefghijklmnopqrstuvw2", "*"), matchtest.Texts(3, "/abcdefghijklmnopqrstuvw", "1", "2")},
	} {
		var patterns []Pattern
		for _, text := range c.texts {
			patterns = append(patterns, Pattern{Text: text}, Pattern{Text: text, End: true})
		}
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(patterns), func(i, j int) {
			patterns[i], patterns[j] = patterns[j], patterns[i]
		})
		want := make([][]bool, len(patterns))
		for i, p := range patterns {
			for k, path := range c.paths {
				want[i] = append(want[i], matches(p.Text, path, p.End))
				if got := p.Match(path); got != want[i][k] {
					t.Fatalf("%+v on %q: %v", p, path, got)
				}
			}
		}
		for _, size := range []int{1, usual.list, usual.list + 1, 100, len(patterns)} {
			var s Scratch
			for from := 0; from < len(patterns); from += size {
				to := min(from+size, len(patterns))
				rs := Compile(patterns[from:to], nil)
				grams := compile(patterns[from:to], nil, limits{})
				for i, path := range c.paths {
					var all []int32
					for k := from; k < to; k++ {
						if want[k][i] {
							all = append(all, int32(k-from))
						}
					}
					check(t, rs, path, all, &s)
					if size <= 100 {
						check(t, grams, path, all, &s)
					}
				}
			}
		}
		if t.Failed() {
			return
		}
	}
}

// affordable reports whether the definition is fast enough: each wildcard may
// make it try every position of the path once more.
func affordable(text, path string) bool {
	tries := 1
	for range strings.Count(text, "*") {
		if tries *= len(path) + 1; tries > 1<<16 {
			return false
		}
	}
	return true
}

// check compares All, BestTwo and Best with the indices that match.
func check(t *testing.T, rs *Set, path string, want []int32, s *Scratch) {
	if got := rs.All(path, s); !slices.Equal(got, want) {
		t.Fatalf("All(%q) = %v, want %v", path, got, want)
	}
	wantBest, wantSecond := bestTwo(want, rs.owner)
	if best, second := rs.BestTwo(path); best != wantBest || second != wantSecond {
		t.Fatalf("BestTwo(%q) = %d, %d, want %d, %d", path, best, second, wantBest, wantSecond)
	}
	if best := rs.Best(path); best != wantBest {
		t.Fatalf("Best(%q) = %d, want %d", path, best, wantBest)
	}
}

// checkAll is check for several paths, with the patterns that match by a
// definition.
func checkAll(t *testing.T, patterns []Pattern, paths []string, matches func(p Pattern, path string) bool, sets ...*Set) {
	t.Helper()
	for _, path := range paths {
		var want []int32
		for i, p := range patterns {
			if matches(p, path) {
				want = append(want, int32(i))
			}
		}
		for _, set := range sets {
			check(t, set, path, want, new(Scratch))
		}
	}
}

// bestTwo returns the first of all and the first one of another rule.
func bestTwo(all []int32, owner []int32) (best, second int32) {
	if len(all) == 0 {
		return -1, -1
	}
	for _, i := range all[1:] {
		if owner == nil || owner[i] != owner[all[0]] {
			return all[0], i
		}
	}
	return all[0], -1
}

// TestSetLiteral checks patterns without wildcards, in which '*' is a byte.
func TestSetLiteral(t *testing.T) {
	var patterns []Pattern
	for _, text := range matchtest.Texts(3, "a", "*") {
		patterns = append(patterns, Pattern{Text: text, Literal: true}, Pattern{Text: text, Literal: true, End: true})
	}
	checkAll(t, patterns, matchtest.Texts(4, "a", "*"), func(p Pattern, path string) bool {
		return strings.HasPrefix(path, p.Text) && (!p.End || path == p.Text)
	}, Compile(patterns, nil))
}

// TestSetOwner checks that the runner-up is a pattern of another rule.
func TestSetOwner(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	texts, paths := matchtest.Texts(4, "a", "b", "*"), matchtest.Texts(5, "a", "b")
	for range 100 {
		var patterns []Pattern
		var owner []int32
		for range 2 + r.IntN(12) {
			patterns = append(patterns, Pattern{Text: texts[r.IntN(len(texts))], End: r.IntN(3) == 0})
			owner = append(owner, int32(r.IntN(4)))
		}
		checkAll(t, patterns, paths, func(p Pattern, path string) bool { return matches(p.Text, path, p.End) }, Compile(patterns, owner), compile(patterns, owner, limits{}))
	}
}

// TestSetLong has texts whose lengths need several bytes, and labels that need
// several nodes.
func TestSetLong(t *testing.T) {
	var patterns []Pattern
	for _, n := range []int{1, 7, 8, 9, 15, 16, 17, 127, 128, 129, 255, 256, 20_000} {
		long := strings.Repeat("ab", n/2) + "c"
		patterns = append(patterns, Pattern{Text: "/" + long}, Pattern{Text: "/" + long, End: true},
			Pattern{Text: "/*" + long + "*" + long, End: true}, Pattern{Text: "/" + long + "*" + long + "*x"})
	}
	var paths []string
	for _, p := range patterns {
		paths = append(paths, p.Text, strings.ReplaceAll(p.Text, "*", "y"), p.Text[:len(p.Text)-1], p.Text+"x")
	}
	checkAll(t, patterns, paths, Pattern.Match, compile(patterns, nil, usual), compile(patterns, nil, limits{list: len(patterns)}), compile(patterns, nil, limits{}))
}

// TestSignature: each byte has one kind, and frequent bytes in patterns do not share
// theirs.
func TestSignature(t *testing.T) {
	of := map[signature]int{}
	for c := range 256 {
		s := signatureOf(string([]byte{byte(c)}))
		if s == 0 || s&(s-1) != 0 {
			t.Errorf("%q is of the kinds %b", rune(c), s)
		}
		of[s]++
	}
	for _, c := range "/-._?=&%+,:;~@!$'()#|abcdefghijklmnopqrstuvwxyz" {
		if of[signatureOf(string(c))] != 1 {
			t.Errorf("%q shares its kind with others", c)
		}
	}
	text := "0123456789/?=&abc"
	for n := range len(text) {
		var want signature
		for i := range n {
			want |= signatureBits[text[i]]
		}
		if got := signatureOf(text[:n]); got != want {
			t.Errorf("signatureOf(%q) = %b, want %b", text[:n], got, want)
		}
	}
}

// TestSetNoAllocation checks that the search does not allocate after its first
// use, even with many tries.
func TestSetNoAllocation(t *testing.T) {
	var patterns []Pattern
	for i := range 200 {
		patterns = append(patterns, Pattern{Text: fmt.Sprintf("/*a*a*aab%d", i)}, Pattern{Text: fmt.Sprintf("/a%d", i)})
	}
	rs := Compile(patterns, nil)
	path := "/" + strings.Repeat("a", 500) + "b199aab"
	var s Scratch
	rs.BestTwo(path)
	rs.All(path, &s)
	if n := testing.AllocsPerRun(100, func() { rs.BestTwo(path); rs.All(path, &s) }); n != 0 {
		t.Errorf("%v allocations a search, want 0", n)
	}
}

// TestGramsSlotZero checks that no gram has the slot of offsets where no gram
// begins: each of them would look like a hit.
func TestGramsSlotZero(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for range 500 {
		var patterns []Pattern
		for range 8 {
			patterns = append(patterns, Pattern{Text: fmt.Sprintf("/*%x", r.IntN(1<<16)), End: r.IntN(2) == 0})
		}
		rs := compile(patterns, nil, limits{})
		for _, f := range rs.tree.filters {
			for _, g := range []*gramIndex{f.inner, f.ends} {
				if g != nil && g.used[0]&1 != 0 {
					t.Fatalf("a gram of %v has the hash 0", patterns)
				}
			}
		}
	}
}

// TestSetHostile runs hostile rules on a hostile path of 20,000 bytes. A search
// that backtracks, or that tries a pattern again wherever a part of it occurs,
// needs hours.
func TestSetHostile(t *testing.T) {
	var patterns []Pattern
	for i := range 200 {
		patterns = append(patterns,
			Pattern{Text: "/*a*a*a*a*a*a*a*b" + strings.Repeat("b", i%50) + "c", End: i%2 == 0},
			Pattern{Text: "/" + strings.Repeat("*aaaa", 1+i) + "*ab"},
			Pattern{Text: "/" + strings.Repeat("a", i) + "*b*a"},
			Pattern{Text: strings.Repeat("*a", 20) + "*" + strings.Repeat("a", i) + "c"})
	}
	rs := Compile(patterns, nil)
	path := "/" + strings.Repeat("a", 20_000) + "b"
	var want []int32
	for i, p := range patterns {
		if p.Match(path) {
			want = append(want, int32(i))
		}
	}
	if len(want) != 200 {
		t.Errorf("%d patterns match, want 200", len(want))
	}
	start := time.Now()
	check(t, rs, path, want, new(Scratch))
	if took := time.Since(start); took > 2*time.Minute { // usually a fifth of a second, or some seconds with the race detector on a busy machine
		t.Errorf("three searches took %v", took)
	}
}

// FuzzSet compares a compiled set of patterns, one per line, with trying the
// patterns one by one. If that is fast enough, it also compares with the
// definition.
func FuzzSet(f *testing.F) {
	f.Add("/a\n/a*b$\n/*c*d\n*\n/*.php$\n/*?x=\n/*.gif$\n/*/a/\n/*&y", "/a/x?x=1&y.php")
	f.Add("/*a*a*a*b$\n/*aa*ab\n/*aaaa*b\n/*b*a\n*a\n*b\n/\n/a$\n/aa", "/aaaaaaaaaaaaaaab")
	f.Add("*\x00\n*\x00\x00\n*b$\n*c$\n*d$\n*e$\n*fg\n*hi", "\x00\x00b")
	f.Add("/\x00*\x00\n*\x00\x00$\n*\x00a\n*é\n*\xff\n*b\n*c\n*d", "/\x00\x00aé\xff")
	f.Add("/a*?b\n/*/*/\n/*?\n/*&c=\n/*=d\n/*.e\n/*/f$\n/*g\n/*?*h\n/*?i=\n*/j\n/*kk\n/*l*m$\n/*.nnn$\na*o\n/*ppppppppp", "/g/a/ppppppppp?i=1&c=2=d")
	f.Add("*\x00\n \n*0", " \x00")
	f.Fuzz(func(t *testing.T, rules, path string) {
		var patterns []Pattern
		var owner, want []int32
		for i, line := range strings.Split(rules, "\n") {
			text, end := strings.CutSuffix(line, "$")
			p := Pattern{Text: text, End: end, Literal: i%16 == 15}
			owner = append(owner, int32(i/2))
			patterns = append(patterns, p)
			matched := p.Match(path)
			if !p.Literal && affordable(text, path) && matched != matches(text, path, end) {
				t.Fatalf("%+v.Match(%q) = %v", p, path, matched)
			}
			if matched {
				want = append(want, int32(i))
			}
		}
		for _, most := range []limits{usual, {}, {wild: usual.wild}} {
			check(t, compile(patterns, nil, most), path, want, new(Scratch))
			check(t, compile(patterns, owner, most), path, want, new(Scratch))
		}
	})
}
