package crawl

import (
	"context"
	"net"
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"

	"robots-audit/crawl/internal/weburl"
)

// Variants says how a robots.txt is to be asked for again, to find answers
// that differ: by who asks (a firewall, a test, a cache), or between the
// origins that visitors take for one site, each of which has its own
// robots.txt (RFC 9309 2.3).
type Variants struct {
	UserAgents []string // User-Agent headers to ask with, as they are to be sent
	Scheme     bool     // https instead of http, and the other way round
	WWW        bool     // with "www." or without
}

// Variant is the answer to one variant of a request.
type Variant struct {
	Kind      string     `json:"kind"`                 // "user_agent", "scheme", "www"
	Origin    string     `json:"origin"`               // that was asked
	UserAgent string     `json:"user_agent,omitempty"` // that was sent, where it is another
	Differs   string     `json:"differs,omitempty"`    // from the first answer: "error", "status", "body"; "" = in nothing
	File      RobotsFile `json:"file"`
}

// RobotsVariants asks again for the robots.txt of an origin, of which first is the outcome. Where
// that came from the cache, the origin is asked anew to compare with. Nothing
// of this is cached.
func (s *Site) RobotsVariants(ctx context.Context, origin string, first *RobotsFile, o Variants) []Variant {
	if _, served := s.served(origin); served {
		return nil
	}
	variants := o.Of(origin)
	if first.FromCache && len(variants) > 0 {
		first = s.askRobots(ctx, robotsURL(origin), robotsOptions{})
	}
	for i := range variants {
		s.AskVariant(ctx, first, &variants[i])
	}
	return variants
}

// AskVariant asks one variant of Variants.Of, and compares its answer with first, which did not
// come from the cache.
func (s *Site) AskVariant(ctx context.Context, first *RobotsFile, t *Variant) {
	t.File = *s.askRobots(ctx, robotsURL(t.Origin), robotsOptions{agent: t.UserAgent})
	t.Differs = differs(first, &t.File)
}

// Of are the variants of an origin, before anybody is asked. There is none
// of an address, of another port than the scheme's own, with "www." before a
// subdomain. With Scheme and WWW the origin that differs in both is one, too.
func (o Variants) Of(origin string) (variants []Variant) {
	u, err := weburl.Read(origin)
	if err != nil {
		return nil
	}
	for _, agent := range o.UserAgents {
		variants = append(variants, Variant{Kind: "user_agent", Origin: originOf(u.String()), UserAgent: agent})
	}
	if other := otherScheme(u); o.Scheme && other != "" {
		variants = append(variants, Variant{Kind: "scheme", Origin: other})
	}
	if other := otherWWW(u); o.WWW && other != "" {
		variants = append(variants, Variant{Kind: "www", Origin: other})
		if both, err := url.Parse(other); o.Scheme && err == nil && otherScheme(both) != "" {
			variants = append(variants, Variant{Kind: "www", Origin: otherScheme(both)})
		}
	}
	return variants
}

// RobotsURL is the URL at which a variant is asked.
func (t *Variant) RobotsURL() string { return robotsURL(t.Origin) }

// SameSite reports whether two hosts are of one site: they are the same, or both lie
// under one domain that is registered (publicsuffix.org).
func SameSite(a, b string) bool {
	if a == b {
		return true
	}
	own, err := publicsuffix.EffectiveTLDPlusOne(a)
	if err != nil {
		return false
	}
	other, err := publicsuffix.EffectiveTLDPlusOne(b)
	return err == nil && own == other && net.ParseIP(a) == nil && net.ParseIP(b) == nil
}

// differs says in what two answers differ, the most severe first.
func differs(a, b *RobotsFile) string {
	switch {
	case a.Code != b.Code:
		return "error"
	case a.Status != b.Status:
		return "status"
	case a.Code == "" && a.SHA256 != b.SHA256:
		return "body"
	}
	return ""
}

// otherScheme returns the same origin by the other scheme, "" = none.
func otherScheme(u *url.URL) string {
	if u.Port() != "" {
		return ""
	}
	return map[string]string{"http": "https", "https": "http"}[u.Scheme] + "://" + u.Host
}

// otherWWW returns the origin with "www." or without, "" = none.
func otherWWW(u *url.URL) string {
	if _, literal := weburl.LiteralAddr(u.Hostname()); literal {
		return ""
	}
	if bare, ok := strings.CutPrefix(u.Host, "www."); ok {
		return u.Scheme + "://" + bare
	}
	if own, err := publicsuffix.EffectiveTLDPlusOne(u.Hostname()); err != nil || own != u.Hostname() {
		return ""
	}
	return u.Scheme + "://www." + u.Host
}
