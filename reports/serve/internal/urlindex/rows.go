package urlindex

import (
	"context"
	"encoding/binary"
	"errors"
	"iter"

	"robots-audit/audit"
	"robots-audit/reports/internal/disk"
)

// Rows are all matches of a query, for a file.
type Rows struct {
	Total int64 // all matches, without Limit
	All   iter.Seq2[*URL, error]
}

// Rows runs a query, of which any Limit may be asked for, but MaxSorted at most if it has another order than
// ByURL. dir is the folder for a temporary file without a name: another order than that of the index would
// need all texts in memory. All must be read once, with the same context.
func (x *Index) Rows(ctx context.Context, q Query, dir string) (Rows, error) {
	limit := q.Limit
	if q.Sort == ByURL {
		q.Limit, q.Offset = 0, 0
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

// found are the matching URLs of a block.
type found struct {
	urls []URL
	err  error
}

// inOrder yields the matches in the order of the index.
func (s *search) inOrder(ctx context.Context, limit int) iter.Seq2[*URL, error] {
	return func(yield func(*URL, error) bool) {
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

// kept is the place of a match in the file.
type kept struct {
	at   int64
	size uint32
}

// keptBytes are the bytes that are written at once.
const keptBytes = 256 << 10

func (s *search) throughFile(ctx context.Context, dir string, yield func(*URL) bool) (err error) {
	file, err := disk.CreateUnnamed(disk.OS{}, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	places := make([]kept, len(s.top.list))
	buf, size := []byte(nil), int64(0)
	flush := func() error {
		_, err := file.Write(buf)
		size, buf = size+int64(len(buf)), buf[:0]
		return err
	}
	err = s.placed(ctx, func(n int, loc []byte, c *class, amounts []byte) error {
		from := len(buf)
		buf = binary.AppendUvarint(c.append(buf), uint64(len(loc)))
		buf = append(append(buf, loc...), amounts...)
		places[n] = kept{size + int64(from), uint32(len(buf) - from)}
		if len(buf) >= keptBytes {
			return flush()
		}
		return nil
	})
	if err == nil {
		err = flush()
	}
	var u URL
	var c class
	for i := 0; err == nil && i < len(places); i++ {
		if err = ctx.Err(); err != nil {
			break
		}
		buf = append(buf[:0], make([]byte, places[i].size)...)
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
