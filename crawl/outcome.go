package crawl

import (
	"net/http"
	"time"

	"robots-audit/crawl/internal/weburl"
)

// Hop is one request of a redirect chain with its response.
type Hop struct {
	URL      string      `json:"url"`
	Status   int         `json:"status"`             // 0: no response, see Code
	Location string      `json:"location,omitempty"` // target of a 3xx, resolved
	Address  string      `json:"address,omitempty"`  // remote address that answered
	Started  time.Time   `json:"started"`            // UTC
	Millis   float64     `json:"millis"`             // until the response header was read
	Header   http.Header `json:"header,omitempty"`
	Code     string      `json:"code,omitempty"` // one of the codes of this package
}

// Outcome is the result of a request for one URL, as data.
type Outcome struct {
	URL       string    `json:"url"`                 // as requested
	Hops      []Hop     `json:"hops,omitempty"`      // all requests, the final one last
	Status    int       `json:"status"`              // final status; 0: none
	Code      string    `json:"code,omitempty"`      // "" = the body was read whole
	Detail    string    `json:"detail,omitempty"`    // the error in words, for people
	Type      string    `json:"type,omitempty"`      // Content-Type of the final answer
	Bytes     int64     `json:"bytes"`               // decompressed bytes read
	Wire      int64     `json:"wire,omitempty"`      // bytes of the body on the wire
	SHA256    string    `json:"sha256,omitempty"`    // of the decompressed bytes read, hexadecimal
	Truncated bool      `json:"truncated,omitempty"` // reading stopped at the limit
	Given     bool      `json:"given,omitempty"`     // this robots.txt was not requested, but is from Client.Served; Status and Type are those of a server, and there are no Hops and no Tries
	Tries     int       `json:"tries,omitempty"`     // requests for the whole chain, 1 = no retry
	Started   time.Time `json:"started"`             // UTC
	Millis    float64   `json:"millis"`              // until the last byte
}

// Redirects returns how many redirects were followed.
func (o Outcome) Redirects() int { return max(0, len(o.Hops)-1) }

// RobotsFile is the result of a request for an origin's robots.txt. The fields
// about caches and failures are set if Client.Cache is set.
type RobotsFile struct {
	Outcome
	Body []byte `json:"body,omitempty"` // at most the limit, cut at a line end; as JSON base64

	// Body and Outcome are our copy of an earlier answer. It is still fresh, or
	// confirmed by a 304, which is then the last hop.
	FromCache bool      `json:"from_cache,omitempty"`
	CachedAt  time.Time `json:"cached_at,omitzero"` // when the answer of Body or Cached came, UTC

	// The history of an unreachable site: a server error, 429, or a network error,
	// such as an incomplete answer.
	FirstFailure     time.Time `json:"first_failure,omitzero"`      // since the last answer; UTC
	UnreachableHours float64   `json:"unreachable_hours,omitempty"` // since FirstFailure
	Cached           []byte    `json:"cached,omitempty"`            // the last good copy, nil = none; as JSON base64
}

// reportedFields are the response header fields that reports show. All others,
// such as cookies, are dropped.
var reportedFields = []string{
	"Age", "Cache-Control", "Cf-Cache-Status", "Content-Encoding", "Content-Length", "Content-Type", "Date", "Etag",
	"Last-Modified", "Location", "Retry-After", "Server", "Vary", "Via", "X-Robots-Tag",
}

// Limits for one field.
const (
	maxHeaderValue  = 1 << 10 // bytes of a value
	maxHeaderValues = 8
)

// reportedHeaders copies the fields that reports show, each value cut to 1 KiB.
func reportedHeaders(h http.Header) http.Header {
	kept := http.Header{}
	for _, name := range reportedFields {
		values := h[name]
		for _, v := range values[:min(len(values), maxHeaderValues)] {
			kept[name] = append(kept[name], weburl.Truncate(v, maxHeaderValue))
		}
	}
	return kept
}
