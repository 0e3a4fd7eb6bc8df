package resources

import (
	"time"

	"golang.org/x/sys/windows"
)

// CPU returns the processor time of this process, its own and the system's for it; 0 if unknown.
func CPU() time.Duration {
	var created, ended, system, own windows.Filetime
	if windows.GetProcessTimes(windows.CurrentProcess(), &created, &ended, &system, &own) != nil {
		return 0
	}
	return duration(system) + duration(own)
}

// duration converts a time span of Windows, which has units of 100 nanoseconds.
func duration(t windows.Filetime) time.Duration {
	return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
}
