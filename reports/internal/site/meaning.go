package site

import "robots-audit/audit"

// meanings say in words what the codes of a report's own problems mean; those of the
// audit are audit's.
var meanings = map[string]string{
	CodeMore:           "further problems of the same site",
	CodeDiskFull:       "no space left for the site's report",
	CodeReadOnly:       "no permission to write the site's report",
	CodeWriteFailed:    "the site's report could not be written",
	CodeRecordsMissing: "the file with the site's records is missing; its reports were kept",
	CodeRecordsDamaged: "the file with the site's records is damaged; its reports were kept",
	CodeReportDamaged:  "a file of the site's report is damaged",
}

// Meaning says what a code means; of one that is not known, the code itself with spaces.
func Meaning(code string) string {
	if words := meanings[code]; words != "" {
		return words
	}
	return audit.Meaning(code)
}
