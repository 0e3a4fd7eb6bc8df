package urlindex

import (
	"context"
	"hash/crc32"
	"os"
	"sync"

	"github.com/klauspost/compress/zstd"

	"robots-audit/audit"
	"robots-audit/reports/internal/disk"
)

// writer writes the file of an index.
type writer struct {
	out     *os.File
	encoder *zstd.Encoder
	at      int64 // bytes written
	table   table
	part    []signature // of the blocks since the last rows
	blocks  sync.Pool   // of *block
	rooms   sync.Pool   // of *room
}

// room is what packing a block needs.
type room struct {
	raw, packed []byte
	lines       lines
	signature   signature
}

// packed is a block on its way to the file.
type packed struct {
	entry entry
	room  *room
	err   error
}

// mergeRuns writes the index of the sorted runs.
func mergeRuns(ctx context.Context, out *os.File, key string, file *runFile, runs []run, blockBytes int, stats *Stats) error {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false), zstd.WithWindowSize(128<<10))
	if err != nil {
		return err
	}
	w := &writer{out: out, encoder: encoder, table: table{key: key}}
	w.blocks.New = func() any { return new(block) }
	w.rooms.New = func() any { return new(room) }
	var failed error
	for p := range audit.InOrder(w.merged(ctx, file, runs, blockBytes, stats, &failed), w.pack) {
		if p.err == nil {
			p.err = w.add(p)
		}
		if p.err != nil {
			return p.err
		}
		stats.URLs += int64(p.entry.count)
		stats.Blocks++
	}
	if failed == nil {
		failed = w.finish()
	}
	stats.Bytes = w.at
	return failed
}

// merged yields the blocks of all URLs in order, each URL once. What goes wrong is failed.
func (w *writer) merged(ctx context.Context, file *runFile, runs []run, blockBytes int, stats *Stats, failed *error) func(yield func(*block) bool) {
	return func(yield func(*block) bool) {
		if len(runs) == 0 {
			return
		}
		readers := make([]*runReader, len(runs))
		for i, r := range runs {
			readers[i] = newRunReader(file, r)
		}
		m, err := newMerger(readers)
		if err != nil {
			*failed = err
			return
		}
		b := w.blocks.Get().(*block)
		size, last := 0, meta{} // of the last URL
		for top := m.top(); top != nil; top = m.top() {
			if b.count > 0 && top.shared == size && len(top.loc) == size && top.meta.same(last) {
				b.again(top.meta)
				stats.Repeated++
			} else {
				if b.size() >= blockBytes {
					if *failed = ctx.Err(); *failed != nil || !yield(b) {
						return
					}
					b = w.blocks.Get().(*block)
				}
				b.add(top.loc, top.shared, top.meta)
				size, last = len(top.loc), top.meta
			}
			if *failed = m.next(); *failed != nil {
				return
			}
		}
		yield(b)
	}
}

// pack compresses a block; many goroutines do so.
func (w *writer) pack(b *block) packed {
	r := w.rooms.Get().(*room)
	r.raw = b.appendTo(r.raw[:0])
	r.packed = w.encoder.EncodeAll(r.raw, r.packed[:0])
	e := entry{
		first: append([]byte(nil), b.first...), size: uint32(len(r.packed)), raw: uint32(len(r.raw)),
		sum: crc32.Checksum(r.packed, disk.Castagnoli), count: uint32(b.count), site: b.site, mixed: b.mixed,
	}
	err := r.signature.sign(b, r.raw, &r.lines)
	b.reset()
	w.blocks.Put(b)
	return packed{e, r, err}
}

// add writes a block.
func (w *writer) add(p packed) error {
	p.entry.at = w.at
	w.table.blocks = append(w.table.blocks, p.entry)
	w.part = append(w.part, p.room.signature)
	err := w.write(p.room.packed)
	w.rooms.Put(p.room)
	if err == nil && len(w.part) == partBlocks {
		err = w.addRows()
	}
	return err
}

// addRows writes the filter of a part.
func (w *writer) addRows() error {
	at := w.at
	if len(w.part) < fewBlocks {
		at = 0
	}
	w.table.rows = append(w.table.rows, at)
	var err error
	if at != 0 {
		err = w.write(appendRows(nil, w.part))
	}
	w.part = w.part[:0]
	return err
}

// finish writes what follows the blocks.
func (w *writer) finish() error {
	if len(w.part) > 0 {
		if err := w.addRows(); err != nil {
			return err
		}
	}
	raw, at := w.table.append(nil), w.at
	all := w.encoder.EncodeAll(raw, nil)
	return w.write(appendTrailer(all, at, len(raw), all))
}

func (w *writer) write(b []byte) error {
	n, err := w.out.Write(b)
	w.at += int64(n)
	return err
}
