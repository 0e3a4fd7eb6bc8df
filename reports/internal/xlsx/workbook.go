package xlsx

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"strconv"

	"robots-audit/reports/internal/buffer"
	"robots-audit/reports/internal/disk"
)

// book is a workbook that is being written.
type Workbook struct {
	Template  *Template
	Sheets    []AnySheet // one for each of the template's, in their order
	Disk      disk.FS
	Scratch   *Scratch
	SpillName string // of the file for compressed rows, written where there are too many of them for memory
	RowLimit  int    // rows of a sheet, the header among them, maxRows at most
	Whole     bool   // all rows come at once, none while another workbook is written: larger chunks are compressed
	Strings   SharedStrings

	spill spill
	err   error // the first trouble of writing; what follows is in vain
}

// scratch is the working memory of workbooks: one goroutine at a time uses it,
// for as many of them as it likes. The zero scratch is ready for use.
type Scratch struct {
	parts    []*part
	gathered []byte
}

// trouble is the first error of writing rows; all that follow it are in vain.
func (b *Workbook) Err() error { return b.err }

// spilled reports whether rows were written out of memory.
func (b *Workbook) Spilled() bool { return b.spill.size > 0 }

// full reports whether it is time to compress what is in a part.
func (b *Workbook) full(p *part) bool {
	if b.Whole || p.size >= largePart {
		return len(p.raw) >= 4*chunkSize
	}
	return len(p.raw) >= chunkSize
}

// compress compresses what a part holds, and writes all parts out of memory
// once they hold too much together.
func (b *Workbook) compress(p *part) {
	if b.err != nil {
		p.raw = p.raw[:0]
		return
	}
	p.compress()
	held := 0
	parts := b.Scratch.parts[:0]
	for _, s := range b.Sheets {
		for _, p := range s.written() {
			held += len(p.mem)
			parts = append(parts, p)
		}
	}
	b.Scratch.parts = parts
	if held >= spillSize {
		b.Scratch.gathered, b.err = b.spill.write(b.Disk, b.SpillName, parts, b.Scratch.gathered)
	}
}

// endPart ends a sheet's part.
func (b *Workbook) endPart(k *SheetKind, p *part, rows int) {
	shell := b.Template.frames[k]
	digits := strconv.Itoa(rows)
	p.raw = append(append(p.raw, shell.filter...), digits...)
	p.compress()
	p.addFixed(shell.after)
	p.close()
	p.rows = rows
	p.putFirst(shell.lead, []byte(digits))
	buffer.Put(p.raw)
	p.raw = nil
}

// drop gives back what an unfinished workbook holds.
func (b *Workbook) Discard() {
	for _, s := range b.Sheets {
		for _, p := range s.written() {
			buffer.Put(p.raw)
			p.raw, p.mem = nil, nil
		}
	}
	if b.spill.size > 0 || b.err != nil {
		b.Disk.Remove(b.SpillName) // best effort: the folder is emptied when the run is opened again
	}
}

// finish puts the workbook together in the file named path. page is the first
// sheet; charts say which of the page's charts have something to show.
func (b *Workbook) Finish(path string, page *Page) error {
	if b.err != nil {
		return b.err
	}
	counts := make([]int, len(b.Sheets))
	for i, s := range b.Sheets {
		k, parts := s.sheetKind(), s.written()
		if len(parts) == 0 && !k.Optional {
			return fmt.Errorf("sheet %s was never opened", k.Name) // a fault of ours
		}
		if len(parts) > 0 {
			s.end(b)
		}
		counts[i] = len(parts)
	}
	if b.err != nil {
		return b.err
	}
	t, err := b.Template.variant(counts, page)
	if err != nil {
		return err
	}
	out, err := b.Disk.Create(path)
	if err != nil {
		return err
	}
	err = b.zip(out, t, page)
	if e := out.Close(); err == nil {
		err = e
	}
	return err
}

// zip writes the workbook's parts in the order of the template.
func (b *Workbook) zip(out io.Writer, t *variant, page *Page) error {
	var file *os.File
	if b.spill.size > 0 {
		var err error
		if file, err = os.Open(b.SpillName); err != nil {
			return err
		}
		defer file.Close()
	}
	zw := zip.NewWriter(out)
	for _, tp := range t.parts {
		var err error
		switch {
		case tp.sheet >= 0:
			err = addPart(zw, tp.name, b.Sheets[tp.sheet].written()[tp.number], file)
		case tp.page:
			var p *part
			if p, err = page.part(tp.raw, buffer.Get()); err != nil {
				return err
			}
			p.close()
			err = addPart(zw, tp.name, p, nil)
			buffer.Put(p.raw)
		case tp.strings:
			p := &part{raw: b.Strings.appendXML(buffer.Get())}
			p.close()
			err = addPart(zw, tp.name, p, nil)
			buffer.Put(p.raw)
		case tp.segments != nil:
			p := &part{raw: b.patch(buffer.Get(), tp.segments, page)}
			p.close()
			err = addPart(zw, tp.name, p, nil)
			buffer.Put(p.raw)
		default:
			err = addPart(zw, tp.name, &tp.packed, nil)
		}
		if err != nil {
			return err
		}
	}
	return zw.Close()
}

// patch puts a workbook's own numbers and texts in the places that the
// scaffolding has left for them.
func (b *Workbook) patch(dst []byte, pieces []segment, page *Page) []byte {
	var rows []int
	for _, s := range b.Sheets {
		for _, p := range s.written() {
			rows = append(rows, p.rows)
		}
	}
	for _, p := range pieces {
		dst = append(dst, p.text...)
		switch {
		case p.rowsOf >= 0:
			dst = append(dst, '$')
			dst = strconv.AppendInt(dst, int64(rows[p.rowsOf]), 10)
		case p.placeholder >= 0:
			dst = appendEscaped(dst, page.Placeholders[2*p.placeholder+1])
		}
	}
	return dst
}

// addPart adds a compressed part to a zip file. It has no date: the same
// records give the same bytes.
func addPart(zw *zip.Writer, name string, p *part, spilled *os.File) error {
	w, err := zw.CreateRaw(&zip.FileHeader{
		Name: name, Method: zip.Deflate, CRC32: p.crc, ReaderVersion: 20, CreatorVersion: 20,
		CompressedSize64: p.packed, UncompressedSize64: p.size,
	})
	if err != nil {
		return err
	}
	return p.copyTo(w, spilled)
}
