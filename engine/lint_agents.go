package engine

import (
	"fmt"
	"net/netip"
	"strings"
)

// obsoleteTokens are product tokens that no crawler uses any more, or never did,
// beside those that the crawler list calls retired or legacy; with what to
// write instead.
var obsoleteTokens = map[string]string{
	"googlebot-images":          "Googlebot-Image",
	"googlebot-videos":          "Googlebot-Video",
	"googlebot-mobile":          "Googlebot",
	"googlebot-smartphone":      "Googlebot",
	"googlebot-desktop":         "Googlebot",
	"adsbot-google-mobile-apps": "AdsBot-Google",
	"msnbot":                    "bingbot",
	"msnbot-media":              "bingbot",
	"msnbot-newsblogs":          "bingbot",
	"msnbot-products":           "bingbot",
	"anthropic-ai":              "ClaudeBot",
	"claude-web":                "Claude-User",
	"teoma":                     "", "askjeeves": "", "scooter": "", "twiceler": "", "gigabot": "", "infoseek": "",
	"lycos": "", "architextspider": "", "cuil": "", "fast-webcrawler": "",
}

// lintAgent looks at the value of a user-agent line.
func lintAgent(l *linter, n *lintLine) {
	if n.kind != lineAgent {
		return
	}
	value := n.value
	switch {
	case value == "*":
		return
	case value == "":
		l.reportValue("GRP010", n)
		return
	case isAddress(value):
		l.reportValue("GRP013", n)
		return
	case value[0] == '*' && isSpace(value[1]):
		if f := l.reportValue("PRS006", n); f != nil {
			if !strings.Contains(value, ":") {
				f.Replacement = n.rewrite(n.field, "*")
			}
		}
		return
	}
	token := productToken(value)
	known := l.listed.tokens[strings.ToLower(token)]
	if lintVersion(l, n, token, known) || lintObsoleteToken(l, n, token) {
		return
	}
	if known == "" {
		lintNearMiss(l, n)
		return
	}
	if known != token {
		if f := l.reportValue("GRP009", n); f != nil {
			f.What = fmt.Sprintf("%s is %q with other case", quote(value, 60), known)
			f.Replacement = n.rewrite(n.field, known)
		}
	}
}

// isAddress reports whether a user agent is an address of some kind.
func isAddress(value string) bool {
	if strings.Contains(value, "://") && !strings.ContainsAny(value, " ;(") || hasPrefixFold(value, "www.") {
		return true
	}
	address, _, _ := strings.Cut(value, "/")
	_, err := netip.ParseAddr(address)
	return err == nil
}

// lintVersion reports a value that is more than a product token. It returns
// true if the rest needs no look.
func lintVersion(l *linter, n *lintLine, token, known string) bool {
	if len(token) == len(n.value) {
		return false
	}
	near := l.listed.near(n.value)
	if near != "" && known == "" { // "Bing Bot": the slip, not the space
		return false
	}
	f := l.report("GRP002", n, n.valueAt+len(token), n.valueAt+len(n.value))
	if f == nil {
		return known == ""
	}
	rest := n.value[len(token):]
	switch {
	case known == "" && strings.Trim(n.value, alphanumeric+"-_./") == "":
		// The crawler itself may well look for this text, as MJ12bot does.
		f.Severity = Info
		f.What = fmt.Sprintf("%s has characters that no product token has", quote(n.value, 60))
		f.Why = "Readers that follow Google or RFC 9309 to the letter compare the leading letters, \"-\" and \"_\" alone."
		f.Fix = "Check that the crawler's operator writes it so."
	case token == "":
		f.What = fmt.Sprintf("%s begins with no letter: it names no crawler", quote(n.value, 60))
	case known != "":
		f.What = fmt.Sprintf("%s is read as %q", quote(n.value, 60), token)
		if rest[0] == '/' || rest == "*" {
			f.Replacement = n.rewrite(n.field, token)
		}
	default:
		f.What = fmt.Sprintf("%s is read as %q, which may be another crawler or none", quote(n.value, 60), token)
	}
	return known == ""
}

// lintObsoleteToken reports a token that nobody uses any more.
func lintObsoleteToken(l *linter, n *lintLine, token string) bool {
	instead, dead := obsoleteTokens[strings.ToLower(token)]
	if !dead && !l.listed.retired[strings.ToLower(token)] {
		return false
	}
	id := "GRP007"
	if strings.HasPrefix(strings.ToLower(token), "googlebot-") && instead == "Googlebot" {
		id = "GRP008" // mistaken for a token that there is
	}
	f := l.reportValue(id, n)
	if f == nil {
		return true
	}
	f.What = fmt.Sprintf("%q is a token that is not in use", token)
	if instead != "" {
		f.What += fmt.Sprintf("; today it is %q", instead)
		f.Fix = fmt.Sprintf("Remove it, or write %q.", instead)
	}
	return true
}

// lintNearMiss reports a value that is nearly the token of a known crawler.
func lintNearMiss(l *linter, n *lintLine) {
	near := l.listed.near(n.value)
	if near == "" {
		return
	}
	if f := l.reportValue("GRP008", n); f != nil {
		f.What = fmt.Sprintf("%s is nearly %q", quote(n.value, 60), near)
		f.Replacement = n.rewrite(n.field, near)
	}
}
