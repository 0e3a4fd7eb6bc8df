package reports

import (
	"errors"

	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/site"
)

// writeCode returns the code of a write error.
func writeCode(err error) string {
	switch held := new(disk.HeldError); {
	case errors.As(err, &held): // Windows reports that the file may not be written
		return site.CodeWriteFailed
	case disk.IsFull(err):
		return site.CodeDiskFull
	case disk.IsReadOnly(err):
		return site.CodeReadOnly
	}
	return site.CodeWriteFailed
}
