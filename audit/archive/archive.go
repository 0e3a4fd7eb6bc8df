// Package archive reads ZIPs, and the workbooks (.xlsx) that are ZIPs, within bounds: a
// small file must not choose how much memory or time its reading takes.
//
// Workbooks have a reader of their own for that. A general one holds an element for each
// that is open, and whole parts as structs: 150 KB packed took it a minute and gigabytes.
package archive

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"math"
)

// Limits bound what is read of one archive.
type Limits struct {
	Bytes   int64 // of all that is unpacked; what is read twice counts twice
	Entries int   // files
	Tokens  int64 // tags and texts of a workbook: the shortest take most time for their bytes
	Texts   int64 // memory of the texts that the cells of a workbook share
}

// Archive is a ZIP of which no more can be unpacked than its limits allow.
type Archive struct {
	*zip.Reader
	limits Limits
	left   int64 // bytes that may still be unpacked
	tokens int64 // read of workbooks
}

// directoryBytes bounds the table of contents for each file that may be in it: its names
// are in memory before they can be counted.
const directoryBytes = 1 << 10

// Open reads the table of contents of a ZIP.
func Open(file io.ReaderAt, size int64, limits Limits) (*Archive, error) {
	most := int64(limits.Entries)*directoryBytes + 128<<10 // the end of the file is searched for its place
	in := &directory{file, most}
	z, err := zip.NewReader(in, size)
	if in.left < 0 {
		return nil, fmt.Errorf("its table of contents is longer than %d KB. At most %d files are read", most>>10, limits.Entries)
	}
	if err != nil {
		return nil, fmt.Errorf("a damaged ZIP or workbook: %w", err)
	}
	if len(z.File) > limits.Entries {
		return nil, fmt.Errorf("%d files in the ZIP, but at most %d are read", len(z.File), limits.Entries)
	}
	in.left = math.MaxInt64
	return &Archive{z, limits, limits.Bytes, 0}, nil
}

// directory is a file of which only so much is read.
type directory struct {
	io.ReaderAt
	left int64
}

func (d *directory) ReadAt(p []byte, at int64) (int, error) {
	if d.left -= int64(len(p)); d.left < 0 {
		return 0, errors.New("too long")
	}
	return d.ReaderAt.ReadAt(p, at)
}

// Unpack opens a file of the archive.
func (a *Archive) Unpack(f *zip.File) (io.ReadCloser, error) {
	if f.Flags&1 != 0 {
		return nil, errors.New("it has a password. Unpack it first")
	}
	in, err := f.Open()
	return &unpacking{in, a}, err
}

// unpacking reads a file as far as the limit of all of them allows.
type unpacking struct {
	io.ReadCloser
	of *Archive
}

func (u *unpacking) Read(p []byte) (int, error) {
	n, err := u.ReadCloser.Read(p)
	if u.of.left -= int64(n); u.of.left < 0 {
		return 0, fmt.Errorf("more than %d MB unpacked. Unpack it, or save its sheet as .csv", u.of.limits.Bytes>>20)
	}
	return n, err
}
