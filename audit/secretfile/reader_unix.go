//go:build unix

package secretfile

import (
	"io/fs"
	"syscall"
)

// open reports whether others than the owner of a file may read or write it. A group may read what
// root owns, as with private keys in PostgreSQL: root chose the group, and the user that we run as
// could not choose it. Kubernetes hands out secrets like this (0440, with fsGroup), and so does
// systemd: the access list of LoadCredential looks like 0440.
func open(file fs.FileInfo) bool {
	mode := file.Mode().Perm()
	if of, ok := file.Sys().(*syscall.Stat_t); ok && of.Uid == 0 {
		mode &^= 0o040
	}
	return mode&0o077 != 0
}
