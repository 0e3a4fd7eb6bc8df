package page

import (
	"strconv"

	"robots-audit/engine/escape"
)

// pageSetup is the data for the script of a page. The script reads the rest from the page: for
// example, sitemaps that sources name by number are in their table.
type pageSetup struct {
	Kind     string   // kind of rows in the large table: "sites"; "" = URLs
	Rows     int64    // of the table
	Files    int      // next to the page; 0 = all rows are in it, and the next five are not needed
	Searched int      // number of these files for filters and sorting; 0 = all
	Inline   int      // rows in the page itself
	Folder   string   // of the files
	Names    []string // the first names of the finder's files
	Crawlers []string
	Clicks   bool
	Logs     bool         // sites have requests of crawlers in access logs
	Hits     string       // crawler of the rows' hits; "" = they have none
	Rules    []viewChoice // for filtering the URLs
	Dirs     []viewChoice

	NoWorkbooks bool
	SingleFile  bool // pages of sites are in frames of this page
}

// viewChoice is an option of a filter.
type viewChoice struct{ Value, Name string }

// appendJSON appends an object for a script element, without the fields that are not set:
//
//	{"rows":13,"crawlers":["Googlebot"],"rules":[["0:2","line 2, disallow: /a"]],"dirs":["/a/",["/","/ (top level)"]]}
func (s *pageSetup) appendJSON(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"rows":`...), s.Rows, 10)
	text := func(key, value string) {
		if value != "" {
			dst = escape.AppendString(append(dst, key...), value)
		}
	}
	number := func(key string, n int) {
		if n != 0 {
			dst = strconv.AppendInt(append(dst, key...), int64(n), 10)
		}
	}
	yes := func(key string, is bool) {
		if is {
			dst = append(dst, key...)
		}
	}
	text(`,"kind":`, s.Kind)
	if s.Files > 0 {
		number(`,"files":`, s.Files)
		number(`,"searched":`, s.Searched)
		number(`,"inline":`, s.Inline)
		number(`,"perFile":`, rowsPerFile)
		text(`,"folder":`, s.Folder)
		dst = appendStrings(dst, `,"names":[`, s.Names)
	}
	dst = appendStrings(dst, `,"crawlers":[`, s.Crawlers)
	yes(`,"clicks":true`, s.Clicks)
	yes(`,"logs":true`, s.Logs)
	text(`,"hits":`, s.Hits)
	dst = appendChoices(dst, `,"rules":[`, s.Rules)
	dst = appendChoices(dst, `,"dirs":[`, s.Dirs)
	yes(`,"noWorkbooks":true`, s.NoWorkbooks)
	yes(`,"singleFile":true`, s.SingleFile)
	return append(dst, '}')
}

// appendStrings appends a list, unless it is empty.
func appendStrings(dst []byte, key string, list []string) []byte {
	for i, s := range list {
		if i == 0 {
			dst = append(dst, key...)
		} else {
			dst = append(dst, ',')
		}
		dst = escape.AppendString(dst, s)
	}
	if len(list) > 0 {
		dst = append(dst, ']')
	}
	return dst
}

// appendChoices appends the options of a filter: ["0:2","line 2, disallow: /a"], or one string if
// value and name are equal.
func appendChoices(dst []byte, key string, list []viewChoice) []byte {
	for i, c := range list {
		if i == 0 {
			dst = append(dst, key...)
		} else {
			dst = append(dst, ',')
		}
		if c.Value == c.Name {
			dst = escape.AppendString(dst, c.Value)
			continue
		}
		dst = append(escape.AppendString(append(dst, '['), c.Value), ',')
		dst = append(escape.AppendString(dst, c.Name), ']')
	}
	if len(list) > 0 {
		dst = append(dst, ']')
	}
	return dst
}
