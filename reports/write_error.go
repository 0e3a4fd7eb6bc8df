package reports

import "robots-audit/reports/internal/disk"

// Codes of the trouble of writing a site's report, in its errors with stage "report".
const (
	codeDiskFull    = "disk_full"    // no space, or a quota is used up
	codeReadOnly    = "read_only"    // the place may not be written
	codeWriteFailed = "write_failed" // anything else
)

// writeCode returns the code of an error of writing.
func writeCode(err error) string {
	switch {
	case disk.IsFull(err):
		return codeDiskFull
	case disk.IsReadOnly(err):
		return codeReadOnly
	}
	return codeWriteFailed
}
