//go:build !windows

package disk

// heldOpen reports whether a file cannot be replaced because a program has it open: never on this
// system.
func heldOpen(string) bool { return false }
