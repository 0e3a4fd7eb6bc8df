package reports

import (
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/site"
)

// writeCode returns the code of an error of writing.
func writeCode(err error) string {
	switch {
	case disk.IsFull(err):
		return site.CodeDiskFull
	case disk.IsReadOnly(err):
		return site.CodeReadOnly
	}
	return site.CodeWriteFailed
}
