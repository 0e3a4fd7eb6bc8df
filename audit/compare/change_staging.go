package compare

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"robots-audit/engine"
)

// stagingWords are common names for a system that is not live.
var stagingWords = regexp.MustCompile(`(?i)\b(staging|pre-?prod(uction)?|uat|sandbox|test-?(server|site|system|environment|instance|umgebung)|(test|stage|dev|development|demo|qa) (server|site|system|environment|instance)|entwicklungsumgebung)\b`)

// stagingLabels are common parts of host names of such systems.
var stagingLabels = []string{"staging", "stage", "stg", "test", "testing", "dev", "uat", "preprod", "preview", "qa"}

// addStaging reports that the site's own robots.txt now looks like that of a test system: it blocks
// everything, a comment says so, or it names sitemaps of such a host.
func (c *comparison) addStaging() {
	old, new := c.old.own(), c.new.own()
	if !new.isText() || old == nil || old.recorded || bytes.Equal(old.record.File.Body, new.record.File.Body) && old.isText() {
		return
	}
	before, after := c.old.staging(old), c.new.staging(new)
	came := slices.DeleteFunc(slices.Clone(after), func(s sign) bool { return slices.ContainsFunc(before, s.like) })
	gone := slices.DeleteFunc(slices.Clone(before), func(s sign) bool { return slices.ContainsFunc(after, s.like) })
	if len(came) > 0 {
		beside := slices.DeleteFunc(slices.Clone(came), sign{kind: "blocked"}.like)
		c.add(Change{Kind: KindStaging, What: new.record.Origin + "/robots.txt", Before: "", After: signWords(came), Short: signWords(beside), Severity: Critical, Condition: "AL09", Subjects: signKinds(came)})
	}
	if len(gone) > 0 {
		c.add(Change{Kind: KindStaging, What: old.record.Origin + "/robots.txt", Before: signWords(gone), After: "", Severity: Info, Condition: ended})
	}
}

// sign is a sign that a file is not intended for a live site.
type sign struct{ kind, text string }

// like reports whether two signs are of the same kind. Other words in a comment, or another line
// with the same effect, are not new.
func (s sign) like(other sign) bool { return s.kind == other.kind }

func signWords(signs []sign) string {
	var list []string
	for _, s := range signs {
		list = append(list, s.text)
	}
	return strings.Join(list, "; ")
}

func signKinds(signs []sign) (kinds []string) {
	for _, s := range signs {
		kinds = append(kinds, s.kind)
	}
	return kinds
}

// staging returns the signs in a file, one of each kind.
func (s *side) staging(g *governed) (signs []sign) {
	if !g.isText() {
		return nil
	}
	reading := s.standard(g)
	if d := reading.Group(engine.Crawler{}).Verdict("/"); d.Verdict == engine.Disallow && d.Rule != nil {
		signs = append(signs, sign{"blocked", fmt.Sprintf("everything is blocked for all crawlers without a group of their own, by line %d: %s", d.Rule.Line, d.Rule)})
	}
	add := func(kind, text string) {
		if s := (sign{kind, text}); !slices.ContainsFunc(signs, s.like) {
			signs = append(signs, s)
		}
	}
	for l := range reading.Lines() {
		if _, comment, ok := strings.Cut(l.Text, "#"); ok && stagingWords.MatchString(comment) {
			add("comment", fmt.Sprintf("line %d says: %s", l.Number, l.Text))
		}
		if l.Kind == "sitemap" && l.Counts && isStaging(l.Value, g.record.Origin) {
			add("sitemap", fmt.Sprintf("line %d lists a sitemap on a test system: %s", l.Number, l.Text))
		}
	}
	return signs
}

// isStaging reports whether the host of a sitemap is named like a test system, and that of the site is
// not.
func isStaging(sitemap, origin string) bool {
	live := labelsOf(hostOf(origin))
	return slices.ContainsFunc(labelsOf(hostOf(originOf(sitemap))), func(label string) bool {
		return slices.Contains(stagingLabels, label) && !slices.Contains(live, label)
	})
}

// labelsOf returns the parts of a host's name except the last one.
func labelsOf(host string) []string {
	list := strings.FieldsFunc(strings.ToLower(host), func(r rune) bool { return r == '.' || r == '-' })
	return list[:max(0, len(list)-1)]
}
