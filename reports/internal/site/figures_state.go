package site

import (
	"cmp"

	"robots-audit/audit"
	"robots-audit/engine"
)

func (s *Site) stateFigure(d *audit.Done) Figure {
	return Figure{Value: Text(string(d.State)), State: d.State, Why: cmp.Or(grounds[d.Ground], "see the first sentence above")}
}

// grounds say in words what gives a site its state; the lead says it of the site itself.
var grounds = map[string]string{
	audit.GroundBroken:   "the audit of the site broke off before robots.txt was read",
	audit.GroundUnread:   "robots.txt could not be read: never counted as fine",
	audit.GroundAccess:   "the answer to the request for robots.txt shuts out a crawler that is there to have pages found",
	audit.GroundHome:     "a crawler may not fetch the home page",
	audit.GroundShare:    "a large part of the known URLs, or of the clicks on them, is blocked for a crawler that is there to have pages found",
	audit.GroundBody:     "what answers in the place of robots.txt is something else",
	audit.GroundBlocked:  "known URLs are blocked from crawling",
	audit.GroundUnclear:  "known URLs have no clear verdict: never counted as fine",
	audit.GroundFinding:  "a fault of robots.txt changes the verdict on known URLs",
	audit.GroundSitemaps: "sitemaps could not be read, or are blocked: what they name may not be known",
	audit.GroundNoURLs:   "no known URL was tested: never counted as fine",
	audit.GroundProblem:  "something went wrong on the way; see the problems",
	audit.GroundNone:     "read, with nothing to report",
}

func stateIf(is bool, s audit.State) audit.State {
	if is {
		return s
	}
	return audit.OK
}

// AccessState is the state that a site would have by what a crawler makes of its
// answer alone.
func AccessState(access engine.Access) audit.State {
	switch access {
	case engine.Parsed, engine.AllowAll:
		return audit.OK
	case engine.DisallowAll:
		return audit.Critical
	}
	return audit.Undetermined
}

// stateOf is the state by a number of blocked URLs; unclear are those without a
// clear verdict, which are never counted as fine.
func stateOf(blocked, unclear int64) audit.State {
	switch {
	case blocked > 0:
		return audit.Warn
	case unclear > 0:
		return audit.Undetermined
	}
	return audit.OK
}
