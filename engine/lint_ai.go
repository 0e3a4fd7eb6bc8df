package engine

import (
	"fmt"
	"slices"
	"strings"
)

// aiPurposes are those purposes of the crawler list that belong to AI.
var aiPurposes = []string{"AI training", "AI search", "user fetch", "control token", "archive"}

// aiCrawler is an AI crawler with what the file says to it.
type aiCrawler struct {
	*Crawler
	named   bool
	blocked bool      // a rule blocks the whole site for it
	agent   *lintLine // the first user-agent line that names it; nil = none
}

// lintAI checks the rules for AI crawlers, if the file names one.
func lintAI(l *linter) {
	all := l.aiCrawlers()
	if !slices.ContainsFunc(all, func(s aiCrawler) bool { return s.named }) {
		return
	}
	for i := range all {
		s := &all[i]
		s.blocked = l.group(l.parsedFor(*s.Crawler), *s.Crawler).siteBlockingRule() != nil
	}
	lintUnnamedAI(l, all)
	lintBlockedSearch(l, all)
	lintAgainstSignal(l, all)
	for i := range all {
		lintBlockedAI(l, &all[i])
	}
}

// aiCrawlers are the AI crawlers of the list. Google's user fetchers are left
// out, since they do not obey robots.txt.
func (l *linter) aiCrawlers() []aiCrawler {
	byToken := map[string]*lintLine{}
	for n := range l.agents {
		if token := strings.ToLower(n.value); byToken[token] == nil {
			byToken[token] = n
		}
	}
	var list []aiCrawler
	var token []byte
	for i := range l.Crawlers {
		c := &l.Crawlers[i]
		if len(c.Tokens) == 0 || !slices.Contains(aiPurposes, c.Purpose) || c.Purpose == "user fetch" && c.Operator == "Google" {
			continue
		}
		token = appendLower(token[:0], c.Tokens[0])
		agent := byToken[string(token)]
		list = append(list, aiCrawler{Crawler: c, named: agent != nil, agent: agent})
	}
	return list
}

// lintBlockedAI reports a block that has not the effect that it may be intended to
// have.
func lintBlockedAI(l *linter, s *aiCrawler) {
	if !s.named || !s.blocked {
		return
	}
	if s.Purpose == "user fetch" && s.Obeys != "yes" {
		if f := l.reportValue("AI003", s.agent); f != nil {
			f.What = fmt.Sprintf("%s is blocked, but it fetches pages for people and may ignore the rules", s.Name)
		}
	}
	if s.Name == "Google-Extended" {
		if f := l.reportValue("AI004", s.agent); f != nil && !l.mentionsOverviews() {
			f.Severity = Info // no comment shows that its author meant Search
		}
	}
}

// lintUnnamedAI lists the AI crawlers that the file does not name, so that they
// obey the group of "*".
func lintUnnamedAI(l *linter, all []aiCrawler) {
	var open, blocked []string
	var first *lintLine
	for i := range all {
		s := &all[i]
		switch {
		case s.named && (first == nil || s.agent.number < first.number):
			first = s.agent
		case s.named, s.Obeys == "no":
		case s.blocked:
			blocked = append(blocked, s.Name)
		default:
			open = append(open, s.Name)
		}
	}
	if len(open)+len(blocked) == 0 {
		return
	}
	f := l.reportValue("AI001", first)
	if f == nil {
		return
	}
	var parts []string
	if open != nil {
		parts = append(parts, "does not block the whole site for "+enumerate(open, 8))
	}
	if blocked != nil {
		parts = append(parts, "blocks the whole site for "+enumerate(blocked, 8))
	}
	f.What = "the file names some AI crawlers. Others obey the * group. It " + strings.Join(parts, ", and ")
}

// lintBlockedSearch looks for operators whose search crawler is blocked while
// their training crawler is not: the site sends them content and gets no visitors
// in return.
func lintBlockedSearch(l *linter, all []aiCrawler) {
	for i := range all {
		search := &all[i]
		if search.Purpose != "AI search" || !search.blocked {
			continue
		}
		for j := range all {
			training := &all[j]
			if training.Purpose != "AI training" || training.Operator != search.Operator || training.blocked || !search.named && !training.named {
				continue
			}
			at := search.agent
			if at == nil {
				at = training.agent
			}
			if f := l.reportValue("AI002", at); f != nil {
				f.What = fmt.Sprintf("%s (search) is blocked, but %s (training) is not", search.Name, training.Name)
			}
		}
	}
}

// lintAgainstSignal compares the ai-train of Content-Signal with the rules for
// the training crawlers that the file names.
func lintAgainstSignal(l *linter, all []aiCrawler) {
	var line *lintLine
	train := ""
	for i := range l.lines {
		n := &l.lines[i]
		if n.meant != "content-signal" || n.group == nil {
			continue
		}
		for _, p := range preferencesOf(n) {
			if p.key == "ai-train" {
				line, train = n, p.value
			}
		}
	}
	for i := range all {
		s := &all[i]
		if line == nil || !s.named || s.Purpose != "AI training" {
			continue
		}
		what := ""
		switch {
		case train == "no" && !s.blocked && s.agent.group != line.group:
			what = fmt.Sprintf("line %d says ai-train=no, but %s is allowed", line.number, s.Name)
		case train == "yes" && s.blocked:
			what = fmt.Sprintf("line %d says ai-train=yes, but %s is blocked", line.number, s.Name)
		default:
			continue
		}
		if f := l.reportValue("AI002", s.agent); f != nil {
			f.What = what
			f.Related = []int{line.number}
		}
	}
}

// mentionsOverviews reports whether a comment of the file names the feature of
// Search that Google-Extended does not control.
func (l *linter) mentionsOverviews() bool {
	for r := newLineReader(lenientProfile, l.text); r.next(); {
		_, comment, _ := strings.Cut(r.text, "#")
		comment = strings.ToLower(comment)
		if strings.Contains(comment, "overview") || strings.Contains(comment, "sge") {
			return true
		}
	}
	return false
}
