package suppression

import (
	"strings"
	"testing"

	"robots-audit/engine"
)

// sorted lints a file and returns the findings that its comments leave and those that they ignore,
// as "ID:LINE".
func sorted(body string) (left, ignored, remarks []string) {
	list, problems := Comments("robots.txt", []byte(body))
	for _, f := range engine.Lint([]byte(body), engine.LintOptions{}) {
		name := f.ID + ":" + string(rune('0'+f.Line))
		if i := Find(list, &f); i != nil {
			ignored = append(ignored, name+" "+i.Reason)
		} else {
			left = append(left, name)
		}
	}
	return left, ignored, append(problems, Unused(list)...)
}

// TestComments checks the lines to which comments apply.
func TestComments(t *testing.T) {
	const end = "Sitemap: https://a.example/s\n"
	for _, c := range []struct{ body, left, ignored, remarks string }{
		{"User-agent: *\nDisallow: /a*\n" + end, "RUL004:2", "", ""},
		{"User-agent: *\nDisallow: /a* # robots-audit: ignore RUL004 because the CMS writes it\n" + end, "", "RUL004:2 the CMS writes it", ""},
		{"User-agent: *\n# robots-audit: ignore RUL004 because x\nDisallow: /a*\nDisallow: /b*\n" + end, "RUL004:4", "RUL004:3 x", ""},
		{"User-agent: *\n#Robots-Audit:  IGNORE rul004, RUL001 BECAUSE x\n# another comment\nDisallow: a*\n" + end, "", "RUL001:4 x|RUL004:4 x", ""},
		{"User-agent: *\n# robots-audit: ignore RUL004 because x\n# robots-audit: ignore RUL001 because y\nDisallow: a*\n" + end, "", "RUL001:4 y|RUL004:4 x", ""},
		{"User-agent: *\r# robots-audit: ignore RUL004 because x\rDisallow: /a*\r", "FMT009:0|SM006:0", "RUL004:3 x", ""},
		// Without a reason nothing is ignored.
		{"User-agent: *\nDisallow: /a* # robots-audit: ignore RUL004\n" + end, "RUL004:2", "", `robots.txt:2: ignored without a reason. Write "# robots-audit: ignore RUL004 because …"`},
		{"User-agent: *\nDisallow: /a* # robots-audit: ignore RUL004 because \n" + end, "RUL004:2", "", `robots.txt:2: ignored without a reason. Write "# robots-audit: ignore RUL004 because …"`},
		{"User-agent: *\nDisallow: /a* # robots-audit: ignore RUL04 because x\n" + end, "RUL004:2", "", `robots.txt:2: unknown finding "RUL04". Did you mean RUL004?`},
		// Comments that match nothing are reported.
		{"# robots-audit: ignore RUL004 because x\nUser-agent: *\nDisallow: /a*\n" + end, "RUL004:3", "", `robots.txt:1: RUL004 is not found in line 1 or 2. Remove this ignore`},
		{"User-agent: *\nDisallow: /a # robots-audit: ignore RUL004 because x\n" + end, "", "", `robots.txt:2: RUL004 is not found in line 2. Remove this ignore`},
		{"User-agent: *\nDisallow: /a # robots-audit: ignore RUL013 because x\n" + end, "", "", `robots.txt:2: only audits report RUL013, and they ignore nothing. Remove the entry`},
		// Comments that only mention the program are no decisions.
		{"User-agent: *\n# robots-audit: see RUL004\n# ignore RUL004 because x\nDisallow: /a*\n" + end, "RUL004:4", "", ""},
	} {
		left, ignored, remarks := sorted(c.body)
		if got := strings.Join(left, "|"); got != c.left {
			t.Errorf("%q leaves %s, want %s", c.body, got, c.left)
		}
		if got := strings.Join(ignored, "|"); got != c.ignored {
			t.Errorf("%q ignores %s, want %s", c.body, got, c.ignored)
		}
		if got := strings.Join(remarks, "|"); got != c.remarks {
			t.Errorf("%q: %s, want %s", c.body, got, c.remarks)
		}
	}
}

// TestFiles checks the files to which decisions apply.
func TestFiles(t *testing.T) {
	for _, c := range []struct {
		file, meant string
		same        bool
	}{
		{"robots.txt", "robots.txt", true}, {"./public/robots.txt", "public/robots.txt", true}, {`public\robots.txt`, "public/robots.txt", true},
		{"/srv/www/robots.txt", "www/robots.txt", true}, {"robots.txt", "public/robots.txt", false}, {"norobots.txt", "robots.txt", false},
		{"https://example.com/robots.txt", "https://example.com/robots.txt", true}, {"https://example.com/robots.txt", "https://www.example.com/robots.txt", false},
	} {
		list := []*Ignore{{ID: "RUL004", File: c.meant}}
		if got := len(For(list, c.file)) == 1; got != c.same {
			t.Errorf("%s is meant by %s: %t, want %t", c.file, c.meant, got, c.same)
		}
		if told := len(Unused(list)) == 1; told != c.same { // nothing is known of a file that was not linted
			t.Errorf("%s, %s: told that it is not needed: %t", c.file, c.meant, told)
		}
	}
}

