package migrate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit/expect"
	"robots-audit/audit/table"
	"robots-audit/engine"
)

const stagingOrigin = "https://staging.example.com"

// TestStaging requests the staging host instead of a new one that does not answer yet, even if its
// robots.txt blocks everything, and judges by the proposed file.
func TestStaging(t *testing.T) {
	w, g := newWorld(t)
	const blocking = "User-agent: *\nDisallow: /\n"
	g.Staging = stagingOrigin
	g.Proposed, g.ProposedName = []byte("User-agent: *\nDisallow: /private/\nSitemap: "+newOrigin+"/s.txt\n"), "proposed.txt"
	w.set(oldOrigin+"/robots.txt", "")
	w.set(newOrigin+"/robots.txt", "hang up")
	w.set(stagingOrigin+"/robots.txt", blocking)
	w.set(stagingOrigin+"/s.txt", newOrigin+"/a\n"+newOrigin+"/private/b\n")
	w.set(stagingOrigin+"/a", "a page")
	w.set(stagingOrigin+"/private/b", "a page")
	w.set(stagingOrigin+"/moved", "redirect 301 /a")
	w.set(oldOrigin+"/3", "redirect 301 "+newOrigin+"/moved")
	redirectTo(w, "/1", "/a")
	redirectTo(w, "/2", "/private/b")
	got, leaks := results(t, g, openMap(t, "/1,/a\n/2,/private/b\n/3,/a\n"))
	want := map[int]string{1: ClassManyToOne, 2: ClassTargetBlocked, 3: ClassManyToOne}
	for line, class := range want {
		r := got[line]
		if r.Class != class || r.Target.Asked != stagingOrigin+strings.TrimPrefix(r.New, newOrigin) || r.Target.Status != 200 || r.Listed != "yes" {
			t.Errorf("line %d: got %s, want %s: %+v", line, r.Class, class, r)
		}
	}
	if v := got[2].Target; v.Live[0].Verdict == engine.Allow || v.Proposed[0].Line != 2 || v.Staging[0].Rule != "disallow: /" || v.File.Name != "proposed.txt" {
		t.Errorf("verdicts: got %+v", v)
	}
	if len(leaks) != 0 {
		t.Errorf("leaks: got %+v", leaks)
	}
	if w.count(newOrigin+"/a") > 0 {
		t.Error("the new host was asked")
	}
}

