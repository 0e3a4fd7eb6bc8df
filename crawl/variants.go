package crawl

import (
	"context"
	"net"
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"

	"robots-audit/crawl/internal/weburl"
)

// Variants says how to request a robots.txt again to find different answers.
// They may depend on the user agent (a firewall, a test, a cache). Or they
// differ between origins that visitors see as one site, but that have their own
// robots.txt (RFC 9309 2.3).
type Variants struct {
	UserAgents []string // User-Agent headers to send
	Scheme     bool     // https instead of http, and the reverse
	WWW        bool     // with "www." or without
}

// Variant is the answer to one variant of a request.
type Variant struct {
	Kind      string     `json:"kind"`                 // "user_agent", "scheme", "www"
	Origin    string     `json:"origin"`               // the requested origin
	UserAgent string     `json:"user_agent,omitempty"` // the User-Agent sent, if it is another
	Differs   string     `json:"differs,omitempty"`    // from the first answer: "error", "status", "body"; "" = no difference
	File      RobotsFile `json:"file"`
}

// RobotsVariants requests the robots.txt of an origin in variants; first is its normal result. If
// first is from the cache, the origin is requested again for the comparison. Nothing here is
// cached.
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

// AskVariant requests one variant of Variants.Of, and compares its answer with first, which
// must not be from the cache.
func (s *Site) AskVariant(ctx context.Context, first *RobotsFile, t *Variant) {
	t.File = *s.askRobots(ctx, robotsURL(t.Origin), robotsOptions{agent: t.UserAgent})
	t.Differs = differs(first, &t.File)
}

// Of returns the variants of an origin, without any request. There is no other
// scheme for an origin with a port, and no other host for an address, nor
// "www." for a subdomain. With Scheme and WWW, the origin that differs in both
// is included.
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

// RobotsURL returns the URL of a variant's robots.txt.
func (t *Variant) RobotsURL() string { return robotsURL(t.Origin) }

// SameSite reports whether two hosts belong to one site: they are equal, or both are
// under one registered domain (publicsuffix.org).
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

// differs returns the most severe difference between two answers.
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

// otherScheme returns the origin with the other scheme, "" = none.
func otherScheme(u *url.URL) string {
	if u.Port() != "" {
		return ""
	}
	return map[string]string{"http": "https", "https": "http"}[u.Scheme] + "://" + u.Host
}

// otherWWW returns the origin with or without "www.", "" = none.
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
