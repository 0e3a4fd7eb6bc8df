//go:build !windows

package errno

import "syscall"

var (
	full      = numbers{syscall.ENOSPC, syscall.EDQUOT}
	protected = numbers{syscall.EROFS}
	held      numbers
	otherDisk = numbers{syscall.EXDEV}
	noName    = numbers{syscall.ENOTDIR, syscall.ENAMETOOLONG}
	tooMany   = numbers{syscall.EMFILE, syscall.ENFILE}
	inUse     = numbers{syscall.EADDRINUSE}
	refused   = numbers{syscall.ECONNREFUSED}
	reset     = numbers{syscall.ECONNRESET}
	gone      = numbers{syscall.EPIPE}
	timedOut  = numbers{syscall.ETIMEDOUT}
)
