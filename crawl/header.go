package crawl

import (
	"net/http"

	"robots-audit/crawl/internal/weburl"
)

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
