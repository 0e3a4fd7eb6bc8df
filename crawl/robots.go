package crawl

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"

	"robots-audit/crawl/internal/weburl"
)

// RobotsHops is how many redirects of a robots.txt are followed: five, as
// RFC 9309 2.3.1.2 asks for and Google does. The sixth ends in too_many_redirects.
const RobotsHops = 5

// Robots asks an origin ("https://example.com", "ftp://example.com") for its robots.txt. Status
// and Code are for the reader's profile to judge: a Code of http_status means
// that the server answered, and the answer was not 2xx; with other codes the
// file could not be read whole. A body longer than MaxRobots is no trouble but
// Truncated: cut at its last line end, since half a rule is a wrong rule.
//
// With a Cache the answer may be an earlier one (FromCache), and that of a site that
// cannot be reached comes with its history; but for a site with credentials, see
// Authenticate.
func (s *Site) Robots(ctx context.Context, origin string) *RobotsFile {
	if file, ok := s.served(origin); ok {
		return file
	}
	if s.client.Cache != nil && s.login == (login{}) {
		return s.cachedRobots(ctx, robotsURL(origin))
	}
	return s.askRobots(ctx, robotsURL(origin), robotsOptions{})
}

// robotsOptions are what may be unusual about asking for a robots.txt.
type robotsOptions struct {
	refresh *validator // of the copy we have; nil = there is none
	agent   string     // User-Agent; "" = the client's
}

// askRobots asks for a robots.txt over the net.
func (s *Site) askRobots(ctx context.Context, url string, how robotsOptions) *RobotsFile {
	if u, err := weburl.ReadFTP(url); err == nil {
		return s.askFTP(ctx, u)
	}
	lim := limits{Bytes: s.client.maxRobots(), Hops: RobotsHops, Whole: true, Accept: "text/plain, */*;q=0.5", Refresh: how.refresh, Agent: how.agent}
	file := new(RobotsFile) // on no stack: ten thousand sites may wait here
	out := s.retry(ctx, func(left *countdown) *Outcome {
		b := s.attempt(ctx, url, lim, left)
		defer b.Close()
		file.Body = readRobots(b)
		return b.out
	})
	file.Outcome = *out
	return file
}

// readRobots reads a body up to its limit, and cuts there.
func readRobots(b *body) []byte {
	text, err := io.ReadAll(b)
	if e := (*Error)(nil); errors.As(err, &e) && e.Code == CodeBodyTooLarge {
		b.out.Code, b.out.Detail = "", ""
		text = wholeLines(text)
		sum := sha256.Sum256(text) // of what is kept: that is what a report shows
		b.out.SHA256 = hex.EncodeToString(sum[:])
	}
	return text
}

// robotsURL returns where the robots.txt of a URL's origin lies. What is no
// URL is returned as it is, for the attempt to refuse.
func robotsURL(origin string) string {
	u, err := weburl.Read(origin)
	if err != nil {
		if u, err = weburl.ReadFTP(origin); err != nil {
			return origin
		}
	}
	return u.Scheme + "://" + u.Host + "/robots.txt"
}

// wholeLines cuts after the last line end, LF or CR.
func wholeLines(b []byte) []byte { return b[:bytes.LastIndexAny(b, "\r\n")+1] }
