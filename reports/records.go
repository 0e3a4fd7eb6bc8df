package reports

import (
	"bufio"
	"bytes"
	"errors"
	"hash/crc32"
	"io"
	"iter"
	"os"

	"github.com/klauspost/compress/zstd"

	"robots-audit/audit"
	"robots-audit/reports/internal/disk"
)

// recordsExt is the extension of a site's file of records: Zstandard frames, one
// after the other, of JSON Lines.
const recordsExt = ".jsonl.zst"

// recordChunk is the number of bytes of JSON that are compressed at once.
const recordChunk = 24 << 10

// recordWriter writes the records of one site. When the run's reports are made again, the records
// are already on disk and nothing is written.
type recordWriter struct {
	run       *Run
	base      string
	json      []byte // not compressed yet
	packed    []byte // compressed, not on disk yet
	spilled   int64  // compressed bytes on disk
	committed bool   // the file has its final name
}

// recordBuffers are the buffers to write one record.
type recordBuffers struct {
	record  []byte // encoded
	packing []byte // a chunk, compressed
}

var recordPool disk.FreeList[recordBuffers]

func (w *recordWriter) temp() string { return w.run.temp(w.base + recordsExt) }

// name is the path for reading the records before commit.
func (w *recordWriter) name() string {
	if w.run.rebuild {
		return w.run.recordsPath(w.base)
	}
	return w.temp()
}

// disk is the file system of the records.
func (w *recordWriter) disk() disk.FS {
	if w.run.rebuild {
		return w.run.sourceDisk
	}
	return w.run.folder.FS
}

// write writes a record, and returns it as a reader will get it. URLs are written without their
// domain, since the whole file belongs to one.
func (w *recordWriter) write(rec audit.Record) (audit.Record, error) {
	if w.run.rebuild {
		return rec, nil
	}
	buffers := recordPool.Get(func() *recordBuffers { return new(recordBuffers) })
	defer recordPool.Put(buffers)
	if rec.URLs != nil {
		buffers.record = audit.Encode(buffers.record[:0], audit.Record{URLs: rec.URLs})
	} else {
		buffers.record = audit.Encode(buffers.record[:0], rec)
		rec = asWritten(rec, buffers.record)
	}
	if w.json == nil {
		w.json = disk.GetBuffer()
	}
	for wire := buffers.record; len(wire) > 0; { // chunks of one size: the file does not depend on how URLs were batched
		n := min(len(wire), recordChunk-len(w.json))
		w.json, wire = append(w.json, wire[:n]...), wire[n:]
		if len(w.json) == recordChunk {
			if err := w.pack(buffers); err != nil {
				return rec, err
			}
		}
	}
	if cap(buffers.record) > 256<<10 { // grown by a large robots.txt
		buffers.record = nil
	}
	return rec, nil
}

// asWritten returns a record as a reader of line will get it. JSON replaces bytes that are not
// UTF-8 with \ufffd, and the reports must do the same: they must be equal whether they are made
// from the record or from the line.
func asWritten(rec audit.Record, line []byte) audit.Record {
	if !bytes.Contains(line, []byte(`\ufffd`)) {
		return rec
	}
	for read, err := range audit.Decode(bytes.NewReader(line)) {
		if err == nil {
			return read
		}
	}
	return rec
}

// maxPackedInMemory is the number of compressed bytes that a site keeps in memory.
const maxPackedInMemory = 16 << 10

// pack compresses the waiting records, and moves compressed bytes to disk once there are many.
func (w *recordWriter) pack(buffers *recordBuffers) error {
	if len(w.json) == 0 {
		return nil
	}
	buffers.packing = w.run.zstd.EncodeAll(w.json, buffers.packing[:0])
	w.packed = append(w.packed, buffers.packing...)
	w.json = w.json[:0]
	if len(w.packed) >= maxPackedInMemory {
		return w.spill()
	}
	return nil
}

func (w *recordWriter) spill() error {
	err := w.run.folder.FS.Append(w.temp(), w.packed)
	w.spilled += int64(len(w.packed))
	w.packed = w.packed[:0]
	return err
}

// end writes the rest to disk.
func (w *recordWriter) end() error {
	if w.run.rebuild {
		return nil
	}
	buffers := recordPool.Get(func() *recordBuffers { return new(recordBuffers) })
	defer recordPool.Put(buffers)
	if err := w.pack(buffers); err != nil {
		return err
	}
	return w.spill()
}

// commit renames the file to its final name, and returns its size in bytes.
func (w *recordWriter) commit() (size int64, err error) {
	if w.run.rebuild {
		info, err := w.run.sourceDisk.Lstat(w.run.recordsPath(w.base))
		if err != nil {
			return 0, err
		}
		return info.Size(), nil
	}
	err = w.run.folder.FS.Rename(w.temp(), w.run.path(recordsName(w.base)))
	w.committed = err == nil
	return w.spilled, err
}

// discard gives back the buffers, and removes the temporary file.
func (w *recordWriter) discard() {
	disk.PutBuffer(w.json)
	w.json, w.packed = nil, nil
	if !w.run.rebuild && !w.committed {
		w.run.folder.FS.Remove(w.temp()) // best effort: the folder is emptied when the run ends
	}
}

// maxWindow bounds the memory that a file of records may ask a reader for.
const maxWindow = 8 << 20

// maxPacked bounds how many bytes one byte of a file of records may expand to. Frames are made of
// chunks of recordChunk, and each has at least a dozen bytes.
const maxPacked = recordChunk / 12

// countedBytes are the size and checksum of a file that was read to its end.
type countedBytes struct {
	size int64
	sum  uint32
}

func (b *countedBytes) Write(p []byte) (int, error) {
	b.size += int64(len(p))
	b.sum = crc32.Update(b.sum, disk.Castagnoli, p)
	return len(p), nil
}

// decoders are reused: making one takes longer than reading the records of a small site.
var decoders disk.FreeList[zstd.Decoder]

func newDecoder() *zstd.Decoder {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
	if err != nil {
		panic(err) // invalid options: a programming error
	}
	return z
}

// readRecords reads a file of records.
func readRecords(of disk.FS, name string) iter.Seq2[audit.Record, error] {
	return readCounted(of, name, &countedBytes{})
}

// readCounted reads a file of records and counts its bytes.
func readCounted(of disk.FS, name string, read *countedBytes) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		f, err := of.Open(name, os.O_RDONLY)
		if err != nil {
			yield(audit.Record{}, err)
			return
		}
		defer f.Close()
		z := decoders.Get(newDecoder)
		defer decoders.Put(z)
		defer z.Reset(nil) // so that it does not keep the file
		if err := z.Reset(io.TeeReader(bufio.NewReader(f), read)); err != nil {
			yield(audit.Record{}, err)
			return
		}
		for rec, err := range audit.Decode(&unpacked{from: z, packed: read}) {
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
}

// unpacked reads the bytes of a file of records, as long as they are not more than its packed bytes
// may expand to.
type unpacked struct {
	from   io.Reader
	packed *countedBytes
	n      int64
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.from.Read(p)
	if u.n += int64(n); u.n > (u.packed.size+4096)*maxPacked {
		return 0, errors.New("it unpacks to more than any records do")
	}
	return n, err
}
