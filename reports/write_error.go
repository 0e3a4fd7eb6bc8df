package reports

import (
	"errors"

	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/site"
)

// writeCode returns the code of an error of writing.
func writeCode(err error) string {
	switch held := new(disk.HeldError); {
	case errors.As(err, &held): // of which Windows says that it may not be written
		return site.CodeWriteFailed
	case disk.IsFull(err):
		return site.CodeDiskFull
	case disk.IsReadOnly(err):
		return site.CodeReadOnly
	}
	return site.CodeWriteFailed
}
