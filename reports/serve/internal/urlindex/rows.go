package urlindex

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"iter"
	"slices"

	"robots-audit/audit"
	"robots-audit/reports/internal/disk"
)

// Rows are all matches of a query, for a file.
type Rows struct {
	Total int64 // all matches, without Limit
	All   iter.Seq2[*URL, error]
}

// Rows runs a query from its first match on. Any Limit may be asked for, but MaxSorted at most if it has another
// order than ByURL. dir is the folder for a temporary file without a name: another order than that of the index would
// need all texts in memory. All must be read once, with the same context.
func (x *Index) Rows(ctx context.Context, q Query, dir string) (Rows, error) {
	limit := q.Limit
	if q.Offset = 0; q.Sort == ByURL {
		q.Limit = 0
	}
	s, err := x.search(ctx, &q)
	if err == nil && s.result.More {
		err = context.DeadlineExceeded
	}
	rows := Rows{Total: s.result.Total}
	if rows.All = s.inOrder(ctx, limit); q.Sort != ByURL {
		rows.All = s.byNumber(ctx, dir)
	}
	return rows, err
}

// inOrder yields the matches in the order of the index.
func (s *search) inOrder(ctx context.Context, limit int) iter.Seq2[*URL, error] {
	return func(yield func(*URL, error) bool) {
		type found struct { // matching URLs of a block
			urls []URL
			err  error
		}
		left := limit
		for f := range audit.InOrder(s.candidates, func(at int) (f found) {
			if f.err = ctx.Err(); f.err == nil {
				f.urls, f.err = s.urls(at, 0, limit)
			}
			return f
		}) {
			for i := range f.urls {
				if left--; left < 0 || !yield(&f.urls[i], nil) {
					return
				}
			}
			if f.err != nil {
				yield(nil, f.err)
				return
			}
		}
	}
}

// byNumber yields the matches by their numbers. It writes them to a file block by block, and reads them one by one.
func (s *search) byNumber(ctx context.Context, dir string) iter.Seq2[*URL, error] {
	return func(yield func(*URL, error) bool) {
		more := true
		err := s.throughFile(ctx, dir, func(u *URL) bool {
			more = yield(u, nil)
			return more
		})
		if err != nil && more {
			yield(nil, err)
		}
	}
}

func (s *search) throughFile(ctx context.Context, dir string, yield func(*URL) bool) (err error) {
	file, err := disk.CreateUnnamed(disk.OS{}, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	type place struct {
		at   int64
		size uint32
	}
	places := make([]place, len(s.top.list))
	out, end, buf := bufio.NewWriterSize(file, 256<<10), int64(0), []byte(nil)
	err = s.placed(ctx, func(n int, loc []byte, c *class, amounts []byte) error {
		buf = binary.AppendUvarint(c.append(buf[:0]), uint64(len(loc)))
		buf = append(append(buf, loc...), amounts...)
		places[n] = place{end, uint32(len(buf))}
		end += int64(len(buf))
		_, err := out.Write(buf)
		return err
	})
	if err == nil {
		err = out.Flush()
	}
	var u URL
	var c class
	for i := 0; err == nil && i < len(places); i++ {
		if err = ctx.Err(); err != nil {
			break
		}
		buf = slices.Grow(buf[:0], int(places[i].size))[:places[i].size]
		if _, err = file.ReadAt(buf, places[i].at); err != nil {
			break
		}
		c.read(buf)
		length, n := binary.Uvarint(buf[classBytes:])
		rest := buf[classBytes+n:]
		if err = s.read(&u, string(rest[:length]), &c, rest[length:]); err == nil && !yield(&u) {
			return nil
		}
	}
	return err
}
