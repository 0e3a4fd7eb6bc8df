package crawls

import (
	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// limitWords say what a limit means for the figures. The others cut a list: cutLists.
var limitWords = map[audit.LogLimit]string{
	audit.LogLimitReads:    "The logs have too many requests for robots.txt to keep. What crawlers had read is not known, so requests are unclear.",
	audit.LogLimitVerdicts: "The versions of robots.txt differ in too many ways. Some requests are unclear for this reason only.",
	audit.LogLimitDecoded:  "The server logged some paths decoded. These requests are unclear, because the path as sent is not known.",
	audit.LogLimitIDs:      "The logs have too many request IDs to compare. Some requests may count twice.",
	audit.LogLimitFiles:    "A log file ends early, so requests are missing.",
	audit.LogLimitURLs:     "There are too many URLs to count each. Some numbers of URLs are estimates, and those of rules and directories are too low.",
}

// cutLists name the lists that a limit cuts.
var cutLists = map[audit.LogLimit]string{
	audit.LogLimitRules: "rules", audit.LogLimitParts: "parts of the site", audit.LogLimitDays: "days", audit.LogLimitAnswers: "answers for robots.txt",
}

// Incomplete says what the figures do not have.
func (s *Site) Incomplete() (list []string) {
	var cut []string
	for _, limit := range s.Limits {
		if words := limitWords[limit]; words != "" {
			list = append(list, words)
		} else if name := cutLists[limit]; name != "" {
			cut = append(cut, name)
		}
	}
	if cut != nil {
		list = append(list, sentence("These lists are too long and were cut: ", wording.And(cut)))
	}
	if s.Others > 0 {
		list = append(list, requests(s.Others)+" of further crawlers "+wording.Verb(s.Others, "is", "are")+" not listed.")
	}
	return list
}
