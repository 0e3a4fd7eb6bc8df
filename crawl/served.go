package crawl

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
)

// ServedRobots returns the result of a request for an origin's robots.txt
// ("https://example.com") that gets status 200 and body without a redirect. If body is
// longer than limit bytes, only the complete lines within the limit are kept, as for a
// fetched file; 0 = the limit of the zero Client.
func ServedRobots(origin string, body []byte, limit int64) *RobotsFile {
	if limit <= 0 {
		limit = defaultMaxRobots
	}
	url := robotsURL(origin)
	file := &RobotsFile{Outcome: Outcome{URL: url, Hops: []Hop{{URL: url, Status: 200}}, Status: 200, Type: "text/plain", Tries: 1}}
	if int64(len(body)) > limit {
		body, file.Truncated = wholeLines(body[:limit]), true
	}
	sum := sha256.Sum256(body)
	file.Body, file.Bytes, file.SHA256 = body, int64(len(body)), hex.EncodeToString(sum[:])
	return file
}

// served returns the robots.txt of Client.Served for an origin; false = there is none.
func (s *Site) served(origin string) (*RobotsFile, bool) {
	_, host, _ := strings.Cut(strings.TrimSuffix(robotsURL(origin), "/robots.txt"), "://")
	body, ok := s.client.Served[host]
	if !ok {
		return nil, false
	}
	file := ServedRobots(origin, body, s.client.maxRobots())
	file.Started = time.Now().UTC()
	file.Given, file.Hops, file.Tries = true, nil, 0 // a record must not show a request that was never sent
	return file, true
}
