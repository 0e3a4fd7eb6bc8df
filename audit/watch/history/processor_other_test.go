//go:build soak && !unix

package history

import (
	"testing"
	"time"
)

var processStart = time.Now()

// processorTime is the time that this process has been running, for want of a better one.
func processorTime(testing.TB) time.Duration { return time.Since(processStart) }
