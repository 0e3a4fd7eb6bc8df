package engine

import (
	"fmt"
	"strings"
	"testing"

	"robots-audit/engine/internal/match"
	"robots-audit/engine/internal/match/matchtest"
)

// smallPatterns are all patterns of up to n letters in the form in which
// compile leaves them.
func smallPatterns(n int, letters ...string) []match.Pattern {
	var list []match.Pattern
	for _, word := range matchtest.Texts(n, letters...) {
		if word == "" || word[0] != '/' && word[0] != '*' {
			continue
		}
		out := (&Profile{}).rankedPattern(ranked{}, word)
		list = append(list, out.Pattern)
		if out = (&Profile{}).rankedPattern(ranked{}, word+"$"); out.End {
			list = append(list, out.Pattern)
		}
	}
	return list
}

// paths are all paths of up to n letters after the slash.
func paths(n int, letters ...string) []string {
	var list []string
	for _, word := range matchtest.Texts(n, letters...) {
		list = append(list, "/"+word)
	}
	return list
}

// matchTable tells which of the paths each pattern matches.
func matchTable(patterns []match.Pattern, paths []string) [][]bool {
	table := make([][]bool, len(patterns))
	for i, p := range patterns {
		table[i] = make([]bool, len(paths))
		for j, path := range paths {
			table[i][j] = p.Match(path)
		}
	}
	return table
}

// TestWithin compares the proof of inclusion with all paths of up to seven
// letters, for all pairs of patterns of up to four. "c" is a letter that no
// pattern holds.
func TestWithin(t *testing.T) {
	patterns, all := smallPatterns(4, "/", "a", "b", "*"), paths(6, "/", "a", "b", "c")
	table := matchTable(patterns, all)
	for i, a := range patterns {
		for j, b := range patterns {
			want, any := true, false
			for k := range all {
				any = any || table[i][k]
				if table[i][k] && !table[j][k] {
					want = false
					break
				}
			}
			if got := within(a, b); got != (want && any) {
				t.Fatalf("%+v within %+v: %v, but by all paths %v", a, b, got, want)
			}
		}
	}
	t.Logf("%d patterns, %d paths", len(patterns), len(all))
}

// TestMeet compares the search for a common path with all paths.
func TestMeet(t *testing.T) {
	patterns, all := smallPatterns(4, "/", "a", "b", "*"), paths(4, "/", "a", "b", "c")
	table := matchTable(patterns, all)
	for i, a := range patterns {
		for j, b := range patterns {
			path, found := meet(a, b)
			if found && (path == "" || path[0] != '/' || !a.Match(path) || !b.Match(path)) {
				t.Fatalf("%+v and %+v do not meet in %q", a, b, path)
			}
			exists := false
			for k := range all {
				exists = exists || table[i][k] && table[j][k]
			}
			// The shortest common path of two patterns may begin otherwise than with "/" only if both could.
			if exists && !found && a.Text != "" && b.Text != "" && a.Text[0] == '/' && b.Text[0] == '/' {
				t.Fatalf("%+v and %+v meet, but no path is found", a, b)
			}
			if found && !mayMeet(a, b) || exists && !mayMeet(a, b) {
				t.Fatalf("%+v and %+v may meet", a, b)
			}
		}
	}
}

// TestProofs compares what is proved of rules with what happens without them,
// for all groups of three rules with short paths and for every profile: a
// path that is judged otherwise once an idle rule is gone refutes the proof.
func TestProofs(t *testing.T) {
	if raced {
		t.Skip("one goroutine that works for long")
	}
	t.Parallel()
	values := []string{"/", "/*", "/a", "/a*", "/a$", "/*a", "/ab", "*b", "/a*b", "/*a*$", "/b/", "/*/"}
	all := paths(4, "/", "a", "b")
	var rules []Rule
	for _, value := range values {
		rules = append(rules, Rule{Allow: true, Value: value}, Rule{Value: value})
	}
	proved := map[string]int{}
	for _, p := range Profiles() {
		if p.Name == "google-2023" {
			continue // reads groups as google does
		}
		for _, a := range rules {
			for _, b := range rules {
				for _, c := range rules[:8] {
					checkProofs(t, p, []Rule{a, b, c}, all, proved)
				}
			}
		}
	}
	for _, id := range []string{"RUL005", "RUL006", "RUL009"} {
		if proved[id] == 0 {
			t.Errorf("nothing was %s", id)
		}
	}
	t.Log(proved)
}

