package urlindex

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"
)

// run is a sorted run while it is read.
type run struct {
	block
	at     int     // the current entry, in block
	blocks []entry // blocks that follow
}

// compare compares the current entries.
func (r *run) compare(o *run) int {
	return cmp.Or(bytes.Compare(r.loc(r.at), o.loc(o.at)), r.columns.class(r.at).compare(o.columns.class(o.at)))
}

// next goes to the next entry.
func (r *run) next(temp io.ReaderAt) (more bool, err error) {
	if r.at++; r.at < len(r.lines) || len(r.blocks) == 0 {
		return r.at < len(r.lines), nil
	}
	err = r.read(temp, &r.blocks[0])
	r.at, r.blocks = 0, r.blocks[1:]
	return err == nil, err
}

// merger writes merged entries: URLs with their status, and with the final numbers of their templates.
type merger struct {
	out       *writer
	templates []uint32 // see Dictionary
	answered  class    // the last entry that has a status only
	loc       []byte   // its text
}

func (m *merger) add(loc []byte, c class, amounts []byte) error {
	same := m.answered.site == c.site && bytes.Equal(m.loc, loc)
	if c.kind == statusOnly {
		if same {
			c.status = max(c.status, m.answered.status)
		}
		m.answered, m.loc = c, append(m.loc[:0], loc...)
		return nil
	}
	if same && m.answered.status != 0 {
		c.status = m.answered.status
	}
	c.template = m.templates[c.template]
	return m.out.add(loc, &c, amounts)
}

// merge writes the URLs of all runs in order, each once.
func merge(ctx context.Context, temp io.ReaderAt, runs [][]entry, to *merger) error {
	var open []*run // sorted by their current entries
	for _, blocks := range runs {
		r := &run{blocks: blocks}
		if more, err := r.next(temp); err != nil {
			return err
		} else if more {
			open = append(open, r)
		}
	}
	slices.SortFunc(open, (*run).compare)
	for n := 0; len(open) > 0; n++ {
		r := open[0]
		err := to.add(r.loc(r.at), *r.columns.class(r.at), r.columns.numbers(r.at))
		if err == nil && n%1024 == 0 {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		switch more, err := r.next(temp); {
		case err != nil:
			return err
		case !more:
			open = open[1:]
		default:
			at, _ := slices.BinarySearchFunc(open[1:], r, (*run).compare)
			copy(open, open[1:1+at])
			open[at] = r
		}
	}
	return nil
}
