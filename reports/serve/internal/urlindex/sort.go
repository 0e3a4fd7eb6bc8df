package urlindex

import (
	"context"
	"fmt"
	"io/fs"
	"iter"

	"robots-audit/audit"
)

// sorted is what became of an arena.
type sorted struct {
	run      run
	repeated int64
	err      error
}

// sortRuns sorts the URLs, as many at a time as there is room for. While one arena is filled, others
// are sorted and written.
func sortRuns(ctx context.Context, file *runFile, urls iter.Seq2[URL, error], arenaBytes int, stats *Stats) ([]run, error) {
	free := make(chan *arena, arenas)
	for range arenas {
		free <- &arena{limit: arenaBytes}
	}
	var failed error
	full := func(yield func(*arena) bool) {
		a := <-free
		seen := 0
		for u, err := range urls {
			if seen++; err == nil && seen%1024 == 0 {
				err = ctx.Err()
			}
			if err == nil {
				err = check(&u)
			}
			if err != nil {
				failed = err
				return
			}
			a.add(&u, metaOfURL(&u))
			if a.full() {
				if !yield(a) {
					return
				}
				a = <-free
			}
		}
		if len(a.items) > 0 {
			yield(a)
		}
	}
	var runs []run
	for s := range audit.InOrder(full, func(a *arena) sorted {
		var s sorted
		s.run, s.repeated, s.err = writeRun(file, a)
		a.reset()
		free <- a
		return s
	}) {
		if s.err != nil {
			return nil, s.err
		}
		runs = append(runs, s.run)
		stats.Repeated += s.repeated
	}
	if failed == nil {
		failed = ctx.Err()
	}
	return runs, failed
}

// check says what of a URL the index cannot hold; nothing of a run is so.
func check(u *URL) error {
	switch {
	case len(u.Loc) > maxLoc:
		return fmt.Errorf("a URL of %d bytes, where none of ours has more than %d", len(u.Loc), maxLoc)
	case u.Site < 0, u.Kind > 127:
		return fmt.Errorf("a URL of site %d and kind %d: %w", u.Site, u.Kind, fs.ErrInvalid)
	}
	return nil
}

func metaOfURL(u *URL) meta {
	m := meta{site: uint32(u.Site), kind: byte(u.Kind)}
	if u.Listed {
		m.listed = 1
	}
	return m
}

// writeRun sorts an arena's URLs and writes them, each once. repeated are those that were
// there more than once.
func writeRun(file *runFile, a *arena) (r run, repeated int64, err error) {
	a.sort()
	w := runWriter{file: file}
	var last []byte
	for i := 0; i < len(a.items); {
		loc, m := a.loc(a.items[i]), a.meta(a.items[i])
		shared := sharedBytes(last, loc)
		for i++; i < len(a.items); i++ {
			next := a.meta(a.items[i])
			if !m.same(next) || string(a.loc(a.items[i])) != string(loc) {
				break
			}
			m.listed |= next.listed
			repeated++
		}
		if err := w.add(loc, shared, m); err != nil {
			return run{}, 0, err
		}
		last = loc
	}
	r, err = w.finish()
	return r, repeated, err
}
