package crawl

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
)

// ServedRobots returns what asking an origin ("https://example.com") for its robots.txt
// would come to if it answered with status 200 and body, without a redirect. Of a body
// longer than limit bytes the whole lines within it are kept, as of one that is
// fetched; 0 = the limit of the zero Client.
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

// served returns the robots.txt that stands in for that of an origin; false = none does.
func (s *Site) served(origin string) (*RobotsFile, bool) {
	_, host, _ := strings.Cut(strings.TrimSuffix(robotsURL(origin), "/robots.txt"), "://")
	body, ok := s.client.Served[host]
	if !ok {
		return nil, false
	}
	file := ServedRobots(origin, body, s.client.maxRobots())
	file.Started = time.Now().UTC()
	file.Given, file.Hops, file.Tries = true, nil, 0 // a record must not tell of a request that was never sent
	return file, true
}
