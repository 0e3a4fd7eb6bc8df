//go:build !unix

package secretfile

import "io/fs"

// open is always false on Windows, where modes do not say who may read.
func open(fs.FileInfo) bool { return false }
