package compare

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/engine"
)

// linesOf writes changes as "op old,new old text → new text".
func linesOf(changes []Line) (list []string) {
	for _, c := range changes {
		list = append(list, fmt.Sprintf("%s %d,%d %s|%s", c.Op, c.OldLine, c.NewLine, c.Old, c.New))
	}
	return list
}

// TestDiffLines compares the reported lines with those that a person would report.
func TestDiffLines(t *testing.T) {
	tests := []struct {
		name, old, new string
		want           []string
	}{
		{"nothing", "a: b\nc\n", "a: b\nc\n", nil},
		{"both are empty", "", "", nil},
		{"line ends and a byte order mark", "a: b\r\nc\r\n\r\nd", "\xEF\xBB\xBFa: b\nc\r\rd\n", nil},
		{"a line more", "User-agent: *\nDisallow: /a\n", "User-agent: *\nDisallow: /a\nDisallow: /b\n", []string{"+ 0,3 |Disallow: /b"}},
		{"a line less", "User-agent: *\nDisallow: /a\nDisallow: /b", "User-agent: *\nDisallow: /b\n", []string{"- 2,0 Disallow: /a|"}},
		{"an edited line", "User-agent: *\nDisallow: /a\nDisallow: /b\n", "User-agent: *\nDisallow: /aa\nDisallow: /b\n", []string{"~ 2,2 Disallow: /a|Disallow: /aa"}},
		{"another field", "User-agent: *\nDisallow: /a\n", "User-agent: *\nAllow: /a\n", []string{"~ 2,2 Disallow: /a|Allow: /a"}},
		{"nothing alike", "User-agent: *\nDisallow: /a\n", "User-agent: *\nSitemap: https://a.example/s\n", []string{"- 2,0 Disallow: /a|", "+ 0,2 |Sitemap: https://a.example/s"}},
		{"a moved line", "User-agent: *\nDisallow: /a\nDisallow: /b\nDisallow: /c\n", "User-agent: *\nDisallow: /b\nDisallow: /c\nDisallow: /a\n", []string{"moved 2,4 Disallow: /a|Disallow: /a"}},
		{"comments do not move", "# x\nA: 1\nB: 1\n", "A: 1\nB: 1\n# x\n", []string{"- 1,0 # x|", "+ 0,3 |# x"}},
		{"a comment turned on", "User-agent: *\n# Disallow: /a\n", "User-agent: *\nDisallow: /a\n", []string{"~ 2,2 # Disallow: /a|Disallow: /a"}},
		{"the most alike of several", "Disallow: /shop/cart\n", "Disallow: /x\nDisallow: /shop/basket\nDisallow: /y\n", []string{"+ 0,1 |Disallow: /x", "~ 1,2 Disallow: /shop/cart|Disallow: /shop/basket", "+ 0,3 |Disallow: /y"}},
		{"a run of equal lines", "x\na\na\na\ny\n", "x\na\na\na\na\ny\n", []string{"+ 0,5 |a"}},
		{"a group between equal ones", "User-agent: a\nDisallow: /\n\nUser-agent: c\nDisallow: /\n", "User-agent: a\nDisallow: /\n\nUser-agent: b\nDisallow: /\n\nUser-agent: c\nDisallow: /\n",
			[]string{"+ 0,4 |User-agent: b", "+ 0,5 |Disallow: /", "+ 0,6 |"}},
		{"a group less, without blank lines", "User-agent: a\nDisallow: /\nUser-agent: b\nDisallow: /\nUser-agent: c\nDisallow: /\n", "User-agent: a\nDisallow: /\nUser-agent: c\nDisallow: /\n",
			[]string{"- 3,0 User-agent: b|", "- 4,0 Disallow: /|"}},
		{"all is new", "", "a: b\nc: d", []string{"+ 0,1 |a: b", "+ 0,2 |c: d"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := linesOf(diffLines([]byte(test.old), []byte(test.new))); !slices.Equal(got, test.want) {
				t.Errorf("\n%q, want\n%q", got, test.want)
			}
		})
	}
}

// lines are the lines of a file as the engine numbers them.
func lines(body []byte) (list []string) {
	whole := &engine.Profile{Limit: -1}
	for l := range whole.Parse(body).Lines() {
		list = append(list, l.Text)
	}
	return list
}

