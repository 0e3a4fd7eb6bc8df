package engine

import (
	"strings"
	"testing"
)

// TestException adds the rule of each exception to the file, and judges the URL again.
func TestException(t *testing.T) {
	const file = "User-agent: *\nDisallow: /a\nDisallow: /*?sort=\nDisallow: /b/long/enough/to/win*\nDisallow: /z*z*z*z*z*\n"
	offered := 0
	for _, p := range profiles {
		g := p.Parse([]byte(file)).Group(Crawler{})
		for _, url := range []string{"/a", "/a/b?c=d", "https://a.example/b/long/enough/to/win/x", "/a/%41", "/a/ä", "/x?sort=1#top", "/zzzzz", "/free"} {
			path := g.Exception(url)
			if path == "" {
				continue
			}
			offered++
			after := p.Parse([]byte(file + "Allow: " + path + "\n")).Group(Crawler{})
			if d := after.Verdict(url); d.Verdict != Allow || d.Line() != 6 {
				t.Errorf("%s: %s is %s by line %d with Allow: %s", p.Name, url, d.Verdict, d.Line(), path)
			}
			if d := after.Verdict(strings.TrimSuffix(url, "#top") + "x"); d.Line() == 6 {
				t.Errorf("%s: Allow: %s is for more than %s", p.Name, path, url)
			}
		}
	}
	if offered < 30 {
		t.Errorf("%d exceptions", offered)
	}
	google := mustProfile(t, "google")
	for _, url := range []string{"/zzzzz", "/a*b", "/a$", "/a b", "/a`b"} {
		if path := google.Parse([]byte(file)).Group(Crawler{}).Exception(url); path != "" {
			t.Errorf("%s has the exception %s", url, path)
		}
	}
}

// TestReadersDiffer adds the rules that a fix of RUL007 proposes: then all readers agree on the example.
func TestReadersDiffer(t *testing.T) {
	const file = "User-agent: *\nAllow: /contact\nDisallow: /*?lang=*\n"
	found := Lint([]byte(file), LintOptions{})
	f := findingAt(t, file, found, "3 RUL007")
	if f == nil || !strings.Contains(f.What, "a URL such as /contact?lang=") || f.Fix != `Decide if such URLs should be blocked. Below line 3, add "Disallow: /contact*?lang=*" to block them, or "Allow: /contact*?lang=*" to allow them.` {
		t.Fatalf("%+v", found)
	}
	for _, rule := range strings.Split(f.Fix, `"`) {
		want := Disallow
		if strings.HasPrefix(rule, "Allow: ") {
			want = Allow
		} else if !strings.HasPrefix(rule, "Disallow: ") {
			continue
		}
		for _, name := range defaultProfiles {
			if d := mustProfile(t, name).Parse([]byte(file + rule)).Group(Crawler{}).Verdict("/contact?lang="); d.Verdict != want {
				t.Errorf("%s by %s: %s", rule, name, d.Verdict)
			}
		}
	}
}
