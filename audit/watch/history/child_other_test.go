//go:build !linux

package history

import (
	"errors"
	"syscall"
)

func asNobody() *syscall.SysProcAttr     { return nil }
func ownNamespace() *syscall.SysProcAttr { return nil }

func mountSmall(dir string, bytes int) error { return errors.ErrUnsupported }
func growSmall(dir string, bytes int) error  { return errors.ErrUnsupported }
