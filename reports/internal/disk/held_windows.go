package disk

import (
	"golang.org/x/sys/windows"

	"robots-audit/crawl/errno"
)

// heldOpen reports whether a file cannot be replaced because a program has it open.
func heldOpen(name string) bool {
	path, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return false
	}
	const all = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	file, err := windows.CreateFile(path, windows.DELETE, all, nil, windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS, 0) // needed to open a folder
	if err == nil {
		windows.CloseHandle(file)
	}
	return errno.HeldOpen(err)
}
