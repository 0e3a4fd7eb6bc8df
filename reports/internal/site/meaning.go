package site

import "robots-audit/audit"

// meanings say in words what the codes of a report's own problems mean; those of the
// audit are audit's.
var meanings = map[string]string{
	CodeMore:           "further problems of the same site",
	CodeDiskFull:       "no space left for the site's report",
	CodeReadOnly:       "the place of the site's report may not be written",
	CodeWriteFailed:    "the site's report could not be written",
	CodeRecordsMissing: "the file of the site's records is not there any more; what was made of it stays as it was",
	CodeRecordsDamaged: "the file of the site's records is not as it was written; what was made of it stays as it was",
	CodeReportDamaged:  "a file of the site's report is not as it was written",
}

// Meaning says what a code means; of one that is not known, the code itself with spaces.
func Meaning(code string) string {
	if words := meanings[code]; words != "" {
		return words
	}
	return audit.Meaning(code)
}
