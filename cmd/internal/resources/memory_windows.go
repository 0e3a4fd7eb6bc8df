package resources

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

var globalMemoryStatusEx = windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")

// memoryStatus is MEMORYSTATUSEX of the system.
type memoryStatus struct {
	length, load            uint32
	total, _, _, _, _, _, _ uint64
}

// machineMemory returns how many bytes of memory the machine has; 0 if unknown.
func machineMemory() int64 {
	var s memoryStatus
	s.length = uint32(unsafe.Sizeof(s))
	if ok, _, _ := globalMemoryStatusEx.Call(uintptr(unsafe.Pointer(&s))); ok == 0 {
		return 0
	}
	return int64(min(s.total, 1<<62))
}
