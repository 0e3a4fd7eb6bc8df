package audit

import (
	"fmt"
	"strconv"
	"strings"

	"robots-audit/audit/internal/findings"
	"robots-audit/crawl"
)

// CodeRobotsDiffers marks a robots.txt that is another one to other askers, or
// on another address of the same site.
const CodeRobotsDiffers = "robots_differs"

// askAgain asks again for the site's robots.txt where that is wanted, and
// notes every answer that differs.
func (s *site) askAgain(first *crawl.RobotsFile) {
	if s.auditor.SecondLook == nil || unreachable(first.Code) {
		return
	}
	for _, other := range s.fetch.RobotsVariants(s.ctx, s.origins[0].name, first, *s.auditor.SecondLook) {
		if other.Differs == "" {
			continue
		}
		asked := askedHere
		if other.UserAgent != "" {
			asked = askedGooglebot // the one there is
			if len(s.auditor.SecondLook.UserAgents) != 1 {
				asked = fmt.Sprintf("%s%q", askedAgent, other.UserAgent)
			}
		}
		id := findings.DiffersByAddress
		if other.UserAgent != "" {
			id = findings.DiffersByUserAgent
		}
		s.noteDifferingRobots(id, other.File, fmt.Sprintf("%s %s, %s to us at %s", asked, describe(other.File), describe(*first), first.URL))
		s.problem(StageRobots, CodeRobotsDiffers, other.File.URL, fmt.Sprintf("%s %s, %s to us at %s", asked, describe(other.File), describe(*first), first.URL))
	}
}

// How the detail of a problem begins: to whom, or where, another answer was given.
const (
	askedHere      = "here"
	askedGooglebot = "to Googlebot's User-Agent"
	askedAgent     = "to the User-Agent "
)

// Asker is the asker to whom a robots.txt that differs (CodeRobotsDiffers) was given, as the
// problem's detail names it: "to Googlebot's User-Agent"; "" = us, on another address.
func Asker(p *Problem) string {
	if strings.HasPrefix(p.Detail, askedGooglebot+" ") {
		return askedGooglebot
	}
	if quoted, ok := strings.CutPrefix(p.Detail, askedAgent); ok {
		if name, err := strconv.QuotedPrefix(quoted); err == nil {
			return askedAgent + name
		}
	}
	return ""
}

// describe puts an answer in words.
func describe(file crawl.RobotsFile) string {
	switch {
	case file.Code != "" && file.Code != crawl.CodeHTTPStatus:
		return "no usable answer (" + Meaning(file.Code) + ")"
	case file.Status != 200:
		return statusText(file.Status)
	case file.Given:
		return fmt.Sprintf("the file of -robots with %d bytes, sha256 %.8s…", file.Bytes, file.SHA256)
	}
	return fmt.Sprintf("HTTP 200 with %d bytes, sha256 %.8s…", file.Bytes, file.SHA256)
}