// prints are the fingerprints of a file's findings, by ID and line.
func prints(body string) map[string]string {
	names := map[string]string{}
	var p Fingerprints
	for _, f := range engine.Lint([]byte(body), engine.LintOptions{}) {
		names[f.ID+" "+f.Text] = p.Of(&f)
	}
	return names
}

// TestFingerprints moves and changes lines: their findings keep their fingerprints, which are
// unique.
func TestFingerprints(t *testing.T) {
	const before = "User-agent: *\nDisallow: /a*\nDisallow: b\nDisallow: /c*\n"
	was := prints(before)
	if len(was) != 4 {
		t.Fatal(was)
	}
	for name, body := range map[string]string{
		"moved":   "# a comment\n\nUser-agent: *\nDisallow: /new\nDisallow: /c*\nDisallow: b\nDisallow: /a*\n",
		"dressed": "User-agent: *\ndisallow :  /a*  # why\nDISALLOW:b\nDisallow:\t/c* # robots-audit: see\n",
	} {
		now := prints(body)
		distinct := map[string]bool{}
		for _, print := range now {
			distinct[print] = true
		}
		for key, print := range was {
			if !distinct[print] {
				t.Errorf("%s: %s is not known any more: %v", name, key, now)
			}
		}
		if len(distinct) != len(was) {
			t.Errorf("%s: %d names for %d findings", name, len(distinct), len(was))
		}
	}
	changed := prints(strings.Replace(before, "/a*", "/A*", 1))
	if changed["RUL004 Disallow: /A*"] == was["RUL004 Disallow: /a*"] {
		t.Error("another path is another line")
	}
	var p Fingerprints
	f := engine.Finding{ID: "RUL004", Text: "Disallow: /a*"}
	if first, second := p.Of(&f), p.Of(&f); first == second || strings.TrimSuffix(first, ":1") != strings.TrimSuffix(second, ":2") {
		t.Errorf("the same line twice: %s and %s", first, second)
	}
}

// TestBaseline reads the output of lint, also from versions without fingerprints.
func TestBaseline(t *testing.T) {
	f := engine.Finding{ID: "RUL004", Line: 2, Text: "Disallow: /a*"}
	var p Fingerprints
	print := p.Of(&f)
	ours, err := Entry("robots.txt", print, &f)
	if err != nil {
		t.Fatal(err)
	}
	const old = `{"file":"robots.txt","id":"RUL004","severity":"info","line":2,"text":"Disallow: /a*","what":"","more":2}`
	sarif := `{"version":"2.1.0","runs":[{"results":[{"ruleId":"RUL004","partialFingerprints":{"` + SARIFKey + `":"` + print + `"},"properties":{"more":1},
		"locations":[{"physicalLocation":{"artifactLocation":{"uri":"robots.txt"}}}]},{"ruleId":"RUL005","suppressions":[{"kind":"external"}]}]}]}`
	for text, more := range map[string]int{string(ours) + "\n": 0, old: 2, sarif: 1} {
		b, err := ReadBaseline([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		k := b.Of("./robots.txt", false)
		if k.Gone() != 1 || !k.Has("RUL004", print) || k.Gone() != 0 {
			t.Errorf("%s does not know %s", text, print)
		}
		if got := k.Counted("RUL004", 5); got != more || k.Has("RUL004", "another") || k.Has("RUL005", print+"0") {
			t.Errorf("%s counts %d more, want %d", text, got, more)
		}
		if b.Of("other.txt", false) != nil || b.Of("other.txt", true) == nil {
			t.Errorf("%s: the name of the one file matters where there is another, and only there", text)
		}
	}
	ignored := strings.TrimSuffix(old, "}") + `,"ignored":{"reason":"x","by":"robots.txt:1"}}`
	if b, err := ReadBaseline([]byte(ignored)); err != nil || b.Of("robots.txt", true).Has("RUL004", print) {
		t.Errorf("what is ignored is no baseline: %v", err)
	}
	if b, err := ReadBaseline(nil); err != nil || b.Of("robots.txt", true).Has("RUL004", print) {
		t.Errorf("an empty baseline: %v", err)
	}
	for text, want := range map[string]string{
		old + "\nUser-agent: *\n": "line 2 is not a finding",
		`{"a":1}`:                 "line 1 is not a finding",
		`{"runs":[{"results":[{"ruleId":"RUL004"}]}]}`: "its RUL004 has no fingerprint or place",
	} {
		if _, err := ReadBaseline([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
