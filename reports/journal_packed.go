package reports

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"robots-audit/reports/internal/disk"
)

// Journal lines repeat much of summary.json and of the records, and are similar from site to site:
// 6 kB of a small site shrink to 0.2. They are packed only when the run is closed, since a line
// must be on disk once its site is finished. A packed journal is a sequence of Zstandard frames of
// whole lines. Reading ends at a damaged frame: the sites of all later lines are audited again, or
// made from their records.

// packedBlock is roughly the number of bytes of lines that are compressed at once.
const packedBlock = 256 << 10

// pack writes all lines, in the order of the entries, to a packed file called name. temp is its
// name until it is complete and on the disk.
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

// packAs packs the lines into the journal of these files and removes the file of its lines, which
// may be that of this journal. It closes the journal.
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

// scanPacked finds the lines of a packed journal, and keeps their text in the folder temp unless
// that is "".
func (j *journal) scanPacked(f *os.File, tempDisk disk.FS, temp string, check func(line []byte) error) (err error) {
	z := decoders.Get(newDecoder)
	defer decoders.Put(z)
	defer z.Reset(nil) // so that it does not keep the file
	from := io.Reader(z)
	if temp != "" {
		if j.unpacked, err = disk.CreateUnnamed(tempDisk, temp); err != nil {
			return err
		}
		from = io.TeeReader(z, j.unpacked)
	}
	if err = z.Reset(bufio.NewReader(f)); err == nil {
		j.before, j.cut, err = j.scan(from, 0, temp != "", check)
	}
	if err != nil && !errors.As(err, new(*fs.PathError)) { // the frames are damaged, not the disk
		j.cut, err = true, nil
	}
	if j.cut {
		j.cutAfter = len(j.entries) + j.damaged
	}
	return err
}
