//go:build !unix && !windows

package resources

import "time"

// CPU returns the processor time that this process has used; 0 where it is not known, as here.
func CPU() time.Duration { return 0 }
