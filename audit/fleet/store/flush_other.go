//go:build !linux

package store

import "errors"

// syncsWhole reports whether syncWhole will do for a folder: only Linux has it.
func syncsWhole(string) bool { return false }

func syncWhole(string) error { return nil }

// renameNew is for Linux alone.
func renameNew(from, to string) error { return errors.ErrUnsupported }
