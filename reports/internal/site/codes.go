package site

// Codes of the problems that a report itself may have; those of the audit are
// crawl's and audit's. They are promises, like all codes.
const (
	CodeDiskFull       = "disk_full"       // no space, or a quota is used up
	CodeReadOnly       = "read_only"       // the folder or file may not be written
	CodeWriteFailed    = "write_failed"    // any other trouble of writing
	CodeRecordsMissing = "records_missing" // there is no file of records
	CodeRecordsDamaged = "records_damaged" // the file of records is not as it was written
	CodeReportDamaged  = "report_damaged"  // a file of the report is not as it was written
	CodeMore           = "more"            // stands in a summary for further problems of the same site
)
