package model

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit/compare"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// maxNamedLines bounds the lines that one sentence names.
const maxNamedLines = 3

// CauseWords say why the verdict of a URL changed for the i-th crawler, as a sentence without its
// stop: "line 14 `Disallow: /de/p` was added", "HTTP 503 Service Unavailable instead of HTTP 200:
// everything is blocked"; "" if it did not change. For a new URL they name the rule that blocks it.
func CauseWords(site *compare.Site, f *compare.Flip, i int) string {
	v := &f.Verdicts[i]
	switch {
	case f.Appeared && v.Is == engine.Disallow && v.New.Line == 0:
		return "the answer to robots.txt blocks it"
	case f.Appeared && v.Is == engine.Disallow:
		return RuleWords(v.New) + " blocks it"
	case f.Appeared || v.Class == compare.Same:
		return ""
	}
	var origin *compare.Origin
	if f.Origin < len(site.Origins) {
		origin = &site.Origins[f.Origin]
	}
	switch v.Cause {
	case compare.Reader:
		return readerWords(&site.Crawlers[i])
	case compare.Scope:
		return scopeWords(origin)
	case compare.Access:
		return accessWords(origin, i)
	case compare.Group:
		return site.Crawlers[i].Label + " now follows another group: " + decidesWords(v)
	}
	if words := linesWords(origin, v.Lines, v.Together); words != "" {
		return words
	}
	return decidesWords(v)
}

// linesWords name the changed lines that are the cause, each alone or all together; "" = not known.
func linesWords(origin *compare.Origin, lines []int, together bool) string {
	if origin == nil || len(lines) == 0 {
		return ""
	}
	var parts []string
	for _, at := range lines[:min(len(lines), maxNamedLines)] {
		if at >= len(origin.Diff) {
			return ""
		}
		parts = append(parts, LineWords(&origin.Diff[at]))
	}
	if more := len(lines) - len(parts); more > 0 {
		parts = append(parts, wording.Plural(more, "more line")+wording.Verb(more, " differs", " differ"))
	}
	words := wording.And(parts)
	switch {
	case together:
		words += " (only together)"
	case len(lines) > 1:
		words += "; restoring one of them is enough"
	}
	return words
}

// decidesWords name the rule that decides now and the one that decided before.
func decidesWords(v *compare.Verdicts) string {
	switch {
	case v.New.Line == 0:
		return "no rule matches now; before it was " + RuleWords(v.Old)
	case v.Old.Line == 0:
		return RuleWords(v.New) + " matches now; before no rule did"
	}
	return RuleWords(v.New) + " applies instead of " + RuleWords(v.Old)
}

func readerWords(c *compare.Crawler) string {
	if c.Old.Profile != c.New.Profile {
		return fmt.Sprintf("the newer run reads %s with the profile %s instead of %s", c.Label, c.New.Profile, c.Old.Profile)
	}
	if !slices.Equal(c.Old.Tokens, c.New.Tokens) {
		return fmt.Sprintf("the newer run reads %s as %s instead of %s", c.Label, Text(strings.Join(c.New.Tokens, ", "), maxLine), Text(strings.Join(c.Old.Tokens, ", "), maxLine))
	}
	return "the newer run reads " + c.Label + " differently"
}

func scopeWords(o *compare.Origin) string {
	if o == nil || o.Old == nil || o.New == nil || o.Old.FinalURL == o.New.FinalURL {
		return CauseAbout(compare.Scope)
	}
	return fmt.Sprintf("%s applies instead of %s", quoted(o.New.FinalURL), quoted(o.Old.FinalURL))
}

func accessWords(o *compare.Origin, i int) string {
	if o == nil || o.Old == nil || o.New == nil {
		return CauseAbout(compare.Access)
	}
	was, is, means := AnswerWords(o.Old), AnswerWords(o.New), ""
	if i < len(o.New.Access) {
		means = ": " + AccessWords(o.New.Access[i])
	}
	if was == is {
		return fmt.Sprintf("robots.txt is now %s long instead of %s%s", wording.Plural(o.New.Bytes, "byte"), wording.Plural(o.Old.Bytes, "byte"), means)
	}
	return is + " instead of " + was + means
}
