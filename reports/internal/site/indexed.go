package site

import (
	"fmt"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// noteIndexed notes a blocked URL that is indexed.
func (s *Site) noteIndexed(u *URL) {
	if u.Indexed && u.Blocked && len(s.indexed) < maxExamples {
		s.indexed = append(s.indexed, strings.Clone(u.Loc))
	}
}

// IndexedWord returns "yes" for a URL in the user's own list of indexed ones; "" otherwise.
func IndexedWord(u *URL) string {
	if u.Indexed {
		return "yes"
	}
	return ""
}

// indexedFigure counts the blocked URLs that are indexed.
func (s *Site) indexedFigure(d *audit.Done) Figure {
	switch {
	case d.Indexed == nil:
		return Figure{Why: "not measured: no list of indexed URLs was given"}
	case d.Indexed.URLs == 0:
		return Figure{Why: "not measured: your list has no indexed URL of this site"}
	case d.BlockedAny == 0:
		return Figure{Value: Number(0), State: stateOf(0, d.Unknown), Why: fmt.Sprintf("no URL is blocked; your list has %s of this site", wording.URLs(d.Indexed.URLs))}
	}
	n := d.Indexed.Blocked
	why := fmt.Sprintf("%s of the %s %s in your list of indexed URLs, which has %s of this site",
		wording.Thousands(n), wording.Plural(d.BlockedAny, "blocked URL"), wording.Verb(n, "is", "are"), wording.URLs(d.Indexed.URLs))
	return Figure{Value: Number(n), Share: Share(n, d.BlockedAny), State: stateIf(n > 0, audit.Warn), Why: why}
}
