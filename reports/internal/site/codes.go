package site

// Codes of the problems of a report itself; packages crawl and audit have those of the audit. All
// codes are stable.
const (
	CodeDiskFull       = "disk_full"       // no space, or a quota is used up
	CodeReadOnly       = "read_only"       // the folder or file may not be written
	CodeWriteFailed    = "write_failed"    // any other write error
	CodeRecordsMissing = "records_missing" // the file of records is missing
	CodeRecordsDamaged = "records_damaged" // the file of records was changed or cut
	CodeReportDamaged  = "report_damaged"  // a file of the report was changed or cut
	CodeMore           = "more"            // in a summary: further problems of the same site
)
