package reports

import "robots-audit/reports/internal/export"

// Formats returns the names that Options.Formats may contain.
func Formats() []string { return export.Formats() }

// CheckFormats returns an error that names the first unknown format for Options.Formats, or a
// format that is named twice.
func CheckFormats(names []string) error { return export.CheckFormats(names) }
