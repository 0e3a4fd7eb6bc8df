package audit

import (
	"strings"

	"robots-audit/engine"
)

// swapParameter writes a rule for a query parameter for the other place that
// the parameter may have: after "&" where it stands after "?", and the other
// way round. "" = the rule is not for one parameter.
func swapParameter(rule engine.Rule) string {
	if rule.Allow {
		return ""
	}
	at := strings.IndexAny(rule.Value, "?&")
	if at >= 0 && rule.Value[at] == '?' {
		if next := strings.IndexByte(rule.Value, '&'); next >= 0 {
			if rule.Value[at+1:next] != "*" {
				return "" // it is for several parameters, or for a place among them
			}
			at = next
		}
	}
	if at < 0 {
		return ""
	}
	before, after := rule.Value[:at], rule.Value[at+1:]
	end := 0
	for end < len(after) && (isLetter(after[end]) || '0' <= after[end] && after[end] <= '9' || strings.IndexByte("_-.[]%", after[end]) >= 0) {
		end++
	}
	if end == 0 || strings.ContainsAny(after, "?&") || end < len(after) && after[end] != '=' && after[end] != '*' {
		return ""
	}
	if rule.Value[at] == '?' {
		return before + "?*&" + after
	}
	before = strings.TrimSuffix(before, "*")
	before = strings.TrimSuffix(strings.TrimSuffix(before, "?"), "*")
	return before + "*?" + after
}

// parameters looks at a URL with a query.
func (e *evidence) parameters(u *URL, decisions []engine.Decision) {
	if e.swapped == nil {
		e.swapped = e.variants(swapParameter)
	}
	for i := range e.swapped {
		v := &e.swapped[i]
		if d := decisions[v.crawler]; d.Verdict != engine.Allow || d.Rule != nil {
			continue // blocked by another rule, or allowed on purpose
		}
		if verdict, line := v.verdict(u.Loc); verdict == engine.Disallow && line > 0 {
			e.hit("RUL017", line, "", u.Loc)
		}
	}
	for _, c := range e.cleaners {
		c.look(e, u, decisions[c.crawler])
	}
}

// cleaner is a reader that knows Clean-param.
type cleaner struct {
	crawler int
	robots  *engine.Robots
	obeys   bool // the file has Clean-param lines
}

// trackers are parameters that never change what a page shows: marks of
// campaigns, clicks and sessions.
var trackers = map[string]bool{
	"utm_source": true, "utm_medium": true, "utm_campaign": true, "utm_term": true, "utm_content": true, "utm_id": true,
	"gclid": true, "gclsrc": true, "dclid": true, "wbraid": true, "gbraid": true, "fbclid": true, "msclkid": true, "yclid": true,
	"ysclid": true, "_openstat": true, "_ga": true, "_gl": true, "mc_cid": true, "mc_eid": true, "phpsessid": true, "jsessionid": true,
	"sessionid": true, "sid": true,
}

// look notes URLs that Clean-param would merge and a rule blocks, and
// parameters that no Clean-param names.
func (c cleaner) look(e *evidence, u *URL, d engine.Decision) {
	loc := u.Loc
	if c.obeys {
		loc = c.robots.Canonical(loc)
		if loc != u.Loc && d.Verdict == engine.Disallow && d.Line() > 0 {
			e.hit("YA007", int32(d.Line()), "", u.Loc)
		}
	}
	if d.Verdict != engine.Allow {
		return
	}
	_, query, _ := strings.Cut(loc, "?")
	campaign := false
	for parameter := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(parameter, "=")
		if len(name) > 12 || !trackers[strings.ToLower(name)] {
			continue
		}
		name = strings.ToLower(name)
		if strings.HasPrefix(name, "utm_") { // they come together, and are one thing
			if campaign {
				continue
			}
			campaign, name = true, "utm_source and its like"
		}
		e.hit("YA008", 0, name, u.Loc)
	}
}
