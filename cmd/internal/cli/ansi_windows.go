package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

// obeys reports whether a terminal interprets escape sequences. A Windows console has to be
// switched to it, and cannot before Windows 10.
func obeys(f *os.File) bool {
	var mode uint32
	console := windows.Handle(f.Fd())
	if windows.GetConsoleMode(console, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
