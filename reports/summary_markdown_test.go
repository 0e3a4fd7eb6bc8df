package reports

import "testing"

// TestSummaryMarkdownText checks that no text of a list or a site mentions people or issues where
// summary.md is posted.
func TestSummaryMarkdownText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"line 3: \"@name\" names no site": "line 3: `\"@name\"` names no site",
		"by `@name` and\torg/repo#12":     "by `` `@name` `` and `org/repo#12`",
		"<b> *a* 87 %":                    `\<b\> \*a\* 87 %`,
	} {
		if got := markdownText(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
