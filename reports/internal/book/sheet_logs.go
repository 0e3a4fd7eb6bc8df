package book

import (
	"robots-audit/audit"
	"robots-audit/reports/internal/crawls"
	"robots-audit/reports/internal/xlsx"
)

// logSheet has the crawlers of access logs, if any were given.
func logSheet(o *sheetOptions) sheetDefinition {
	return logTable(o, "Crawlers in the logs", crawls.CrawlerColumns, func(s *crawls.Site) []*crawls.Crawler { return s.Crawlers })
}

// logRuleSheet has the rules that block their requests.
func logRuleSheet(o *sheetOptions) sheetDefinition {
	return logTable(o, "Blocked requests", crawls.RuleColumns, crawls.All((*crawls.Crawler).RuleRows))
}

// logURLSheet has examples of URLs that crawlers never requested, or that the audit did not find.
func logURLSheet(o *sheetOptions) sheetDefinition {
	return logTable(o, "URLs in the logs", crawls.AddressColumns, crawls.All((*crawls.Crawler).AddressRows))
}

// logDaySheet has their requests by day.
func logDaySheet(o *sheetOptions) sheetDefinition {
	return logTable(o, "Requests by day", crawls.DateColumns, crawls.All((*crawls.Crawler).DateRows))
}

func logTable[T any](o *sheetOptions, name string, columns []crawls.Column[T], rows func(*crawls.Site) []*T) sheetDefinition {
	table := xlsx.NewTable(name, crawls.SheetColumns(columns)[1:]) // the first one is the site
	table.Kind.Optional = true
	return define(o, table, hooks[T]{end: func(s *sheet[T], _ *audit.Done) {
		if l := s.workbook.site.Crawls; l != nil {
			for _, row := range rows(crawls.New(l)) {
				s.write(row)
			}
		}
	}})
}
