//go:build !unix

package crawl

import (
	"testing"
	"time"
)

var processStart = time.Now()

// processorTime returns the running time of this process, since there is
// nothing better here.
func processorTime(*testing.T) time.Duration { return time.Since(processStart) }
