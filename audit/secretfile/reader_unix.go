//go:build unix

package secretfile

import (
	"io/fs"
	"syscall"
)

// open reports whether others than the owner may read or write a file. A group may read files of
// root, as with private keys in PostgreSQL: root chose the group, and our user could not.
// Kubernetes provides secrets like this (0440, with fsGroup), and so does systemd: the access list
// of LoadCredential looks like 0440.
func open(file fs.FileInfo) bool {
	mode := file.Mode().Perm()
	if of, ok := file.Sys().(*syscall.Stat_t); ok && of.Uid == 0 {
		mode &^= 0o040
	}
	return mode&0o077 != 0
}
