package gate

import (
	"robots-audit/audit/expect"
	"robots-audit/reports/migration"
)

// Migration converts the results of expectations for the folder of a pre-migration check.
func Migration(file string, set *expect.Set, suites []*expect.Suite) *migration.Expectations {
	sum := Summary{Expectations: int64(len(set.List))}
	e := &migration.Expectations{File: file, List: []migration.Expectation{}}
	for _, s := range suites {
		sum.Add(s)
		for i := range s.Results {
			r := &s.Results[i]
			switch {
			case r.Outcome == expect.Met:
			case len(e.List) >= migration.MaxExpectations:
				e.More++
			default:
				e.List = append(e.List, migration.Expectation{Line: r.Line, Site: s.Name, URL: r.URL, Crawler: r.Crawler, Outcome: r.Outcome.String(), What: What(r), Note: r.Note})
			}
		}
	}
	e.Headline, e.Failing, e.Unclear = sum.Headline(), sum.Failing(), sum.Unclear
	return e
}
