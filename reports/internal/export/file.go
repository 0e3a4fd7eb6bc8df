package export

import (
	"cmp"
	"io"

	"robots-audit/reports/internal/disk"
)

// file is a temporary file for writing, compressed if its format is.
type file struct {
	io.Writer // the packer, or the file
	file      io.WriteCloser
	packer    packer // nil = no compression
}

// open creates the file.
func (f *file) open(fs disk.FS, name string, pack packing) (err error) {
	if f.file, err = fs.Create(name); err != nil {
		return err
	}
	f.Writer = f.file
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
