package reports

import "robots-audit/reports/internal/export"

// Formats are the names of all formats that Options.Formats may name.
func Formats() []string { return export.Formats() }

// CheckFormats returns an error that says which of the names is no format of
// Options.Formats, or named twice.
func CheckFormats(names []string) error { return export.CheckFormats(names) }
