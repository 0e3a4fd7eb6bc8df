package expect

import (
	"strings"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// anyOrigin is put before a path to resolve it.
const anyOrigin = "https://a.example"

// setURL finds out which URLs an expectation is about. If they cannot be judged, problem says why,
// in words that follow "it".
func (e *Expectation) setURL(p *engine.Profile) (problem string) {
	e.loc = e.URL
	if strings.Contains(e.URL, "://") && !strings.HasPrefix(e.URL, "/") {
		var rest string
		if e.origin, rest, problem = cutOrigin(e.URL); problem != "" {
			return problem
		}
		e.loc = e.origin + rest
		if e.pattern = isPattern(rest); e.pattern {
			e.loc = rest
		}
	} else {
		e.pattern = isPattern(e.URL)
	}
	if e.pattern {
		return patternProblem(e.loc)
	}
	if problem := p.URLProblem(e.URL); problem != "" {
		return problem
	}
	e.loc = asked(e.loc)
	return ""
}

// isPattern reports whether a path is a pattern. A literal "*" or "$" is written %2A or %24.
func isPattern(path string) bool { return strings.ContainsAny(path, "*$") }

// patternProblem says why a path pattern cannot be used, in words that follow "it".
func patternProblem(path string) string {
	switch {
	case path[0] != '/' && path[0] != '*':
		return `is a pattern that does not begin with "/" or "*"`
	case strings.ContainsRune(path, '#'):
		return `contains "#", which requested URLs never have. Write %23`
	case strings.ContainsFunc(path, func(r rune) bool { return r <= ' ' || r == 0x7f }):
		return "contains white space. Write %20 for a space"
	}
	return ""
}

// cutOrigin splits an absolute URL into its origin and the rest.
func cutOrigin(url string) (origin, rest, problem string) {
	end := headEnd(url)
	head, rest := url[:end], url[end:]
	switch {
	case strings.ContainsAny(head, "*$"):
		return "", "", "is a pattern of hosts. Name each host, or give only the path to test every site"
	case strings.ContainsRune(head, '@'):
		return "", "", "contains a user name or a password. Remove them"
	}
	d, why := audit.ParseDomain(head)
	if why != "" {
		return "", "", "names no site: " + why
	}
	return d.Origin(d.Scheme), rest, ""
}

// headEnd returns the offset of the path in an absolute URL.
func headEnd(url string) int {
	_, rest, ok := strings.Cut(url, "://")
	if end := strings.IndexAny(rest, "/?#"); ok && end >= 0 {
		return len(url) - len(rest) + end
	}
	return len(url)
}

// asked returns the form in which a crawler requests a URL or path; unchanged if it cannot be
// resolved.
func asked(url string) string {
	path := strings.HasPrefix(url, "/")
	if path {
		url = anyOrigin + url
	}
	if resolved, err := crawl.ResolveURL(url); err == nil {
		url = resolved
	}
	if path {
		url = strings.TrimPrefix(url, anyOrigin)
	}
	return url
}
