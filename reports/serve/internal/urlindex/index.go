package urlindex

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/klauspost/compress/zstd"

	"robots-audit/engine"
	"robots-audit/reports/internal/disk"
)

// Index is an index of URLs on disk. Many goroutines may search it at a time. Close it after the last
// search.
type Index struct {
	file  *os.File
	info  os.FileInfo
	table table
}

// blocks is a pool of *block.
var blocks = sync.Pool{New: func() any { return new(block) }}

// blockDecoder decompresses blocks on all cores.
var blockDecoder = sync.OnceValues(func() (*zstd.Decoder, error) { return newDecoder(maxBlock) })

// table is the part of an index that stays in memory. In the file it is JSON in a zstd frame after the
// blocks, followed by its length and by magic, which changes with the format.
type table struct {
	Key    string
	Blocks []entry
	Words  words

	outcomes []Outcome // of Words
}

const (
	magic    = "URLBLCK2"
	maxTable = 1 << 28 // bytes of a table in memory
)

// finish writes the table after the blocks.
func (w *writer) finish(key string, of words) error {
	if err := w.flush(); err != nil {
		return err
	}
	text, err := json.Marshal(table{Key: key, Blocks: w.blocks, Words: of})
	if err != nil {
		return err
	}
	packed := w.encoder.EncodeAll(text, nil)
	packed = binary.LittleEndian.AppendUint64(packed, uint64(len(packed)))
	return w.write(append(packed, magic...))
}

// newDecoder returns a decoder for frames of at most so many bytes.
func newDecoder(most uint64) (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(most))
}

// Open opens an index. After an error it must be built again: it has another key or another version of the
// program, is damaged, or does not exist. last is an earlier Index of the same path, closed or not, whose
// table is used again if the file has not changed; nil = none.
func Open(path, key string, last *Index) (*Index, error) {
	f, err := disk.Open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	x := &Index{file: f}
	if err := x.open(key, last); err != nil {
		x.Close()
		return nil, err
	}
	return x, nil
}

func (x *Index) open(key string, last *Index) error {
	info, err := x.file.Stat()
	if err != nil {
		return err
	}
	x.info = info
	if last != nil && last.table.Key == key && os.SameFile(last.info, info) && last.info.Size() == info.Size() && last.info.ModTime().Equal(info.ModTime()) {
		x.table = last.table
		return nil
	}
	ofTable, err := newDecoder(maxTable)
	if err != nil {
		return err
	}
	defer ofTable.Close()
	const trailer = 8 + int64(len(magic))
	end := make([]byte, trailer)
	if info.Size() < trailer {
		return fmt.Errorf("%w: it is cut off", ErrDamaged)
	}
	if _, err := x.file.ReadAt(end, info.Size()-trailer); err != nil {
		return err
	}
	size := binary.LittleEndian.Uint64(end)
	if string(end[8:]) != magic || size > uint64(min(info.Size()-trailer, maxTable)) {
		return fmt.Errorf("%w: its end", ErrDamaged)
	}
	text, err := unpack(x.file, ofTable, info.Size()-trailer-int64(size), make([]byte, size), nil)
	if err != nil {
		return err
	}
	if json.Unmarshal(text, &x.table) != nil {
		return fmt.Errorf("%w: its table", ErrDamaged)
	}
	if x.table.Key != key {
		return errors.New("the index of URLs is of something else")
	}
	return x.table.resolve()
}

// resolve makes the outcomes of the words.
func (t *table) resolve() error {
	w := &t.Words
	for i := range w.Outcomes {
		o := &w.Outcomes[i]
		if int(o.Set) >= len(w.Sets) || len(o.Lines) != len(o.Verdicts) || len(o.Rules) != len(o.Verdicts) {
			return fmt.Errorf("%w: its verdicts", ErrDamaged)
		}
		of := Outcome{Crawlers: w.Sets[o.Set], Lines: o.Lines, rules: o.Rules, texts: w.Rules}
		for k, v := range o.Verdicts {
			of.Verdicts = append(of.Verdicts, engine.Verdict(v))
			if int(o.Rules[k]) >= len(w.Rules) {
				return fmt.Errorf("%w: its rules", ErrDamaged)
			}
		}
		if of.Verdicts != nil && len(of.Verdicts) != len(of.Crawlers) {
			return fmt.Errorf("%w: its verdicts", ErrDamaged)
		}
		t.outcomes = append(t.outcomes, of)
	}
	w.Outcomes = nil
	return nil
}

// Lost counts the URLs that filters cannot find.
func (x *Index) Lost() Lost { return x.table.Words.Lost }

// Len is the number of URLs.
func (x *Index) Len() (n int64) {
	for i := range x.table.Blocks {
		n += int64(x.table.Blocks[i].Count)
	}
	return n
}

// Numbers reports which numbers some of the URLs have.
func (x *Index) Numbers() (clicks, hits bool) {
	for i := range x.table.Blocks {
		clicks, hits = clicks || x.table.Blocks[i].Clicks > 0, hits || x.table.Blocks[i].Hits > 0
	}
	return clicks, hits
}

// Close closes the file. A search under way ends with an error.
func (x *Index) Close() error { return x.file.Close() }
