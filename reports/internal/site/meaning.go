package site

import "robots-audit/audit"

// meanings explain the codes of a report's own problems; package audit explains those of the audit.
var meanings = map[string]string{
	CodeMore:           "further problems of the same site",
	CodeDiskFull:       "no space left for the site's report",
	CodeReadOnly:       "no permission to write the site's report",
	CodeWriteFailed:    "the site's report could not be written",
	CodeRecordsMissing: "the file with the site's records is missing; its reports were kept",
	CodeRecordsDamaged: "the file with the site's records is damaged; its reports were kept",
	CodeReportDamaged:  "a file of the site's report is damaged",
}

// Meaning explains a code; for an unknown one it returns the code itself with spaces.
func Meaning(code string) string {
	if words := meanings[code]; words != "" {
		return words
	}
	return audit.Meaning(code)
}