// apply makes the new lines of the old ones, going by nothing but the numbers.
func apply(t testing.TB, old []string, changes []Line) []string {
	gone, put := map[int]bool{}, map[int]string{}
	for _, c := range changes {
		if c.OldLine > 0 {
			if gone[c.OldLine] || old[c.OldLine-1] != c.Old {
				t.Fatalf("old line %d is told twice, or is not %q", c.OldLine, c.Old)
			}
			gone[c.OldLine] = true
		}
		if c.NewLine > 0 {
			if _, twice := put[c.NewLine]; twice {
				t.Fatalf("new line %d is told twice", c.NewLine)
			}
			put[c.NewLine] = c.New
		}
		if has := [2]bool{c.OldLine > 0, c.NewLine > 0}; has != map[Op][2]bool{Added: {false, true}, Removed: {true, false}, Edited: {true, true}, Moved: {true, true}}[c.Op] || (c.Op == Moved) != (c.Old == c.New && has[0] == has[1]) {
			t.Fatalf("%+v", c)
		}
	}
	var list []string
	next := 0
	for number := 1; number <= len(old)-len(gone)+len(put); number++ {
		if text, is := put[number]; is {
			list = append(list, text)
			continue
		}
		for gone[next+1] {
			next++
		}
		list = append(list, old[next])
		next++
	}
	return list
}

// common is the length of the longest common sequence of lines, by the table of all pairs.
func common(a, b []string) int {
	last := make([]int, len(b)+1)
	for i := range a {
		row := make([]int, len(b)+1)
		for k := range b {
			if a[i] == b[k] {
				row[k+1] = last[k] + 1
			} else {
				row[k+1] = max(row[k], last[k+1])
			}
		}
		last = row
	}
	return last[len(b)]
}

// linesTold counts the reported lines of both files: an edit has two.
func linesTold(changes []Line) (n int) {
	for _, c := range changes {
		if n++; c.Op == Edited || c.Op == Moved {
			n++
		}
	}
	return n
}

// randomFile is a file of a few kinds of lines with any line ends.
func randomFile(r *rand.Rand, kinds []string, most int) []byte {
	var b []byte
	for range r.IntN(most) {
		b = append(append(b, kinds[r.IntN(len(kinds))]...), []string{"\n", "\r\n", "\r"}[r.IntN(3)]...)
	}
	if r.IntN(2) == 0 {
		b = bytes.TrimRight(b, "\r\n")
	}
	return b
}

// TestDiffProperties checks that the changes transform the old file into the new one, and that
// there are no unnecessary ones. Undoing all of them gives the old file, undoing none the new one.
func TestDiffProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	kinds := []string{"User-agent: *", "User-agent: a", "Disallow: /", "Disallow: /a", "disallow: /a", "Allow: /b", "Disallow: /c", "Sitemap: https://a.example/", "# c", "text", "Disallow: /d # e", "#"}
	for n := range 5_000 {
		some := kinds[:2+r.IntN(len(kinds)-1)]
		blanks := n%2 == 0
		if blanks {
			some = append(slices.Clone(some), "", " ")
		}
		old, new := randomFile(r, some, 20), randomFile(r, some, 20)
		changes := diffLines(old, new)
		was, is := lines(old), lines(new)
		if got := apply(t, was, changes); !slices.Equal(got, is) {
			t.Fatalf("%q to %q:\n%q makes\n%q", old, new, linesOf(changes), got)
		}
		all := []int{}
		for i := range changes {
			all = append(all, i)
		}
		cost := linesTold(changes)
		if least := len(was) + len(is) - 2*common(was, is); !blanks && cost != least {
			t.Fatalf("%q to %q: %d lines are told, %d would do:\n%q", old, new, cost, least, linesOf(changes))
		}
		if got := lines(putBack(new, old, changes, all)); !slices.Equal(got, was) {
			t.Fatalf("%q to %q: put back is %q", old, new, got)
		}
		if got := putBack(new, old, changes, nil); !bytes.Equal(got, new) {
			t.Fatalf("%q to %q: with nothing put back it is %q", old, new, got)
		}
		if len(changes) > 0 {
			one := r.IntN(len(changes))
			now := lines(putBack(new, old, changes, []int{one}))
			if left := len(was) + len(now) - 2*common(was, now); left > cost-linesTold(changes[one:one+1]) {
				t.Fatalf("%q to %q: with change %d put back %d lines differ, of %d", old, new, one, left, cost)
			}
		}
	}
}

