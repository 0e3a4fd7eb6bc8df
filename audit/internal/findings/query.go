package findings

import (
	"strings"

	"robots-audit/engine"
)

// otherPosition rewrites a rule for a query parameter to the other possible position: after "&"
// instead of "?", or the reverse. "" = the rule is not for one parameter.
func otherPosition(rule engine.Rule) string {
	if rule.Allow {
		return ""
	}
	at := strings.IndexAny(rule.Value, "?&")
	if at >= 0 && rule.Value[at] == '?' {
		if next := strings.IndexByte(rule.Value, '&'); next >= 0 {
			if rule.Value[at+1:next] != "*" {
				return "" // it is for several parameters, or for a position among them
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

// checkQuery checks a URL with a query.
func (c *Collector) checkQuery(loc string, decisions []engine.Decision) {
	if c.reordered == nil {
		c.reordered = c.rewriteAll(otherPosition)
	}
	for i := range c.reordered {
		w := &c.reordered[i]
		if d := decisions[w.reader]; d.Verdict != engine.Allow || d.Rule != nil {
			continue // blocked by another rule, or allowed on purpose
		}
		if verdict, line := w.verdict(loc); verdict == engine.Disallow && line > 0 {
			c.countURL(parameterMissed, line, "", loc)
		}
	}
	if c.cleanParam != nil {
		c.checkCleanParam(loc, decisions[c.cleanParam.reader])
	}
}

// cleanParam is the first reader that knows Clean-param.
type cleanParam struct {
	reader int
	robots *engine.Robots
	given  bool // the file has Clean-param lines
}

// trackers are parameters that never change the content of a page: marks of campaigns, clicks and
// sessions.
var trackers = map[string]bool{
	"utm_source": true, "utm_medium": true, "utm_campaign": true, "utm_term": true, "utm_content": true, "utm_id": true,
	"gclid": true, "gclsrc": true, "dclid": true, "wbraid": true, "gbraid": true, "fbclid": true, "msclkid": true, "yclid": true,
	"ysclid": true, "_openstat": true, "_ga": true, "_gl": true, "mc_cid": true, "mc_eid": true, "phpsessid": true, "jsessionid": true,
	"sessionid": true, "sid": true,
}

// checkCleanParam notes blocked URLs that Clean-param would merge, and parameters that no
// Clean-param line names. d is the decision of that reader.
func (c *Collector) checkCleanParam(loc string, d engine.Decision) {
	merged := loc
	if c.cleanParam.given {
		merged = c.cleanParam.robots.Canonical(loc)
		if merged != loc && d.Verdict == engine.Disallow && d.Line() > 0 {
			c.countURL(cleanParamBlocked, int32(d.Line()), "", loc)
		}
	}
	if d.Verdict != engine.Allow {
		return
	}
	_, query, _ := strings.Cut(merged, "?")
	campaign := false
	for parameter := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(parameter, "=")
		if len(name) > 12 || !trackers[strings.ToLower(name)] {
			continue
		}
		name = strings.ToLower(name)
		if strings.HasPrefix(name, "utm_") { // they come together, and count as one
			if campaign {
				continue
			}
			campaign, name = true, "utm_source and its like"
		}
		c.countURL(trackingParameter, 0, name, loc)
	}
}
