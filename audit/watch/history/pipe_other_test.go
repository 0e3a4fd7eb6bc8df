//go:build !unix

package history

import "testing"

func pipe(t *testing.T, _, _ string) error {
	t.Skip("a named pipe has no name in a folder here")
	return nil
}
