package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	const body = "\xEF\xBB\xBFallow: /early\r\n# comment\nUser-agent: *\rDisallow : /a # why\n\nno_field\nDisallow: b\n" +
		"Sitemap: /s.xml\nSitemap: https://example.com/s.xml\nCrawl-delay: 5\nHost: a.example\nHost: b.example\nClean-param: a,b\nNoindex: /x\nDisalow: /c\nUser-agent:"
	tests := map[string]string{
		"google": `
1 3 "\r\n" allow -1 false it belongs to no group
2 18 "\n" comment -1 false 
3 28 "\r" user-agent 0 true 
4 42 "\n" disallow 0 true 
5 62 "\n" blank -1 false 
6 63 "\n" text -1 false no directive: a colon is missing
7 72 "\n" disallow 0 false the path does not begin with "/" or "*"
8 84 "\n" sitemap -1 false not a full URL with scheme and host
9 100 "\n" sitemap -1 true 
10 135 "\n" crawl-delay 0 false google does not obey Crawl-delay
11 150 "\n" host -1 false google does not obey Host
12 166 "\n" host -1 false google does not obey Host
13 182 "\n" clean-param -1 false google does not obey Clean-param
14 199 "\n" other -1 false an unknown directive
15 211 "\n" disallow 0 true 
16 223 "" user-agent 1 false it names no crawler
`,
		"yandex-2016": `
1 3 "\r\n" allow -1 false it belongs to no group
2 18 "\n" comment -1 false 
3 28 "\r" user-agent 0 true 
4 42 "\n" disallow 0 true 
5 62 "\n" blank -1 false 
6 63 "\n" text -1 false no directive: a colon is missing
7 72 "\n" disallow 0 false the path does not begin with "/" or "*"
8 84 "\n" sitemap -1 false not a full URL with scheme and host
9 100 "\n" sitemap -1 true 
10 135 "\n" crawl-delay 0 true 
11 150 "\n" host -1 true 
12 166 "\n" host -1 false an earlier Host line counts: a.example
13 182 "\n" clean-param -1 false a parameter has an invalid character; join parameters with "&"
14 199 "\n" other -1 false an unknown directive
15 211 "\n" other -1 false an unknown directive
16 223 "" user-agent 1 false it names no crawler
`,
	}
	for name, want := range tests {
		var got strings.Builder
		got.WriteString("\n")
		for l := range mustProfile(t, name).Parse([]byte(body)).Lines() {
			fmt.Fprintf(&got, "%d %d %q %s %d %v %s\n", l.Number, l.Offset, l.End, l.Kind, l.Group, l.Counts, l.Why)
			if end := l.Offset + len(l.Text); body[l.Offset:end] != l.Text || body[end:end+len(l.End)] != l.End {
				t.Errorf("%s: line %d is not where it says", name, l.Number)
			}
		}
		if got.String() != want {
			t.Errorf("%s:%s", name, got.String())
		}
	}
}

// TestLinesAreWhole compares Lines with Parse: the same rules, at the same
// lines, and together every byte of the body.
func TestLinesAreWhole(t *testing.T) {
	for _, f := range readCases(t, "google_matcher.jsonl.gz") {
		for _, p := range Profiles() {
			r := p.Parse(f.body())
			if r.Access != Parsed {
				continue
			}
			var whole strings.Builder
			rules := r.Rules()
			for i, l := range slices.Collect(r.Lines()) {
				if i == 0 {
					whole.Write(f.body()[:l.Offset])
				}
				whole.WriteString(l.Text + l.End)
				if l.Group >= 0 && (l.Kind == "allow" || l.Kind == "disallow") {
					if len(rules) == 0 || rules[0].Line != l.Number || rules[0].Value != l.Value {
						t.Fatalf("%s %s: line %d: %q is no rule, or not the next one", p.Name, f.ID, l.Number, l.Text)
					}
					rules = rules[1:]
				}
			}
			if len(rules) > 0 || whole.String() != string(f.body()) {
				t.Errorf("%s %s: %d rules left over, %d of %d bytes", p.Name, f.ID, len(rules), whole.Len(), len(f.body()))
			}
		}
	}
}