// TestLeaks has each kind of leak once, in a file that has no other.
func TestLeaks(t *testing.T) {
	const fine = "User-agent: *\nDisallow: /cart\nSitemap: https://new.example.com/s.txt\n"
	tests := []struct {
		name              string
		proposed, staging string
		live, old         string
		want              []string // kind and line
	}{
		{name: "nothing", proposed: fine, staging: "User-agent: *\nDisallow: /\n", live: fine},
		{name: "blocks all", proposed: "User-agent: *\nDisallow: /\n", live: fine, want: []string{"blocks_all 2"}},
		{name: "blocks a crawler that does not lead", proposed: "User-agent: GPTBot\nDisallow: /\n", live: fine},
		{name: "live blocks all", live: "User-agent: *\nDisallow: /\n", want: []string{"blocks_all 2"}},
		{name: "the staging host by name", proposed: fine + "Sitemap: https://staging.example.com/s.xml\nHost: staging.example.com\n", staging: "User-agent: *\nDisallow: /\n", live: fine, want: []string{"staging_name 4", "staging_name 5"}},
		{name: "a host that looks like one", proposed: fine + "Sitemap: https://www.dev2.shop.example/s.xml\n", live: fine, want: []string{"staging_name 4"}},
		{name: "the old host", proposed: fine + "Sitemap: http://old.example.com/s.xml\n", live: fine, want: []string{"old_name 4"}},
		{name: "a comment", proposed: "# robots.txt of STAGING\n" + fine, live: fine, want: []string{"staging_name 1"}},
		{name: "the very file", proposed: fine, staging: fine, live: "", want: []string{"open_staging 0", "same_file 0"}},
		{name: "robots.txt moved", live: fine, old: "redirect 301 https://new.example.com/robots.txt", want: []string{"robots_moved 0"}},
		{name: "no answer", live: "status 503", want: []string{"robots_unavailable 0"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w, g := newWorld(t)
			w.set(oldOrigin+"/robots.txt", test.old)
			w.set(newOrigin+"/robots.txt", test.live)
			if test.proposed != "" {
				g.Proposed, g.ProposedName = []byte(test.proposed), "proposed.txt"
			}
			if test.staging != "" {
				g.Staging = stagingOrigin
				w.set(stagingOrigin+"/robots.txt", test.staging)
			}
			_, leaks := results(t, g, openMap(t, "/1,/a\n"))
			var got []string
			for _, l := range leaks {
				got = append(got, fmt.Sprint(l.Kind, " ", l.Line))
				if l.Words == "" || l.Todo == "" || l.File == "" || Rank(string(l.Severity)) >= 0 {
					t.Errorf("got %+v", l)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestMovedRobots judges old URLs by the new host's rules, where the old robots.txt leads there.
func TestMovedRobots(t *testing.T) {
	w, g := newWorld(t)
	w.set(oldOrigin+"/robots.txt", "redirect 301 "+newOrigin+"/robots.txt")
	w.set(newOrigin+"/robots.txt", "User-agent: *\nDisallow: /old/\n")
	w.set(newOrigin+"/a", "a page")
	redirectTo(w, "/old/a", "/a")
	got, _ := results(t, g, openMap(t, "/old/a,/a\n"))
	if r := got[1]; r.Class != ClassSourceBlocked || r.Main().Rule != "disallow: /old/" {
		t.Errorf("got %s %+v", r.Class, r.Remarks)
	}

	// What is proposed for the new host will be what counts there.
	w.set(newOrigin+"/robots.txt", "User-agent: *\nDisallow:\n")
	g.Proposed, g.ProposedName = []byte("User-agent: *\n\nDisallow: /old/\n"), "proposed.txt"
	got, _ = results(t, g, openMap(t, "/old/a,/a\n"))
	if r := got[1]; r.Class != ClassSourceBlocked || r.Main().File != "proposed.txt" || r.Main().Line != 3 {
		t.Errorf("got %s %+v", r.Class, r.Remarks)
	}
}

// TestExpectWhereLedHere checks that pair and expectation use the same robots.txt if a host of new
// URLs redirects its own to the new site.
func TestExpectWhereLedHere(t *testing.T) {
	w, g := newWorld(t)
	const led = "http://led.example.com"
	w.set(oldOrigin+"/robots.txt", "")
	w.set(newOrigin+"/robots.txt", "")
	w.set(led+"/robots.txt", "redirect 301 "+newOrigin+"/robots.txt")
	w.set(oldOrigin+"/a", "redirect 301 "+led+"/a")
	w.set(led+"/a", "a page")
	g.NewHost, g.Proposed, g.ProposedName = newOrigin, []byte("User-agent: *\nDisallow: /a\n"), "proposed.txt"
	c, err := g.Begin(t.Context(), openMap(t, "/a,"+led+"/a\n"))
	noError(t, err)
	defer c.Close()
	for r, err := range c.All(t.Context()) {
		if err != nil || r.Class != ClassTargetBlocked || len(r.Target.Proposed) == 0 || r.Target.Proposed[0].Verdict != engine.Disallow {
			t.Errorf("%v, the pair is %s %+v, proposed %+v", err, r.Class, r.Remarks, r.Target.Proposed)
		}
	}
	set, err := expect.Read("e.csv", []byte(led+"/a,Googlebot,allow\n"), table.Options{})
	noError(t, err)
	suites, err := c.Expect(t.Context(), set)
	if err != nil || len(suites) != 1 || len(suites[0].Results) != 1 || suites[0].Results[0].Outcome != expect.Failed {
		t.Errorf("%v, %+v", err, suites)
	}
}

// TestSeveralNewHosts does not guess for which host a proposed file is.
func TestSeveralNewHosts(t *testing.T) {
	_, g := newWorld(t)
	g.Proposed = []byte("")
	m := openMap(t, "/1,/a\n/2,https://b.example.com/\n")
	if _, err := g.Begin(t.Context(), m); !errors.Is(err, ErrNewHost) {
		t.Errorf("got %v", err)
	}
}

// TestClassTable checks properties of the table of classes that its readers need.
func TestClassTable(t *testing.T) {
	seen := map[string]bool{}
	for i, c := range Classes {
		if seen[c.ID] || c.Words == "" || (c.Todo == "") != (c.ID == ClassOK) || slices.Index(severities, c.Severity) < 0 {
			t.Errorf("%+v", c)
		}
		if i > 0 && !Classes[i-1].Severity.AtLeast(c.Severity) {
			t.Errorf("%s comes after a class that is less grave", c.ID)
		}
		seen[c.ID] = true
	}
	if ClassOf("of a later version").ID != ClassUnknown {
		t.Error("a class that is not known is not unknown")
	}
}
