package table

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
)

// Limits bound the reading of one archive.
type Limits struct {
	Bytes   int64 // unpacked bytes; a file read twice counts twice
	Entries int   // files
	Tokens  int64 // tags and texts of a workbook: short ones take the most time per byte
	Texts   int64 // memory of the shared texts of a workbook
}

// Archive is a ZIP with limits on unpacking.
type Archive struct {
	*zip.Reader
	limits Limits
	left   int64 // bytes that may still be unpacked
	tokens int64 // tokens read so far
}

// directoryBytes is the size limit of the table of contents per allowed file, because all names are
// read into memory before they can be counted.
const directoryBytes = 1 << 10

// OpenArchive reads the table of contents of a ZIP.
func OpenArchive(file io.ReaderAt, size int64, limits Limits) (*Archive, error) {
	most := int64(limits.Entries)*directoryBytes + 128<<10 // includes the search for its position at the end of the file
	in := &directory{file, most}
	z, err := zip.NewReader(in, size)
	if in.left < 0 {
		return nil, fmt.Errorf("its table of contents is longer than %d KB. At most %d files are read", most>>10, limits.Entries)
	}
	if err != nil {
		return nil, fmt.Errorf("a damaged or incomplete ZIP or workbook. Download or save it again: %w", err)
	}
	if len(z.File) > limits.Entries {
		return nil, fmt.Errorf("%d files in the ZIP, but at most %d are read", len(z.File), limits.Entries)
	}
	in.left = math.MaxInt64
	return &Archive{z, limits, limits.Bytes, 0}, nil
}

// directory is a file with a limit on the bytes read.
type directory struct {
	io.ReaderAt
	left int64
}

func (d *directory) ReadAt(p []byte, at int64) (int, error) {
	if d.left -= int64(len(p)); d.left < 0 {
		return 0, errors.New("too long")
	}
	n, err := d.ReaderAt.ReadAt(p, at)
	if of := (*os.PathError)(nil); errors.As(err, &of) {
		err = of.Err // its name may be that of a copy
	}
	return n, err
}

// Unpack opens a file of the archive.
func (a *Archive) Unpack(f *zip.File) (io.ReadCloser, error) {
	if f.Flags&1 != 0 {
		return nil, errors.New("it has a password. Unpack it first")
	}
	in, err := f.Open()
	return &unpacking{in, &a.left, a.limits.Bytes}, err
}

// unpacking reads a file within a budget of bytes.
type unpacking struct {
	io.ReadCloser
	left *int64
	most int64 // the whole budget
}

func (u *unpacking) Read(p []byte) (int, error) {
	n, err := u.ReadCloser.Read(p)
	if *u.left -= int64(n); *u.left < 0 {
		return 0, fmt.Errorf("more than %d MB unpacked. Unpack it, or save its sheet as .csv", u.most>>20)
	}
	return n, err
}
