package audit

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"robots-audit/audit/internal/findings"
	"robots-audit/crawl"
)

// CodeRobotsDiffers marks a robots.txt that differs for another User-Agent or on another address of
// the same site.
const CodeRobotsDiffers = "robots_differs"

// askAgain requests the site's robots.txt again if SecondLook is set, and notes every answer that
// differs.
func (s *site) askAgain(first *crawl.RobotsFile) {
	if s.auditor.SecondLook == nil || unreachable(first.Code) {
		return
	}
	look := s.auditor.SecondLook
	for _, other := range s.fetch.RobotsVariants(s.ctx, s.origins[0].name, first, *look) {
		if other.Differs == "" {
			if other.UserAgent == "" && other.File.Code == "" {
				s.second.noteAddress(&other) // if robots.txt differs, so may the rest, and the finding says it
			}
			continue
		}
		id := findings.DiffersByAddress
		if other.UserAgent != "" {
			id = findings.DiffersByUserAgent
		}
		p := Differing(&other, first, look)
		s.noteDifferingRobots(id, other.File, p.Detail)
		s.problem(p.Stage, p.Code, p.URL, p.Detail)
	}
}

// Differing returns the problem for an answer to a variant of the second look that differs from the
// first answer.
func Differing(v *crawl.Variant, first *crawl.RobotsFile, look *crawl.Variants) Problem {
	asked := askedHere
	if v.UserAgent != "" {
		asked = askedGooglebot // the only one
		if len(look.UserAgents) != 1 {
			asked = fmt.Sprintf("%s%q", askedAgent, v.UserAgent)
		}
	}
	return Problem{Stage: StageRobots, Code: CodeRobotsDiffers, URL: v.RobotsURL(), Detail: asked + " " + describe(v.File) + toThisAudit + describe(*first) + " at " + first.URL}
}

// How the detail of a problem begins: for whom, or where, the answer was different.
const (
	askedHere      = "here"
	askedGooglebot = "to Googlebot's User-Agent"
	askedAgent     = "to the User-Agent "
)

// toThisAudit is between the two answers.
const toThisAudit = ". To this audit "

// Asker returns the User-Agent that got a different robots.txt (CodeRobotsDiffers), as in the
// problem's detail: "to Googlebot's User-Agent". "" = our own, on another address.
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

// DifferingAnswers returns the answer that differs (CodeRobotsDiffers), the answer to this audit and
// its URL, as in the problem's detail. It omits checksums, which are of no use to people.
func DifferingAnswers(p *Problem) (theirs, ours, url string) {
	theirs, ours, _ = strings.Cut(checksum.ReplaceAllString(p.Detail, ""), toThisAudit)
	if at := strings.LastIndex(ours, " at "); at >= 0 {
		ours, url = ours[:at], ours[at+len(" at "):]
	}
	return strings.TrimPrefix(theirs, cmp.Or(Asker(p), askedHere)+" "), ours, url
}

var checksum = regexp.MustCompile(`, sha256 [0-9a-f]+…`)

// AskerStatus returns the HTTP status of a robots.txt that differs (CodeRobotsDiffers), as in the
// problem's detail; 0 = no usable answer.
func AskerStatus(p *Problem) (status int) {
	theirs, _, _ := DifferingAnswers(p)
	fmt.Sscanf(theirs, "HTTP %d", &status)
	return status
}

// describe puts an answer in words.
func describe(file crawl.RobotsFile) string {
	switch {
	case file.Code != "" && file.Code != crawl.CodeHTTPStatus:
		return "no usable answer (" + Meaning(file.Code) + ")"
	case file.Status != 200:
		return statusText(file.Status)
	case file.Given:
		return fmt.Sprintf("your draft of robots.txt with %d bytes, sha256 %.8s…", file.Bytes, file.SHA256)
	}
	return fmt.Sprintf("HTTP 200 with %d bytes, sha256 %.8s…", file.Bytes, file.SHA256)
}
