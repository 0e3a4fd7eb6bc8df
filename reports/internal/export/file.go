package export

import (
	"cmp"
	"hash/crc32"
	"io"

	"robots-audit/reports/internal/disk"
)

// file is a temporary file that is written, packed where its format is.
type file struct {
	name      string // of the format
	io.Writer        // the packer, or what sums the file up
	file      io.WriteCloser
	packer    packer // nil = the file is not packed
	sum       uint32 // CRC-32C of what is in the file
}

// summing writes to a file and sums up what is written.
type summing struct{ *file }

func (s summing) Write(p []byte) (int, error) {
	n, err := s.file.file.Write(p)
	s.file.sum = crc32.Update(s.file.sum, disk.Castagnoli, p[:n])
	return n, err
}

// open creates the file.
func (f *file) open(fs disk.FS, name string, pack packing) (err error) {
	if f.file, err = fs.Create(name); err != nil {
		return err
	}
	f.Writer = summing{f}
	if f.packer = pack.open(f.Writer); f.packer != nil {
		f.Writer = f.packer
	}
	return nil
}

// close completes the file, unless there was an error; it returns the first one.
func (f *file) close(err error) error {
	if f.packer != nil {
		if err == nil {
			err = f.packer.Close()
		}
		giveBack(f.packer)
	}
	if f.file != nil {
		err = cmp.Or(err, f.file.Close())
	}
	return err
}
