// Package secretfile reads files that hold a secret: a password, a token, a key. All commands read
// theirs by it, so that one rule holds for all of them.
package secretfile

import (
	"fmt"
	"io"
	"os"
)

// maxBytes bounds a secret: what is longer is another file.
const maxBytes = 64 << 10

// Read returns the content of a plain file that its owner alone may read, or root and a group. On
// Windows, whose modes say nothing of who may read, any plain file is one. Errors name the file;
// errors.Is knows those of the file system.
func Read(name string) ([]byte, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() { // to open a named pipe could take for ever
		return nil, fmt.Errorf("%s: not a regular file. Expected a file with one line", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if open(info) {
		return nil, fmt.Errorf("%s has mode %04o: other users of this machine can read or write it. Run chmod 600, or let root own it with mode 440 (Kubernetes: defaultMode 0440 and fsGroup)", name, info.Mode().Perm())
	}
	text, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	if err == nil && len(text) > maxBytes {
		return nil, fmt.Errorf("%s: longer than %d bytes, so this is not a secret. Expected a file with one line", name, maxBytes)
	}
	return text, err
}
