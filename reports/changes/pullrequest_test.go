package changes

import (
	"regexp"
	"strings"
	"testing"

	"robots-audit/audit/compare"
	"robots-audit/engine"
)

// TestPullRequest writes the body of a pull request with texts that would be markup, links or mentions.
func TestPullRequest(t *testing.T) {
	const bad = "/x<img src=x>@you#12`https://evil.example|**b**[l](http://evil.example)"
	urls := []string{bad, "/a", "/b"}
	old := run(t, "shop.example", "Googlebot", "User-agent: *\nDisallow: /a\nSitemap: https://evil.example/old.xml\n", urls...)
	new := run(t, "shop.example", "Googlebot", "User-agent: *\nDisallow: "+bad+"\nDisalow: /z\nSitemap: https://evil.example/new.xml\n", urls...)
	told, err := Tell(compare.Sides(old, new, compare.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	findings := []engine.Finding{{ID: "X", Severity: engine.Warning, Line: 3, What: "a name " + bad}}
	text := told.PullRequest("# title\n- see @team, www.evil.example, #3 and ![i](https://evil.example)\n", findings)
	for _, want := range []string{"## Change robots.txt of shop.example\n", "> \\# title\n", "`@team,`", "no longer lists sitemap `https://evil.example/old.xml` (and", "| Googlebot | 1 | 1 |", "| edited | 2 | `Disallow: /a` → ``Disallow: /x<img src=x>", "Findings in the new file:\n\n- **warning** line 3: ", "Tested on 3 URLs. A blocked URL can still be indexed.\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("it has no %q:\n%s", want, text)
		}
	}
	plain := regexp.MustCompile("(?s)``.+?``|`[^`]+`").ReplaceAllString(text, "")
	for _, part := range []string{"@", "#12", "#3", "evil", "x<img", "![", "**b**"} {
		if strings.Contains(plain, part) {
			t.Errorf("outside of code: %q in\n%s", part, plain)
		}
	}
	if long := told.PullRequest(strings.Repeat("long @you ", 20_000), slicesOf(findings, 5000)); len(long) > MaxMarkdown || !strings.Contains(long, "4,980 more.") {
		t.Errorf("%d bytes", len(long))
	}
}

// slicesOf repeats findings.
func slicesOf(list []engine.Finding, n int) (all []engine.Finding) {
	for range n {
		all = append(all, list...)
	}
	return all
}
