// Package secretfile reads files with a secret: a password, a token, a key. All commands use it, so
// that the same rule applies to all of them.
package secretfile

import (
	"fmt"
	"io"
	"os"
)

// maxBytes bounds a secret; a longer file is not a secret.
const maxBytes = 64 << 10

// Read returns the content of a regular file that only its owner may read, or root and a group. On
// Windows, where modes do not say who may read, every regular file is accepted. Errors name the
// file; errors.Is recognizes those of the file system.
func Read(name string) ([]byte, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() { // opening a named pipe could block for ever
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
