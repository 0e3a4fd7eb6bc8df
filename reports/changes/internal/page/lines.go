package page

import "fmt"

// link links the rules that decided for sample URLs to their lines, if these are shown side by
// side. No other line has an id.
func (s *section) link() {
	if s.Samples == nil {
		return
	}
	type place struct {
		origin, line int
		new          bool
	}
	ids := map[place]*string{}
	for _, f := range s.Files {
		for i := range f.Rows {
			row := &f.Rows[i]
			if row.OldLine > 0 {
				ids[place{f.at, row.OldLine, false}] = &row.OldID
			}
			if row.NewLine > 0 {
				ids[place{f.at, row.NewLine, true}] = &row.NewID
			}
		}
	}
	lead := func(r *rule, at place, letter string) {
		id := ids[at]
		if r.line == 0 || id == nil {
			return
		}
		*id = fmt.Sprintf("%s-%s%d-%d", s.ID, letter, at.origin+1, at.line)
		r.At = *id
	}
	for i := range s.Samples.Rows {
		row := &s.Samples.Rows[i]
		for k := range row.Ways {
			way := &row.Ways[k]
			lead(&way.Old, place{row.origin, way.Old.line, false}, "was")
			lead(&way.New, place{row.origin, way.New.line, true}, "is")
		}
	}
}
