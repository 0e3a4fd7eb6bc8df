//go:build unix

package store

import (
	"errors"
	"syscall"
)

// isQuota reports whether a user's share of the disk is used up.
func isQuota(err error) bool { return errors.Is(err, syscall.EDQUOT) }
