//go:build !unix

package secretfile

import "io/fs"

// open is false on Windows, whose modes say nothing of who may read.
func open(fs.FileInfo) bool { return false }
