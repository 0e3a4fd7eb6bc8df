//go:build unix

package resources

import "syscall"

// OpenFiles returns how many files and connections this process may have open at a time. Go raises
// that limit to the system's maximum.
func OpenFiles() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return int(min(uint64(limit.Cur), 1<<30))
}
