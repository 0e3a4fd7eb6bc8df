package compare

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"robots-audit/engine"
)

// allProfiles are the profiles, each with a crawler that has tokens to fall back to and
// one that has none.
func allProfiles() string {
	var list []string
	for _, p := range engine.Profiles() {
		list = append(list, "Googlebot-Image@"+p.Name, "YandexBot@"+p.Name)
	}
	return strings.Join(list, ",")
}

// edits makes a file of another one by what people do to robots.txt.
func edits(r *rand.Rand, lines []string, n int) []string {
	lines = slices.Clone(lines)
	for range n {
		at := r.IntN(len(lines) + 1)
		switch r.IntN(7) {
		case 0:
			lines = slices.Insert(lines, at, randomRule(r))
		case 1:
			if at < len(lines) {
				lines = slices.Delete(lines, at, at+1)
			}
		case 2:
			if at < len(lines) {
				lines[at] = randomRule(r)
			}
		case 3: // moved
			if at < len(lines) {
				line := lines[at]
				lines = slices.Delete(lines, at, at+1)
				lines = slices.Insert(lines, r.IntN(len(lines)+1), line)
			}
		case 4:
			lines = slices.Insert(lines, at, randomAgent(r))
		case 5:
			for i, line := range lines {
				if strings.HasPrefix(line, "User-agent") && r.IntN(2) == 0 {
					lines[i] = randomAgent(r)
					break
				}
			}
		case 6:
			lines = slices.Insert(lines, at, []string{"", "# note", "Sitemap: https://example.com/s.xml", "Crawl-delay: 3", "Disallow:"}[r.IntN(5)])
		}
	}
	return lines
}

func randomAgent(r *rand.Rand) string {
	return "User-agent: " + []string{"*", "Googlebot", "Googlebot-Image", "Yandex", "YandexBot", "Bingbot"}[r.IntN(6)]
}

func randomRule(r *rand.Rand) string {
	paths := []string{"/", "/a", "/a/b", "/b", "/*b", "/a$", "/a/", "/c*d", "/*.pdf$", "/a*", "/%61", "", "/index.html"}
	return []string{"Disallow: ", "Allow: "}[r.IntN(2)] + paths[r.IntN(len(paths))]
}

func randomGroups(r *rand.Rand) (lines []string) {
	for range 1 + r.IntN(3) {
		lines = append(lines, randomAgent(r))
		for range r.IntN(4) {
			lines = append(lines, randomRule(r))
		}
		if r.IntN(2) == 0 {
			lines = append(lines, "")
		}
	}
	return lines
}

var somePaths = []string{"/", "/a", "/a/b", "/a/b/c", "/b", "/xb", "/cxd", "/f.pdf", "/a/f.pdf", "/index.html", "/robots.txt", "/b/a", "/c"}

