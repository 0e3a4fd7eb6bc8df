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

// RobotsHops is how many redirects of a robots.txt are followed: five, as RFC 9309
// 2.3.1.2 requires and Google does. The sixth ends in too_many_redirects.
const RobotsHops = 5

// Robots requests the robots.txt of an origin ("https://example.com", "ftp://example.com"). The
// reader's profile interprets Status and Code. The Code http_status means that the server
// answered with a status other than 2xx. With other codes the file could not be read
// completely. A body longer than MaxRobots is not an error. It is Truncated: cut at its last
// line end, since half a rule is a wrong rule.
//
// With a Cache, the answer may be an earlier one (FromCache), and for an unreachable site it
// includes the history. Sites with credentials do not use the Cache, see Authenticate.
func (s *Site) Robots(ctx context.Context, origin string) *RobotsFile {
	if file, ok := s.served(origin); ok {
		return file
	}
	if s.client.Cache != nil && s.login == (login{}) {
		return s.cachedRobots(ctx, robotsURL(origin))
	}
	return s.askRobots(ctx, robotsURL(origin), robotsOptions{})
}

// robotsOptions are special options of a request for a robots.txt.
type robotsOptions struct {
	refresh *validator // of our copy; nil = there is none
	agent   string     // User-Agent; "" = the client's
}

// askRobots requests a robots.txt over the network.
func (s *Site) askRobots(ctx context.Context, url string, how robotsOptions) *RobotsFile {
	if u, err := weburl.ReadFTP(url); err == nil {
		return s.askFTP(ctx, u)
	}
	lim := limits{Bytes: s.client.maxRobots(), Hops: RobotsHops, Whole: true, Accept: "text/plain, */*;q=0.5", Refresh: how.refresh, Agent: how.agent}
	file := new(RobotsFile) // not on the stack: ten thousand sites may wait here
	out := s.retry(ctx, func(left *countdown) *Outcome {
		b := s.attempt(ctx, url, lim, left)
		defer b.Close()
		file.Body = readRobots(b)
		return b.out
	})
	file.Outcome = *out
	return file
}

// readRobots reads a body up to its limit, and cuts it there.
func readRobots(b *body) []byte {
	text, err := io.ReadAll(b)
	if e := (*Error)(nil); errors.As(err, &e) && e.Code == CodeBodyTooLarge {
		b.out.Code, b.out.Detail = "", ""
		text = wholeLines(text)
		sum := sha256.Sum256(text) // of the part that is kept, which a report shows
		b.out.SHA256 = hex.EncodeToString(sum[:])
	}
	return text
}

// robotsURL returns the URL of the robots.txt of a URL's origin. An invalid URL
// is returned unchanged, so that the attempt refuses it.
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

// RobotsAgain requests a robots.txt whose last answer is known, as Robots does without a Cache. An
// unchanged file costs its server only a 304: then the result is nil. last may be the zero value.
func (s *Site) RobotsAgain(ctx context.Context, origin string, last *Outcome) *RobotsFile {
	v := validatorOf(*last)
	file := s.askRobots(ctx, robotsURL(origin), robotsOptions{refresh: v})
	if v.confirmed(file.Outcome) {
		return nil
	}
	return file
}
