package xlsx

import (
	"archive/zip"
	"encoding/binary"
	"io"
	"os"
)

// archive is the zip file of a workbook.
type archive interface {
	add(name string, p *part, spilled *os.File) error
	close() error
}

// streamed writes the zip file of a large workbook, of any size, with archive/zip.
type streamed struct {
	*zip.Writer
	w *Workbook
}

func (a streamed) add(name string, p *part, spilled *os.File) error {
	out, err := a.CreateRaw(a.w.fileHeader(name, p))
	if err != nil {
		return err
	}
	return p.copyTo(out, spilled)
}

func (a streamed) close() error { return a.Close() }

// held writes the zip file of a workbook that is completely in memory: the same bytes, at once.
// Half of the allocations of archive/zip are for streams of unknown size.
type held struct {
	out     appender
	central []byte // end of the file: each part's header again, with its position
	parts   int
	date    uint16
	to      io.Writer
}

// Signatures and versions of a zip file (APPNOTE.TXT, 4.3 and 4.4).
const (
	localHeader   = 0x04034b50
	centralHeader = 0x02014b50
	endOfCentral  = 0x06054b50
	zipVersion    = 20
	zipDeflate    = 8
)

func (a *held) add(name string, p *part, _ *os.File) error {
	at := len(a.out)
	le := binary.LittleEndian
	header := func(dst []byte) []byte { // the common part of both headers
		dst = append(dst, zipVersion, 0, 0, 0, zipDeflate, 0, 0, 0) // to read it, flags, method, time
		dst = le.AppendUint32(le.AppendUint16(dst, a.date), p.crc)
		dst = le.AppendUint32(le.AppendUint32(dst, uint32(p.packed)), uint32(p.size))
		return append(le.AppendUint16(dst, uint16(len(name))), 0, 0) // nothing extra
	}
	a.out = append(header(le.AppendUint32(a.out, localHeader)), name...)
	a.central = header(append(le.AppendUint32(a.central, centralHeader), zipVersion, 0))
	a.central = append(a.central, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) // no comment, the first disk, no attributes
	a.central = append(le.AppendUint32(a.central, uint32(at)), name...)
	a.parts++
	return p.copyTo(&a.out, nil)
}

func (a *held) close() error {
	le := binary.LittleEndian
	at, size, parts := uint32(len(a.out)), uint32(len(a.central)), uint16(a.parts)
	a.out = append(a.out, a.central...)
	a.out = append(le.AppendUint32(a.out, endOfCentral), 0, 0, 0, 0)
	a.out = le.AppendUint32(le.AppendUint32(le.AppendUint16(le.AppendUint16(a.out, parts), parts), size), at)
	a.out = append(a.out, 0, 0)
	_, err := a.to.Write(a.out)
	return err
}