// TestChangesAlone compares the pages of each changed line with brute force, for all profiles: each
// change is undone alone in the text, which is read again.
func TestChangesAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	together, alone := 0, 0
	for round := range 250 {
		before := randomGroups(r)
		after := edits(r, before, 1+r.IntN(5))
		old, new := strings.Join(before, "\n")+"\n", strings.Join(after, "\n")+"\n"
		crawlers := allProfiles()
		var flips []Flip
		var site *Site
		for item, err := range Sides(run(t, crawlers, old, somePaths...), run(t, crawlers, new, somePaths...), Options{}) {
			noError(t, err)
			if item.Site != nil {
				site = item.Site
			}
			if item.Flip != nil && !item.Flip.Appeared {
				flips = append(flips, *item.Flip.Clone())
			}
		}
		if len(flips) == 0 {
			continue
		}
		diff := site.Origins[0].Diff
		judge := func(which []int, crawler int, loc string) engine.Verdict {
			robot, p, _ := site.Crawlers[crawler].New.Robot()
			return p.Parse(putBack([]byte(new), []byte(old), diff, which)).Group(robot).Verdict(loc).Verdict
		}
		type count struct{ blocked, allowed, other, weight, together int64 }
		want := map[int]count{}
		for _, f := range flips {
			named := map[int]map[Class]bool{}
			const several = Class(99) // for flips that need several lines
			for i, v := range f.Verdicts {
				if v.Class == Same {
					continue
				}
				if v.Cause != Rule && v.Cause != Group {
					if v.Lines != nil {
						t.Fatalf("lines of a flip by %s", v.Cause)
					}
					continue
				}
				var lines []int
				for change := range diff {
					if judge([]int{change}, i, f.Loc) == v.Was {
						lines = append(lines, change)
					}
				}
				if lines == nil {
					together++
					if len(v.Lines) < 2 || judge(v.Lines, i, f.Loc) != v.Was {
						t.Fatalf("round %d: %s, %s: changes %v together do not bring %s back\nold\n%s\nnew\n%s\n%q", round, f.Loc, site.Crawlers[i].Label, v.Lines, v.Was, old, new, linesOf(diff))
					}
					for k := range v.Lines {
						if judge(slices.Delete(slices.Clone(v.Lines), k, k+1), i, f.Loc) == v.Was {
							t.Fatalf("round %d: of changes %v one can be left out", round, v.Lines)
						}
					}
					lines = v.Lines
				} else if alone++; !slices.Equal(v.Lines, lines) {
					t.Fatalf("round %d: %s, %s: changes %v, want %v\nold\n%s\nnew\n%s\n%q", round, f.Loc, site.Crawlers[i].Label, v.Lines, lines, old, new, linesOf(diff))
				}
				if v.Together == slices.ContainsFunc(lines, func(line int) bool { return judge([]int{line}, i, f.Loc) == v.Was }) {
					t.Fatalf("round %d: changes %v, together: %v", round, lines, v.Together)
				}
				for _, line := range lines {
					if named[line] == nil {
						named[line] = map[Class]bool{}
					}
					class := v.Class
					if v.Together {
						class = several
					} else if class == ClearAgain {
						class = NowUnclear
					}
					named[line][class] = true
				}
			}
			for line, classes := range named {
				n := want[line]
				for class := range maps.Keys(classes) {
					*map[Class]*int64{NewlyBlocked: &n.blocked, NewlyAllowed: &n.allowed, NowUnclear: &n.other, several: &n.together}[class]++
				}
				if len(classes) > 1 || !classes[several] {
					n.weight++
				}
				want[line] = n
			}
		}
		for i, line := range diff {
			if got := (count{line.NewlyBlocked, line.NewlyAllowed, line.OtherFlips, line.Weight, line.Together}); got != want[i] || line.NotCounted {
				t.Fatalf("round %d: change %d counts %+v, want %+v", round, i, got, want[i])
			}
		}
	}
	if together == 0 || alone < 1000 {
		t.Errorf("%d flips by one change alone, %d by several: too few", alone, together)
	}
}

// TestChangesOfManyLines checks that a file in which every line changed is compared in bounded
// time.
func TestChangesOfManyLines(t *testing.T) {
	file := func(n int, of string) string {
		var b strings.Builder
		b.WriteString("User-agent: *\n")
		for i := range n {
			fmt.Fprintf(&b, "Disallow: /%s%d/\n", of, i)
		}
		return b.String()
	}
	for _, test := range []struct {
		lines   int
		counted bool
	}{{300, true}, {5000, false}} {
		_, site := compared(t, run(t, "Googlebot,Bingbot", file(test.lines, "old-part-of-the-shop/"), "/old-part-of-the-shop/7/x", "/new/8/"), run(t, "Googlebot,Bingbot", file(test.lines, "new/"), "/old-part-of-the-shop/7/x", "/new/8/"))
		var blocked, allowed int64
		for _, line := range site.Origins[0].Diff {
			blocked, allowed = blocked+line.NewlyBlocked, allowed+line.NewlyAllowed
			if line.NotCounted == test.counted {
				t.Fatalf("%d lines: counted: %v", test.lines, !line.NotCounted)
			}
		}
		if test.counted && (blocked != 1 || allowed != 1) {
			t.Errorf("%d lines: %d newly blocked, %d newly allowed", test.lines, blocked, allowed)
		}
	}
}
