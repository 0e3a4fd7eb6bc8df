package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

// obeys reports whether a terminal does what escape sequences say. A console of Windows has to be
// told to, and one before Windows 10 cannot.
func obeys(f *os.File) bool {
	var mode uint32
	console := windows.Handle(f.Fd())
	if windows.GetConsoleMode(console, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
