//go:build !unix

package crawl

import (
	"testing"
	"time"
)

var processStart = time.Now()

// processorTime returns the time that this process has been running, for want
// of a better one.
func processorTime(*testing.T) time.Duration { return time.Since(processStart) }
