package site

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// accessCauses are the answers to requests for robots.txt that block hosts, and those whose effect on
// crawlers is unknown.
func (s *Site) accessCauses(d *audit.Done) (list []Cause) {
	for r := range s.AllRobots {
		tested := s.TestedOn(r.Index)
		if r.Index > 0 && (tested == 0 || slices.Contains(d.WrongBases, r.Origin)) {
			continue
		}
		var closed, unknown []int
		for i := range r.Reads {
			switch r.Reads[i].Access {
			case engine.DisallowAll:
				closed = append(closed, i)
			case engine.AccessUnknown:
				unknown = append(unknown, i)
			}
		}
		if len(closed) > 0 {
			list = append(list, s.accessCause(r, closed, tested, d))
		} else if len(unknown) > 0 {
			list = append(list, s.accessCause(r, unknown, tested, d))
		}
	}
	return list
}

// accessCause is what an answer means to those of the crawlers that it shuts out.
func (s *Site) accessCause(r *audit.Robots, crawlers []int, tested int64, d *audit.Done) Cause {
	c := s.newCause(CauseAccess, r.Origin, "Requests for robots.txt", crawlers)
	if c.count(tested, d); c.Leads && r.Index == 0 {
		c.rank = rankAll
	}
	if tested == 0 {
		c.URLs, c.Share = Value{}, Value{}
	}
	closed := r.Reads[crawlers[0]].Access == engine.DisallowAll
	who, they := "crawlers fetch", "they fetch"
	if len(crawlers) < len(r.Reads) {
		who = s.someNames(crawlers) + wording.Verb(len(crawlers), " fetches", " fetch")
		they = who
	}
	what := ", so " + who + " nothing from this host"
	if !Answered(r) {
		what = ". If crawlers cannot read it either, " + they + " nothing from this host for now"
	}
	if !closed {
		what = ", and what crawlers do then is unknown"
	}
	for i := range c.Crawlers {
		c.Crawlers[i].URLs = tested
	}
	c.What = robotsURL(r) + " " + answerWords(r) + what
	c.Meant = "Probably not. The request failed, so no rule was read."
	if r.File.Status != 0 {
		c.Meant = "Unknown. The server may be set up this way, or have an error."
		if why := onlyUs(r.File.Status, r.File.Passes()); why != "" {
			c.Meant = "Unknown. " + why + " The robots.txt report of Search Console shows what Google gets."
		}
	}
	c.silent = !Answered(r)
	readable := false
	c.Do, readable = accessFix(r)
	c.Proof = "The next audit can read the rules."
	if readable {
		c.Proof = "Crawlers can read the rules again. What they block is unknown, because the rules could not be read."
	}
	return c
}

// someNames names crawlers: five at most.
func (s *Site) someNames(crawlers []int) string {
	var names []string
	for i, k := range crawlers {
		if i == 4 && len(crawlers) > 5 {
			names = append(names, wording.Thousands(len(crawlers)-i)+" more")
			break
		}
		names = append(names, s.Crawlers[k].Label)
	}
	return wording.And(names)
}

func robotsURL(r *audit.Robots) string { return r.Origin + "/robots.txt" }

// answerWords say what came of the request for a robots.txt, as a sentence goes on.
func answerWords(r *audit.Robots) string {
	switch {
	case r.File.Code == audit.CodeHTTPStatus || r.File.Code == "" && r.File.Status != 0:
		return fmt.Sprintf("answers with HTTP %d", r.File.Status)
	case r.File.Code != "":
		return "could not be fetched (" + Meaning(r.File.Code) + ")"
	}
	return "gave no answer"
}

// accessFix says who has to fix what; readable, that crawlers can read the file then. Otherwise it is
// the audit that can.
func accessFix(r *audit.Robots) (fix string, readable bool) {
	_, host, _ := strings.Cut(r.Origin, "://")
	code := r.File.Code
	switch fix, owner := engine.FetchFix(code, host); {
	case !owner:
		return fix, false
	case fix != "":
		return fix + " Then audit " + host + " again.", true
	case code == audit.CodeBlockedAddress:
		return "The name resolves to a private address. Fix its entry on the name server, or allow private addresses in the audit.", false
	case code == audit.CodeCancelled, code == audit.CodeInternal, code == audit.CodeBadURL:
		return "Audit the site again.", false
	}
	return "On the web server of " + host + ", serve /robots.txt with status 200, or 404 if there are no rules.", true
}
