package cli

import (
	"fmt"
	"io"
	"os"
)

// Limits of files that the user names and that are read into memory.
const (
	MaxConfig      = 1 << 20
	MaxBaseline    = 64 << 20
	MaxAuthorities = 16 << 20 // those of a whole system are 0.25 MB
)

// ReadBounded reads a file that the user names, up to a limit. It may be a pipe, or endless as
// /dev/zero.
func ReadBounded(name string, limit int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("%s: the file is too long. It can have %d bytes at most", name, limit)
	}
	return text, nil
}
