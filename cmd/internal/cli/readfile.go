package cli

import (
	"fmt"
	"io"
	"os"
)

// Bounds of files that are named by a person and read whole.
const (
	MaxConfig      = 1 << 20
	MaxBaseline    = 64 << 20
	MaxAuthorities = 16 << 20 // those of a whole system take a quarter of a megabyte
)

// ReadBounded reads a file that a person names, which may be a pipe, up to a
// bound: of /dev/zero there is no end.
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