// idleRules are the rules of a file that are proved idle, by their lines.
func idleRules(r *Robots) map[int]proof {
	x := reader{Robots: r, work: maxProofWork}
	x.prove(x.obeyedRuns(nil), &proofs{})
	return x.idle
}

func checkProofs(t *testing.T, p *Profile, rules []Rule, paths []string, proved map[string]int) {
	t.Helper()
	text, lines := "User-agent: *\n", make([]string, len(rules))
	for i, r := range rules {
		lines[i] = r.String() + "\n"
		text += lines[i]
	}
	robots := p.Parse([]byte(text))
	g := robots.Group(Crawler{})
	for line, found := range idleRules(robots) {
		proved[found.id]++
		without := "User-agent: *\n"
		for i := range lines {
			if i+2 != line {
				without += lines[i]
			}
		}
		rest := p.Parse([]byte(without)).Group(Crawler{})
		for _, path := range paths {
			before, after := g.Verdict(path), rest.Verdict(path)
			if before.Verdict != after.Verdict {
				t.Fatalf("%s: line %d is %s, but without it %s is %v, not %v\n%s", p.Name, line, found.id, path, after.Verdict, before.Verdict, text)
			}
			if before.Line() == line && found.id != "RUL005" {
				t.Fatalf("%s: line %d is %s, but decides %s\n%s", p.Name, line, found.id, path, text)
			}
		}
	}
}

// TestProofsComplete holds the proofs to finding every rule that a single
// stronger rule beats on all paths, in groups of two.
func TestProofsComplete(t *testing.T) {
	p := mustProfile(t, "rfc9309")
	all := paths(5, "/", "a", "b", "c")
	values := matchtest.Texts(3, "/", "a", "b", "*")
	for _, a := range values {
		for _, b := range values {
			if a == "" || b == "" || a[0] != '/' || b[0] != '/' {
				continue
			}
			for _, kinds := range [...][2]string{{"allow", "disallow"}, {"disallow", "disallow"}} {
				robots := p.Parse(fmt.Appendf(nil, "user-agent: *\n%s: %s\n%s: %s\n", kinds[0], a, kinds[1], b))
				g, decides := robots.Group(Crawler{}), map[int]bool{}
				for _, path := range all {
					decides[g.Verdict(path).Line()] = true
				}
				found := idleRules(robots)
				for line := 2; line <= 3; line++ {
					if _, ok := found[line]; !ok && !decides[line] {
						t.Fatalf("line %d never decides, and that is not found: %s %s, %s %s", line, kinds[0], a, kinds[1], b)
					}
				}
			}
		}
	}
}

// TestProofWork: rules that all share what they are found by, each of which is
// tried on each, come to the end of the work that may be done; those of a file
// as large as the largest known do not come near it.
func TestProofWork(t *testing.T) {
	p := mustProfile(t, "google")
	var hostile, large strings.Builder
	for _, b := range []*strings.Builder{&hostile, &large} {
		b.WriteString("User-agent: *\n")
	}
	for i := range 2000 {
		fmt.Fprintf(&hostile, "Disallow: /*%c*%s*%c\n", 'a'+i%3, strings.Repeat(string(rune('a'+i/3%3)), 1+i/9%9), 'a'+i/81%3)
	}
	for i := range 37741 {
		wild := ""
		if i%6 == 0 {
			wild = "*/"
		}
		fmt.Fprintf(&large, "Disallow: /%ssection-%d/page.aspx?id=%d\n", wild, i%97, i)
	}
	for _, c := range []struct {
		body string
		work int
		ends bool
	}{{hostile.String(), 2_000_000, false}, {hostile.String(), maxProofWork, true}, {large.String(), maxProofWork / 4, true}} {
		g := p.Parse([]byte(c.body)).Group(token("x"))
		prover := newProver(g, c.work)
		if prover.proveIdleRules(); prover.work >= 0 != c.ends {
			t.Errorf("%.40q… with work of %d: %d left", c.body, c.work, prover.work)
		}
	}
}
