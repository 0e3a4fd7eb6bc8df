//go:build !windows

package cli

import "os"

// obeys reports whether a terminal interprets escape sequences; here all do.
func obeys(*os.File) bool { return true }
