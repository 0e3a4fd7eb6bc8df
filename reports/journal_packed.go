package reports

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"robots-audit/reports/internal/disk"
)

// Lines of the journal say what summary.json and records say, and much of it is the same
// from site to site: 6 kB a small site become 0.2. They are packed when the run is closed
// and not before, since a line is to be on disk once its site is finished. A packed journal
// is Zstandard frames, one after the other, of whole lines: one that is damaged costs its
// own lines alone, as the next is found by the number with which all frames begin.

// packedBlock is the number of bytes of lines that are compressed at once, about.
const packedBlock = 256 << 10

// maxPackedBlock bounds what a frame unpacks to: a line may be longer than a block.
const maxPackedBlock = maxJournalLine + packedBlock

// pack writes all lines, in the order of the entries, to a packed file called name;
// temp is its name until it is whole and on the disk.
func (j *journal) pack(z *zstd.Encoder, name, temp string) error {
	f, err := j.disk.Create(temp)
	if err != nil {
		return err
	}
	return disk.Commit(j.disk, f, name, temp, j.packInto(f, z))
}

func (j *journal) packInto(f io.Writer, z *zstd.Encoder) error {
	var line, block, frame []byte
	write := func() error {
		if len(block) == 0 {
			return nil
		}
		frame = z.EncodeAll(block, frame[:0])
		block = block[:0]
		_, err := f.Write(frame)
		return err
	}
	for _, e := range j.entries {
		var err error
		if line, err = j.text(e, line); err != nil {
			return err
		}
		if len(block)+len(line) > packedBlock {
			if err := write(); err != nil {
				return err
			}
		}
		block = append(block, line...)
	}
	return write()
}

// packAs packs the lines into the journal of these files, and takes away the file of its lines,
// which may be that of this journal. The journal is closed.
func (j *journal) packAs(z *zstd.Encoder, of journalFiles, temp string) error {
	err := j.save()
	if err == nil {
		err = j.disk.MkdirAll(filepath.Dir(of.packed))
	}
	if err == nil {
		err = j.pack(z, of.packed, temp)
	}
	if e := j.release(); err == nil {
		err = e
	}
	for _, name := range []string{of.lines, of.before} {
		if err == nil && name != "" {
			err = j.disk.Remove(name)
		}
	}
	return err
}

// scanPacked finds the lines of a packed journal, and keeps their text in the folder temp
// unless that is "".
func (j *journal) scanPacked(f *os.File, tempDisk disk.FS, temp string, check func(line []byte) error) (err error) {
	if temp != "" {
		if j.unpacked, err = disk.CreateUnnamed(tempDisk, temp); err != nil {
			return err
		}
	}
	z := decoders.Get(newDecoder)
	defer decoders.Put(z)
	defer z.Reset(nil) // it lets go of the frame
	var block bytes.Buffer
	unpack := func(frame []byte) bool {
		block.Reset()
		if z.Reset(bytes.NewReader(frame)) != nil {
			return false
		}
		n, err := block.ReadFrom(io.LimitReader(z, maxPackedBlock+1))
		return err == nil && n <= maxPackedBlock
	}
	var half []byte // what could not be unpacked: the number may stand within a frame by chance
	for frame, err := range frames(f) {
		switch {
		case err != nil:
			return err
		case !bytes.HasPrefix(frame, frameMagic): // before the first frame, or longer than any
			if half == nil {
				j.damagedBlocks++
			}
			continue
		case half != nil && unpack(append(half, frame...)):
			half = nil
		case unpack(frame):
			if half != nil {
				j.damagedBlocks++
			}
			half = nil
		default:
			if half != nil {
				j.damagedBlocks++
			}
			half = bytes.Clone(frame)
			continue
		}
		if err := j.addBlock(block.Bytes(), check); err != nil {
			return err
		}
	}
	if half != nil {
		j.damagedBlocks++
	}
	return nil
}

// addBlock adds lines that were packed.
func (j *journal) addBlock(block []byte, check func(line []byte) error) error {
	at := j.before
	for line := range bytes.Lines(block) {
		switch {
		case check(line) != nil:
			j.damaged++
		case j.unpacked != nil:
			j.entries = append(j.entries, journalEntry{at: at, length: int32(len(line))})
		}
		at += int64(len(line))
	}
	if j.unpacked == nil {
		return nil
	}
	j.before = at
	_, err := j.unpacked.Write(block)
	return err
}

// frameMagic is the number with which a frame begins.
var frameMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// frames yields what begins with frameMagic and ends before the next, and what stands before the
// first; the slice is used again. What is longer than any frame is cut, and cannot be unpacked.
func frames(from io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		in := bufio.NewReaderSize(from, 64<<10)
		var frame []byte
		for {
			part, err := in.ReadSlice(frameMagic[len(frameMagic)-1])
			frame = append(frame, part...)
			whole, next := bytes.CutSuffix(frame, frameMagic)
			if next || err == io.EOF || len(frame) > maxPackedBlock {
				if len(whole) > 0 && !yield(whole, nil) {
					return
				}
				if frame = frame[:0]; next {
					frame = append(frame, frameMagic...)
				}
			}
			switch err {
			case nil, bufio.ErrBufferFull:
			case io.EOF:
				return
			default:
				yield(nil, err)
				return
			}
		}
	}
}
