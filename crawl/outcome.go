package crawl

import (
	"net/http"
	"time"

	"robots-audit/crawl/internal/weburl"
)

// Hop is one request of a redirect chain and how it was answered.
type Hop struct {
	URL      string      `json:"url"`
	Status   int         `json:"status"`             // 0: no answer, see Code
	Location string      `json:"location,omitempty"` // where a 3xx leads, resolved
	Address  string      `json:"address,omitempty"`  // remote address that answered
	Started  time.Time   `json:"started"`            // UTC
	Millis   float64     `json:"millis"`             // until the response header was read
	Header   http.Header `json:"header,omitempty"`
	Code     string      `json:"code,omitempty"` // one of the codes of this package
}

// Outcome is what came of asking for one URL: data, whatever happened.
type Outcome struct {
	URL       string    `json:"url"`                 // as asked for
	Hops      []Hop     `json:"hops,omitempty"`      // every request, the final one last
	Status    int       `json:"status"`              // final status; 0: none
	Code      string    `json:"code,omitempty"`      // "" = the body was read whole
	Detail    string    `json:"detail,omitempty"`    // the trouble in words, for people
	Type      string    `json:"type,omitempty"`      // Content-Type of the final answer
	Bytes     int64     `json:"bytes"`               // decompressed bytes read
	Wire      int64     `json:"wire,omitempty"`      // bytes of the body as they came over the wire
	SHA256    string    `json:"sha256,omitempty"`    // of the decompressed bytes read, hexadecimal
	Truncated bool      `json:"truncated,omitempty"` // reading stopped at the limit
	Given     bool      `json:"given,omitempty"`     // nobody was asked for this robots.txt: it is of Client.Served; Status and Type are what a server would answer with, and there are no Hops and no Tries
	Tries     int       `json:"tries,omitempty"`     // requests for the whole chain, 1 = no retry
	Started   time.Time `json:"started"`             // UTC
	Millis    float64   `json:"millis"`              // until the last byte
}

// Redirects returns how many redirects were followed.
func (o Outcome) Redirects() int { return max(0, len(o.Hops)-1) }

// RobotsFile is the outcome of asking an origin for its robots.txt. The
// fields about caches and failures are filled in where Client.Cache is set.
type RobotsFile struct {
	Outcome
	Body []byte `json:"body,omitempty"` // at most the limit, cut at a line end; as JSON base64

	// Body, and Outcome with it, is our copy of an earlier answer: still fresh, or
	// confirmed by a 304, which is the last hop then.
	FromCache bool      `json:"from_cache,omitempty"`
	CachedAt  time.Time `json:"cached_at,omitzero"` // when the answer of Body or Cached came, UTC

	// The history of a site that cannot be reached: a server error, 429, or
	// trouble of the network, such as an answer that is not whole.
	FirstFailure     time.Time `json:"first_failure,omitzero"`      // since the last answer; UTC
	UnreachableHours float64   `json:"unreachable_hours,omitempty"` // from then to now
	Cached           []byte    `json:"cached,omitempty"`            // the last good copy, nil = none; as JSON base64
}

// reportedFields are the response header fields that reports speak of. The rest
// is dropped, cookies first of all.
var reportedFields = []string{
	"Age", "Cache-Control", "Cf-Cache-Status", "Content-Encoding", "Content-Length", "Content-Type", "Date", "Etag",
	"Last-Modified", "Location", "Retry-After", "Server", "Vary", "Via", "X-Robots-Tag",
}

// Bounds of what is kept of one field.
const (
	maxHeaderValue  = 1 << 10 // bytes of a value
	maxHeaderValues = 8
)

// keep copies the fields that reports speak of, each value cut to 1 KiB.
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
