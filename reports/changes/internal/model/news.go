package model

import (
	"slices"
	"strings"

	"robots-audit/audit/compare"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// news are the changes for the lead, most severe first: those that matter and that neither the changed
// verdicts nor an earlier change cover.
func (s *Site) news() (list []*compare.Change) {
	told := map[[3]string]bool{}
	for i := range s.Changes {
		c := &s.Changes[i]
		topic := [3]string{c.Kind, c.What, ""}
		switch {
		case slices.Contains(toldOnce, c.Kind):
			topic = [3]string{c.Kind, c.Before, c.After}
		case c.Kind == compare.KindPolicy:
			topic = [3]string{c.Kind}
		}
		if c.Severity == compare.Info || told[topic] || s.toldByFlips(c) || s.Totals.Vanished > 0 && lessSitemaps(*c) {
			continue
		}
		told[topic] = true
		list = append(list, c)
	}
	return list
}

// toldOnce are the kinds whose changes may be the same for http and https.
var toldOnce = []string{compare.KindStatus, compare.KindBody, compare.KindSize, compare.KindRedirect}

// lessSitemaps reports whether a change says that sitemaps have far fewer URLs: the number of
// vanished URLs already says so.
func lessSitemaps(c compare.Change) bool {
	return c.Kind == compare.KindSitemapURLs && c.Condition == "AL07"
}

// toldByFlips reports whether a change causes or follows from changed verdicts, so that the sentences on
// these cover it.
func (s *Site) toldByFlips(c *compare.Change) bool {
	switch {
	case c.Kind == compare.KindShare: // changes with verdicts, and with new and vanished URLs
		return true
	case c.Kind == compare.KindType: // an HTML page with its own type
		return slices.ContainsFunc(s.Changes, func(other compare.Change) bool { return other.Kind == compare.KindBody && other.What == c.What })
	case s.Totals.Flips() == 0:
		return false
	}
	switch c.Kind {
	case compare.KindRules, compare.KindGroups:
		return true
	case compare.KindLint: // blocked URLs in sitemaps and links
		return compare.NeedsURLs(c.Finding)
	case compare.KindRoot:
		return slices.ContainsFunc(c.Crawlers, func(i int) bool { return s.Flips[i].NewlyBlocked > 0 })
	case compare.KindImportant:
		return s.Clicks != nil
	case compare.KindStaging:
		return c.Short == ""
	case compare.KindStatus, compare.KindBody, compare.KindSize:
		return s.flipsByAnswer(c.What)
	case compare.KindRedirect:
		return s.Causes[compare.Scope] > 0
	case compare.KindPolicy:
		return c.What == compare.PolicyAll
	}
	return false
}

// flipsByAnswer reports whether verdicts changed because a robots.txt has another response. It
// covers all origins with the same response, such as http and https.
func (s *Site) flipsByAnswer(url string) bool {
	of := s.originOf(url)
	for _, rank := range s.Samples.ranked {
		for _, sample := range rank {
			if of == nil || sample.Origin >= len(s.Origins) || sample.Appeared {
				continue
			}
			if s.changeOfAnswer(&s.Origins[sample.Origin]) != s.changeOfAnswer(of) {
				continue
			}
			if slices.ContainsFunc(sample.Verdicts, func(v compare.Verdicts) bool { return v.Class != compare.Same && v.Cause == compare.Access }) {
				return true
			}
		}
	}
	return false
}

// originOf is the origin of that robots.txt; nil = none.
func (s *Site) originOf(url string) *compare.Origin {
	for i := range s.Origins {
		if s.Origins[i].Name+"/robots.txt" == url {
			return &s.Origins[i]
		}
	}
	return nil
}

// newsWords describe the first change and the number of further ones. alone = no other sentence comes
// before; otherwise minor changes are only counted.
func (s *Site) newsWords(alone bool) []string {
	list := s.news()
	if len(list) == 0 {
		return nil
	}
	first, more := list[0], len(list)-1
	if !alone && first.Severity == compare.Medium {
		return []string{wording.Plural(len(list), "other change")}
	}
	words := capitalised(Text(s.changeWords(first), maxNews))
	if more > 0 {
		words += " (and " + wording.Plural(more, "more change") + ")"
	}
	return []string{words}
}

// maxNews bounds the sentence on a change in a lead, in bytes.
const maxNews = 300

// changeWords state the consequence of a change before its details.
func (s *Site) changeWords(c *compare.Change) string {
	file := c.What
	if len(s.Origins) > 0 && file == s.Origins[0].Name+"/robots.txt" {
		file = "robots.txt"
	}
	switch c.Kind {
	case compare.KindStatus:
		if o := s.originOf(c.What); o != nil && o.New != nil {
			return s.answerMeans(o) + s.answerWords(o)
		}
	case compare.KindBody:
		if c.Before != "" && c.After != "" {
			return file + " is now " + c.After
		}
	case compare.KindSize:
		return file + " has grown: " + c.Short // the other limits concern other profiles
	case compare.KindRedirect:
		return file + " now comes from " + c.After
	case compare.KindType:
		return file + " is now sent as " + c.After + ", no longer as " + c.Before
	case compare.KindRoot:
		return strings.Replace(c.After, "/ is blocked", "the home page is now blocked for "+c.What, 1)
	case compare.KindStaging:
		return file + " looks like that of a test system: " + c.Short
	case compare.KindImportant:
		return c.What + wording.Verb(c.URLs, " is", " are") + " now " + c.After
	case compare.KindSitemapLine:
		return "robots.txt no longer lists " + c.What
	case compare.KindSitemap:
		if c.After != "" {
			return c.What + " can no longer be read: " + c.After
		}
	case compare.KindSitemapBlocked:
		return c.What + " is now " + c.After
	case compare.KindPolicy:
		switch {
		case c.What == compare.Preferences:
		case c.What == compare.PolicyAll:
			return c.What + " " + c.After + " now"
		default:
			return "crawlers for " + c.What + " " + c.After + " now"
		}
	}
	return ChangeWords(c)
}

// answerWords describe the response for robots.txt: "robots.txt now answers HTTP 503 Service
// Unavailable instead of HTTP 200".
func (s *Site) answerWords(o *compare.Origin) string {
	if o.Old == nil || o.New == nil {
		return CauseAbout(compare.Access)
	}
	file := "robots.txt"
	if own := &s.Origins[0]; o.Name != own.Name && (own.Old == nil || own.New == nil || s.changeOfAnswer(o) != s.changeOfAnswer(own)) {
		file = Text(o.Name, maxLine) + "/robots.txt"
	}
	was, is := AnswerWords(o.Old), AnswerWords(o.New)
	switch {
	case was == is:
		return file + " is now " + wording.Plural(o.New.Bytes, "byte") + " long instead of " + wording.Thousands(o.Old.Bytes)
	case strings.HasPrefix(is, "no answer"):
		return file + " gets " + is + " instead of " + was
	case o.New.Kind == compare.BodyNone || o.Old.Kind == compare.BodyNone:
		return file + " now answers " + is + " instead of " + was
	case o.New.Kind == compare.BodyText:
		return file + " is now text instead of " + kindWords[o.Old.Kind]
	}
	return file + " is now " + kindWords[o.New.Kind]
}

// kindWords are the kinds of a body as words for a sentence.
var kindWords = map[compare.BodyKind]string{
	compare.BodyEmpty: "empty", compare.BodyText: "text", compare.BodyHTML: "an HTML page", compare.BodyBinary: "UTF-16 or binary", compare.BodyNone: "nothing",
}

// changeOfAnswer is the change of an origin's response, for comparison with others.
func (s *Site) changeOfAnswer(o *compare.Origin) [2]string {
	if o.Old == nil || o.New == nil {
		return [2]string{o.Name}
	}
	return [2]string{AnswerWords(o.Old), AnswerWords(o.New)}
}

// answerMeans is the effect of a response without a file: "everything is now blocked for Googlebot
// and Bingbot: ".
func (s *Site) answerMeans(o *compare.Origin) string {
	var shut []string
	open, leads := 0, false
	for i, access := range o.New.Access {
		switch access {
		case engine.AllowAll:
			open++
		case engine.DisallowAll:
			if !leads && s.leads(i) {
				shut, leads = nil, true
			}
			if !leads || s.leads(i) {
				shut = append(shut, s.Crawlers[i].Label)
			}
		}
	}
	switch where := s.whereWords(o); {
	case shut != nil:
		return "everything " + where + "is now blocked for " + Names(shut) + ": "
	case open > 0 && open == len(o.New.Access):
		return "everything " + where + "is now allowed: "
	}
	return ""
}

// whereWords name an origin that is not the site's own.
func (s *Site) whereWords(o *compare.Origin) string {
	if o.Name == s.Origins[0].Name || s.changeOfAnswer(o) == s.changeOfAnswer(&s.Origins[0]) {
		return ""
	}
	return "on " + Text(o.Name, maxLine) + " "
}
