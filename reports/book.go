package reports

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
type book struct {
	style     *scaffold
	sheets    []sheetParts // one for each of the template's, in their order
	disk      disk.FS
	scratch   *scratch
	spillName string // of the file for compressed rows, written where there are too many of them for memory
	rowLimit  int    // rows of a sheet, the header among them, maxRows at most
	whole     bool   // all rows come at once, none while another workbook is written: larger chunks are compressed
	words     words

	spill spill
	err   error // the first trouble of writing; what follows is in vain
}

// scratch is the working memory of workbooks: one goroutine at a time uses it,
// for as many of them as it likes. The zero scratch is ready for use.
type scratch struct {
	parts  []*part
	gather []byte
}

// trouble is the first error of writing rows; all that follow it are in vain.
func (b *book) trouble() error { return b.err }

// spilled reports whether rows were written out of memory.
func (b *book) spilled() bool { return b.spill.size > 0 }

// full reports whether it is time to compress what is in a part.
func (b *book) full(p *part) bool {
	if b.whole || p.size >= largePart {
		return len(p.raw) >= 4*chunkSize
	}
	return len(p.raw) >= chunkSize
}

// compress compresses what a part holds, and writes all parts out of memory
// once they hold too much together.
func (b *book) compress(p *part) {
	if b.err != nil {
		p.raw = p.raw[:0]
		return
	}
	p.compress()
	held := 0
	parts := b.scratch.parts[:0]
	for _, s := range b.sheets {
		for _, p := range s.written() {
			held += len(p.mem)
			parts = append(parts, p)
		}
	}
	b.scratch.parts = parts
	if held >= spillSize {
		b.scratch.gather, b.err = b.spill.take(b.disk, b.spillName, parts, b.scratch.gather)
	}
}

// endPart ends a sheet's part.
func (b *book) endPart(k *sheetKind, p *part, rows int) {
	shell := b.style.shells[k]
	digits := strconv.Itoa(rows)
	p.raw = append(append(p.raw, shell.filter...), digits...)
	p.compress()
	p.add(shell.after)
	p.close()
	p.rows = rows
	p.putFirst(shell.lead, []byte(digits))
	buffer.Put(p.raw)
	p.raw = nil
}

// drop gives back what an unfinished workbook holds.
func (b *book) drop() {
	for _, s := range b.sheets {
		for _, p := range s.written() {
			buffer.Put(p.raw)
			p.raw, p.mem = nil, nil
		}
	}
	if b.spill.size > 0 || b.err != nil {
		b.disk.Remove(b.spillName) // best effort: the folder is emptied when the run is opened again
	}
}

// finish puts the workbook together in the file named path. page is the first
// sheet; charts say which of the page's charts have something to show.
func (b *book) finish(path string, page *page) error {
	if b.err != nil {
		return b.err
	}
	counts := make([]int, len(b.sheets))
	for i, s := range b.sheets {
		k, parts := s.shape(), s.written()
		if len(parts) == 0 && !k.optional {
			return fmt.Errorf("sheet %s was never opened", k.name) // a fault of ours
		}
		if len(parts) > 0 {
			s.end(b)
		}
		counts[i] = len(parts)
	}
	if b.err != nil {
		return b.err
	}
	t, err := b.style.template(counts, page)
	if err != nil {
		return err
	}
	out, err := b.disk.Create(path)
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
func (b *book) zip(out io.Writer, t *template, page *page) error {
	var file *os.File
	if b.spill.size > 0 {
		var err error
		if file, err = os.Open(b.spillName); err != nil {
			return err
		}
		defer file.Close()
	}
	zw := zip.NewWriter(out)
	for _, tp := range t.parts {
		var err error
		switch {
		case tp.sheet >= 0:
			err = addPart(zw, tp.name, b.sheets[tp.sheet].written()[tp.number], file)
		case tp.page:
			var p *part
			if p, err = page.part(tp.raw, buffer.Get()); err != nil {
				return err
			}
			p.close()
			err = addPart(zw, tp.name, p, nil)
			buffer.Put(p.raw)
		case tp.words:
			p := &part{raw: b.words.appendXML(buffer.Get())}
			p.close()
			err = addPart(zw, tp.name, p, nil)
			buffer.Put(p.raw)
		case tp.pieces != nil:
			p := &part{raw: b.patch(buffer.Get(), tp.pieces, page)}
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
func (b *book) patch(dst []byte, pieces []piece, page *page) []byte {
	var rows []int
	for _, s := range b.sheets {
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
		case p.place >= 0:
			dst = appendEscaped(dst, page.places[2*p.place+1])
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
