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
	at     int     // the current URL, in block
	blocks []entry // blocks that follow
}

// compare compares the current URLs.
func (r *run) compare(o *run) int {
	return cmp.Or(bytes.Compare(r.loc(r.at), o.loc(o.at)), r.lines[r.at].meta.compare(o.lines[o.at].meta))
}

// merge writes the URLs of all runs in order, each once.
func merge(ctx context.Context, temp io.ReaderAt, runs [][]entry, w *writer) error {
	next := func(r *run) (more bool, err error) {
		if r.at++; r.at < len(r.lines) || len(r.blocks) == 0 {
			return r.at < len(r.lines), nil
		}
		err = r.read(temp, &r.blocks[0], false)
		r.at, r.blocks = 0, r.blocks[1:]
		return err == nil, err
	}
	var open []*run // sorted by their current URLs
	for _, blocks := range runs {
		r := &run{blocks: blocks}
		if more, err := next(r); err != nil {
			return err
		} else if more {
			open = append(open, r)
		}
	}
	slices.SortFunc(open, (*run).compare)
	for n := 0; len(open) > 0; n++ {
		r := open[0]
		err := w.add(r.loc(r.at), r.lines[r.at].meta)
		if err == nil && n%1024 == 0 {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		switch more, err := next(r); {
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
