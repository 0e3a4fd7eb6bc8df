package crawl

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"time"

	"robots-audit/crawl/internal/weburl"
)

// cachedRobots answers from the cache while its copy is fresh, unless it is to be confirmed, and asks
// the site otherwise.
func (s *Site) cachedRobots(ctx context.Context, url string) *RobotsFile {
	cache := s.client.Cache
	key := s.client.cacheKey(url)
	now := cache.now()
	e, ok := decodeEntry(cache.file.Get(key))
	if !ok {
		e = new(entry)
	}
	ahead := e.setBack(now)
	if !cache.Confirm && e.Answer.Status != 0 && now.Before(e.Until) && e.Until.Sub(e.Checked) <= day {
		return e.file(&e.Answer)
	}
	v := validatorOf(e.Answer)
	if ahead {
		v = nil
	}
	file := s.askRobots(ctx, url, robotsOptions{refresh: v})
	value, known := e.update(file, v, cache.now())
	if known {
		cache.file.Put(key, value...)
	}
	return file
}

// setBack corrects times of an entry that are in the future, since the clock was wrong. It reports
// whether any was. Its answer is requested again, and stays the last good copy until a newer one
// comes.
func (e *entry) setBack(now time.Time) (ahead bool) {
	if e.Failing.After(now) {
		e.Failing = time.Time{}
	}
	if !e.Came.After(now) && !e.Checked.After(now) {
		return false
	}
	e.Until = time.Time{}
	for _, t := range []*time.Time{&e.Came, &e.Checked} {
		if t.After(now) {
			*t = now
		}
	}
	return true
}

// update updates the entry with the result of a request, and completes the result: a 304 becomes
// our copy, a failure gets its history. value is the entry to write, nil to write none. known is
// false if the result says nothing about the site.
func (e *entry) update(file *RobotsFile, v *validator, now time.Time) (value [][]byte, known bool) {
	switch {
	case v.confirmed(file.Outcome):
		last := file.Hops[len(file.Hops)-1].Header
		e.Checked, e.Until, e.Failing = now, now.Add(e.life(last)), time.Time{}
		confirmed := e.Answer
		confirmed.Hops, confirmed.Tries, confirmed.Started, confirmed.Millis = file.Hops, file.Tries, file.Started, file.Millis
		confirmed.Wire = 0
		*file = *e.file(&confirmed)
	case file.Code == "" || file.Code == CodeHTTPStatus && (file.Status == 404 || file.Status == 410):
		last := file.Hops[len(file.Hops)-1].Header
		if !mayStore(last) {
			return nil, true
		}
		*e = entry{Answer: file.Outcome, Came: now, Checked: now, Until: now.Add(lifetime(last)), body: file.Body}
	case unreachable(file.Outcome):
		if e.Failing.IsZero() {
			e.Failing = now
		}
		file.FirstFailure, file.UnreachableHours = e.Failing.UTC(), now.Sub(e.Failing).Hours()
		if e.Answer.Status/100 == 2 {
			file.Cached, file.CachedAt = e.body, e.Came.UTC()
		}
	case file.Status >= 400 || file.Code == CodeTooManyRedirects || file.Code == CodeRedirectLoop || file.Code == CodeBadRedirect:
		return nil, true // an answer, but not one to keep
	default:
		return nil, false // our own error: cancelled, refused, or not a URL
	}
	value, err := e.encode()
	return value, err == nil
}

// life returns how long a confirmed answer is used. The headers of the 304
// decide, else those of the answer itself.
func (e *entry) life(confirmation http.Header) time.Duration {
	if len(confirmation.Values("Cache-Control")) > 0 || len(e.Answer.Hops) == 0 {
		return lifetime(confirmation)
	}
	return lifetime(e.Answer.Hops[len(e.Answer.Hops)-1].Header)
}

// file returns the copy as an outcome.
func (e *entry) file(out *Outcome) *RobotsFile {
	return &RobotsFile{Outcome: *out, Body: e.body, FromCache: true, CachedAt: e.Came.UTC()}
}

// unreachable reports whether an outcome is an error of the server or the
// network: an answer that does not say what may be crawled (RFC 9309 2.3.1.4),
// including 429, as Google does. The reader's profile decides what it means.
func unreachable(out Outcome) bool {
	if out.Code == CodeHTTPStatus {
		return out.Status == 429 || serverError(out.Status)
	}
	switch out.Code {
	case CodeDNSNotFound, CodeDNSTemporary, CodeConnectRefused, CodeConnectTimeout, CodeConnectFailed,
		CodeTLSInvalid, CodeTLSExpired, CodeTLSWrongHost, CodeTLSUnknownCA, CodeTimeout, CodeConnectionReset,
		CodeBadHTTP, CodeHeadersTooLarge, CodeBodyIncomplete, CodeBadEncoding:
		return true
	}
	return false
}

// cacheKey returns the key of an answer: its URL and the settings that may
// change the answer, such as the user agent and the routes of connections. The
// version of this program is not one of them.
func (c *Client) cacheKey(url string) string {
	agent := c.userAgent()
	if strings.HasPrefix(agent, defaultUserAgent) {
		agent = defaultUserAgent
	}
	settings := fmt.Sprintf("%q %q %v %v %d", agent, c.ConnectTo, c.AllowPrivate, c.RootCAs != nil, c.maxRobots())
	sum := sha256.Sum256([]byte(settings))
	return weburl.Truncate(url, maxCacheURL) + " " + hex.EncodeToString(sum[:8])
}

// maxCacheURL limits the length of keys.
const maxCacheURL = 1 << 10
