package urlpast

import (
	"fmt"
	"strings"

	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// maxShown bounds a URL or a rule within a sentence, in bytes.
const maxShown = 120

// Asked returns a URL, or a path of an origin, as a crawler requests it. The error says why it is
// invalid, in a sentence for the user.
func Asked(url, origin string) (string, error) {
	own, ok := engine.RobotsURL(origin)
	if !ok {
		return "", fmt.Errorf("%s is not an origin", escape.Quoted(origin, maxShown))
	}
	if problem := (&engine.Profile{}).URLProblem(url); problem != "" {
		return "", fmt.Errorf("%s %s", escape.Quoted(url, maxShown), problem)
	}
	asked := url
	if strings.HasPrefix(url, "/") {
		asked = strings.TrimSuffix(own, "/robots.txt") + url
	}
	if resolved, err := crawl.ResolveURL(asked); err == nil {
		asked = resolved
	}
	return asked, nil
}

// ownURL is Asked for a URL to which the site's own robots.txt must apply. If it does not, the
// error says so.
func ownURL(url, origin string) (string, error) {
	asked, err := Asked(url, origin)
	if err != nil {
		return "", err
	}
	if own, _ := engine.RobotsURL(origin); !engine.Governs(own, asked) {
		return "", fmt.Errorf("%s has another robots.txt than %s, and the history has only the robots.txt of the site", escape.Quoted(asked, maxShown), escape.Show(own))
	}
	return asked, nil
}
