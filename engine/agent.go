package engine

import "strings"

// isGlobal reports whether the value of a user-agent line stands for all
// crawlers.
func (p *Profile) isGlobal(value string) bool {
	switch {
	case value == "" || value == "*":
		return value == "*"
	case p.Agents == AgentWithin:
		return strings.IndexByte(value, '*') >= 0
	case p.Agents == AgentPrefix, p.Agents == AgentPart:
		return false
	}
	return value[0] == '*' && isSpace(value[1]) // "* for everybody" counts
}

// agentRank says how well the value of a user-agent line names a crawler: 0 = not
// at all, and higher = more specific. Groups of equal rank are merged, unless
// FirstGroup is set.
func (p *Profile) agentRank(value string, c *Crawler) int {
	if value == "*" || p.isGlobal(value) && p.Agents != AgentWithin { // "Yandex*" is both Yandex's and global
		return 0
	}
	switch p.Agents {
	case AgentPrefix:
		return prefixRank(value, c)
	case AgentPart:
		name, _, _ := strings.Cut(value, "/")
		if name = trim(name); name != "" && len(c.Tokens) > 0 && containsFold(c.Tokens[0], name, false) {
			return 1
		}
		return 0
	case AgentToken:
		if c.Agent != "" && equalFold(value, c.Agent) {
			return len(c.Tokens)
		}
	}
	for i, token := range c.Tokens {
		if i > 0 && !p.Fallback && !p.Unite {
			break
		}
		if p.names(value, token) {
			return len(c.Tokens) - i
		}
	}
	return 0
}

// exactRank is the rank of a value that names the crawler's first product token.
func (p *Profile) exactRank(c *Crawler) int {
	switch {
	case p.Agents == AgentPart:
		return 1
	case p.Agents == AgentPrefix && len(c.Tokens) > 0:
		return len(c.Tokens[0])
	}
	return len(c.Tokens)
}

// names reports whether the value of a user-agent line names a product token.
func (p *Profile) names(value, token string) bool {
	switch p.Agents {
	case AgentWithin:
		return containsFold(value, token, true)
	case AgentCased:
		return productToken(value) == token
	}
	return equalFold(productToken(value), token)
}

// productToken cuts a value after the letters, "-" and "_" that it begins with
// (RFC 9309 2.2.1: identifier).
func productToken(value string) string {
	for i := 0; i < len(value); i++ {
		if c := value[i]; c != '-' && c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') {
			return value[:i]
		}
	}
	return value
}

// prefixRank returns the length of a value that begins with the robot's
// shortest token and is itself a prefix of its full name; 0 for any other
// value.
func prefixRank(value string, c *Crawler) int {
	if len(c.Tokens) == 0 {
		return 0
	}
	full, least := c.Agent, c.Tokens[len(c.Tokens)-1]
	if full == "" {
		full = c.Tokens[0]
	}
	if len(value) < len(least) || len(value) > len(full) ||
		!equalFold(value[:len(least)], least) || !equalFold(full[:len(value)], value) {
		return 0
	}
	return len(value)
}

// containsFold reports whether s contains part. With word, no letter may follow
// it, so that "YandexBot" does not match "Yandex".
func containsFold(s, part string, word bool) bool {
	for i := 0; i+len(part) <= len(s); i++ {
		if !equalFold(s[i:i+len(part)], part) {
			continue
		}
		if end := i + len(part); !word || end == len(s) || s[end]|0x20 < 'a' || s[end]|0x20 > 'z' {
			return part != ""
		}
	}
	return false
}
