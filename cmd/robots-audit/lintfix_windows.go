package main

import (
	"io/fs"
	"os"
)

// keepOwner does nothing: a new file belongs to whoever makes it.
func keepOwner(*os.File, fs.FileInfo) {}