// TestPutBack undoes single changes.
func TestPutBack(t *testing.T) {
	const old = "User-agent: *\r\nDisallow: /a\r\nDisallow: /b\r\nDisallow: /c\r\nDisallow: /d"
	const new = "User-agent: *\nDisallow: /aa\nDisallow: /c\nDisallow: /d\nDisallow: /e\nDisallow: /b"
	changes := diffLines([]byte(old), []byte(new))
	for _, test := range []struct {
		line string
		want string
	}{
		{"~ 2,2 Disallow: /a|Disallow: /aa", "User-agent: *\nDisallow: /a\r\nDisallow: /c\nDisallow: /d\nDisallow: /e\nDisallow: /b"},
		{"+ 0,5 |Disallow: /e", "User-agent: *\nDisallow: /aa\nDisallow: /c\nDisallow: /d\nDisallow: /b"},
		{"moved 3,6 Disallow: /b|Disallow: /b", "User-agent: *\nDisallow: /aa\nDisallow: /b\r\nDisallow: /c\nDisallow: /d\nDisallow: /e\n"},
	} {
		at := slices.Index(linesOf(changes), test.line)
		if at < 0 {
			t.Fatalf("%q is not among %q", test.line, linesOf(changes))
		}
		if got := string(putBack([]byte(new), []byte(old), changes, []int{at})); got != test.want {
			t.Errorf("%s put back: %q, want %q", test.line, got, test.want)
		}
	}
	if got := string(putBack([]byte("a: 1"), []byte("b: 1\na: 1\nc: 1"), []Line{{Op: Removed, OldLine: 1, Old: "b: 1"}, {Op: Removed, OldLine: 3, Old: "c: 1"}}, []int{0, 1})); got != "b: 1\na: 1\nc: 1\n" {
		t.Errorf("around the only line: %q", got)
	}
}

// TestDiffBig checks that a diff of files of 500 KiB is not much slower than reading them, and that
// edits of a long file are reported one by one.
func TestDiffBig(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	file := func(line func(i int) string) []byte {
		var b strings.Builder
		for i := 0; b.Len() < 500<<10; i++ {
			b.WriteString(line(i) + "\n")
		}
		return []byte(b.String())
	}
	shuffled := func(body []byte) []byte {
		list := strings.SplitAfter(string(body), "\n")
		r.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
		return []byte(strings.Join(list, ""))
	}
	rules := file(func(i int) string { return fmt.Sprintf("Disallow: /p%d", i) })
	words := file(func(i int) string { return fmt.Sprint("Disallow: /", r.IntN(300)) })
	short := file(func(int) string { return string(rune('a' + r.IntN(20))) })
	blank := file(func(int) string { return "" })
	half := file(func(i int) string { return []string{"", "Disallow: /a"}[r.IntN(2)] })
	manyA := strings.Repeat("a\n", 1<<16)
	edited := strings.SplitAfter(string(rules), "\n")
	for i := 7; i < len(edited); i += 50 {
		edited[i] = fmt.Sprintf("Disallow: /p%d/x\n", i)
	}
	for _, test := range []struct {
		name     string
		old, new []byte
		most     int // reported lines; 0 = any number
	}{
		{"nothing in common", rules, file(func(i int) string { return fmt.Sprintf("Disallow: /q%d", i) }), 0},
		{"every 50th line is edited", rules, []byte(strings.Join(edited, "")), len(edited)/50 + 1},
		{"another order", rules, shuffled(rules), 0},
		{"few kinds of lines", words, shuffled(words), 0},
		{"fewer", short, shuffled(short), 0},
		{"two", half, shuffled(half), 0},
		{"one", blank, blank[:len(blank)/2], len(blank)/2 + 1},
		{"2^32 pairs, which are 0 in 32 bits", []byte("b\n" + manyA + "c\n"), []byte("c\n" + manyA + "b\n"), 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			begun := time.Now()
			changes := diffLines(test.old, test.new)
			took := time.Since(begun)
			was, is := lines(test.old), lines(test.new)
			if got := apply(t, was, changes); !slices.Equal(got, is) {
				t.Error("the changes do not make the new file")
			}
			if test.most > 0 && len(changes) > test.most {
				t.Errorf("%d lines are told, %d would do", len(changes), test.most)
			}
			t.Logf("%d and %d lines: %d told, %v", len(was), len(is), len(changes), took)
		})
	}
}
