package reports

import "robots-audit/reports/internal/export"

// CheckFormats returns an error that says which of the names is no format of
// Options.Formats, or named twice.
func CheckFormats(names []string) error { return export.CheckFormats(names) }
