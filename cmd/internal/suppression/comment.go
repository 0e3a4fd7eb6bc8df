package suppression

import (
	"fmt"
	"strings"

	"robots-audit/engine"
)

// maxComments limits the decisions that are read from one file.
const maxComments = 10_000

// Comments reads the decisions in a robots.txt itself:
//
//	# robots-audit: ignore RUL005,RUL009 because the CMS writes it
//	Disallow: /a  # robots-audit: ignore RUL022 because it is no secret
//
// Such a comment is for its own line. If it is alone on that line, it is also for the next line
// that is not only a comment. name is that of the file, for Ignore.By and for problems. The
// problems are comments without effect, in a sentence each.
func Comments(name string, body []byte) (list []*Ignore, problems []string) {
	if !strings.Contains(strings.ToLower(string(body)), marker) {
		return nil, nil
	}
	profile, _ := engine.ProfileByName("rfc9309")
	whole := 0 // index into list of the first decision of a comment that waits for its line
	for line := range profile.Read(engine.File{Status: 200, Body: body}).Lines() {
		if line.Kind != "comment" {
			for _, i := range list[whole:] {
				i.end = line.Number
			}
			whole = len(list)
		}
		ids, reason, asked := parseComment(line.Text)
		if !asked {
			continue
		}
		by := fmt.Sprintf("%s:%d", name, line.Number)
		if reason == "" {
			problems = append(problems, fmt.Sprintf("%s: ignored without a reason. Write \"# robots-audit: ignore %s because …\"", by, ids))
			continue
		}
		for id := range strings.SplitSeq(ids, ",") {
			known, err := KnownID(strings.TrimSpace(id))
			if err != nil {
				problems = append(problems, by+": "+err.Error())
			} else if len(list) < maxComments {
				list = append(list, &Ignore{ID: known, Line: line.Number, Reason: reason, By: by, InFile: true})
			}
		}
		if line.Kind != "comment" {
			whole = len(list)
		}
	}
	return list, problems
}

const marker = "robots-audit:"

// parseComment finds the IDs and the reason in the comment of a line. asked reports that the
// comment is for this program; an empty reason is missing.
func parseComment(line string) (ids, reason string, asked bool) {
	_, comment, _ := strings.Cut(line, "#")
	comment = strings.Join(strings.Fields(comment), " ")
	if len(comment) < len(marker) || !strings.EqualFold(comment[:len(marker)], marker) {
		return "", "", false
	}
	verb, rest, _ := strings.Cut(strings.TrimSpace(comment[len(marker):]), " ")
	if !strings.EqualFold(verb, "ignore") {
		return "", "", false
	}
	at := strings.Index(strings.ToLower(" "+rest+" "), " because ")
	if at < 0 {
		return rest, "", true
	}
	return strings.TrimSpace(rest[:max(at-1, 0)]), strings.TrimSpace(rest[min(at+len("because"), len(rest)):]), true
}
