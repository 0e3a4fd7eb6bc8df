package site

import (
	"cmp"

	"robots-audit/audit"
	"robots-audit/engine"
)

func (s *Site) stateFigure(d *audit.Done) Figure {
	why := cmp.Or(grounds[d.Ground], "see above")
	if d.Ground == audit.GroundNone && s.Lead.What != "" {
		why = "robots.txt needs no change; see To do"
	}
	return Figure{Value: Text(StateName(d.State)), State: d.State, Why: why}
}

// grounds are the reasons for a site's state in words; the lead gives the reason for the site
// itself.
var grounds = map[string]string{
	audit.GroundBroken:   "the audit stopped before robots.txt was read",
	audit.GroundUnread:   "robots.txt could not be read",
	audit.GroundAccess:   "the answer to the robots.txt request blocks a search crawler",
	audit.GroundHome:     "the home page is blocked",
	audit.GroundShare:    "a large share of the URLs or clicks is blocked for a search crawler",
	audit.GroundBody:     "robots.txt is not a robots.txt",
	audit.GroundBlocked:  "URLs are blocked from crawling",
	audit.GroundUnclear:  "URLs have no clear verdict",
	audit.GroundFinding:  "an issue in robots.txt changes the verdict for URLs",
	audit.GroundSitemaps: "sitemaps could not be read, or are blocked",
	audit.GroundNoURLs:   "no URL was tested",
	audit.GroundLogs:     "access logs prove that the server refuses a crawler",
	audit.GroundProblem:  "a request failed",
	audit.GroundNone:     "no issues",
}

func stateIf(is bool, s audit.State) audit.State {
	if is {
		return s
	}
	return audit.OK
}

// AccessState is the state of a site if only the access of a crawler counted.
func AccessState(access engine.Access) audit.State {
	switch access {
	case engine.Parsed, engine.AllowAll:
		return audit.OK
	case engine.DisallowAll:
		return audit.Critical
	}
	return audit.Undetermined
}

// stateOf is the state by a number of blocked URLs; unclear are those without a clear verdict,
// which never count as fine.
func stateOf(blocked, unclear int64) audit.State {
	switch {
	case blocked > 0:
		return audit.Warn
	case unclear > 0:
		return audit.Undetermined
	}
	return audit.OK
}
