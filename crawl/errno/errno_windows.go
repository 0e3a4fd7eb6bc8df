package errno

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// The numbers of package syscall are included, since libraries and tests create errors with them.
var (
	full      = numbers{windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, windows.ERROR_DISK_QUOTA_EXCEEDED, syscall.ENOSPC, syscall.EDQUOT}
	protected = numbers{windows.ERROR_WRITE_PROTECT, syscall.EROFS}
	held      = numbers{windows.ERROR_SHARING_VIOLATION, windows.ERROR_LOCK_VIOLATION, windows.ERROR_USER_MAPPED_FILE}
	otherDisk = numbers{windows.ERROR_NOT_SAME_DEVICE, syscall.EXDEV}
	noName    = numbers{windows.ERROR_INVALID_NAME, windows.ERROR_BAD_PATHNAME, windows.ERROR_FILENAME_EXCED_RANGE, windows.ERROR_DIRECTORY, windows.ERROR_BAD_NETPATH, syscall.ENOTDIR, syscall.ENAMETOOLONG}
	tooMany   = numbers{windows.ERROR_TOO_MANY_OPEN_FILES, windows.WSAEMFILE, syscall.EMFILE, syscall.ENFILE}
	inUse     = numbers{windows.WSAEADDRINUSE, syscall.EADDRINUSE}
	refused   = numbers{windows.WSAECONNREFUSED, syscall.ECONNREFUSED}
	reset     = numbers{windows.WSAECONNRESET, windows.WSAECONNABORTED, windows.ERROR_NETNAME_DELETED, syscall.ECONNRESET}
	gone      = numbers{windows.WSAESHUTDOWN, windows.ERROR_BROKEN_PIPE, windows.ERROR_NO_DATA, syscall.EPIPE}
	timedOut  = numbers{windows.WSAETIMEDOUT, windows.ERROR_SEM_TIMEOUT, syscall.ETIMEDOUT}
)
