//go:build !linux

package store

import "errors"

// syncsWhole reports whether syncWhole is enough for a folder: never, since only Linux has it.
func syncsWhole(string) bool { return false }

func syncWhole(string) error { return nil }

// renameNew exists only on Linux.
func renameNew(from, to string) error { return errors.ErrUnsupported }
