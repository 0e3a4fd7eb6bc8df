//go:build !unix && !windows

package resources

import "time"

// CPU returns the processor time of this process; 0 if unknown, as here.
func CPU() time.Duration { return 0 }
