//go:build !linux

package store

// syncsWhole reports whether syncWhole will do for a folder: only Linux has it.
func syncsWhole(string) bool { return false }

func syncWhole(string) error { return nil }
