package resources

import (
	"time"

	"golang.org/x/sys/windows"
)

// CPU returns the processor time that this process has used, its own and the system's on its
// behalf; 0 where it is not known.
func CPU() time.Duration {
	var created, ended, system, own windows.Filetime
	if windows.GetProcessTimes(windows.CurrentProcess(), &created, &ended, &system, &own) != nil {
		return 0
	}
	return duration(system) + duration(own)
}

// duration is a span of time, which Windows counts in units of 100 nanoseconds.
func duration(t windows.Filetime) time.Duration {
	return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
}
