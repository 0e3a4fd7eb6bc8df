package reports

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
)

// book is a workbook that is being written.
type book struct {
	shop     *shop
	style    *scaffold
	words    words
	sheets   []sheetParts // in the order of style.kinds, without the page
	spill    spill
	rowLimit int
	whole    bool  // all rows come at once, none while another book is written
	err      error // the first trouble of writing; what follows is in vain
}

// buffers are those of parts that are done. They are of all books together:
// most of a site's time is the disk's, when its buffers are free.
var buffers sync.Pool

// buffer returns an empty buffer for rows.
func buffer() []byte {
	if buf, ok := buffers.Get().(*[]byte); ok {
		return *buf
	}
	return nil
}

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
	parts := b.shop.parts[:0]
	for _, s := range b.sheets {
		for _, p := range s.written() {
			held += len(p.mem)
			parts = append(parts, p)
		}
	}
	b.shop.parts = parts
	if held >= spillSize {
		b.shop.gather, b.err = b.spill.take(b.shop.disk, parts, b.shop.gather)
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
	recycle(p.raw)
	p.raw = nil
}

// recycle keeps a buffer for the next part.
func recycle(buf []byte) {
	if cap(buf) > 0 && cap(buf) < 8*chunkSize {
		buf = buf[:0]
		buffers.Put(&buf)
	}
}

// drop gives back what an unfinished workbook holds.
func (b *book) drop() {
	for _, s := range b.sheets {
		for _, p := range s.written() {
			recycle(p.raw)
			p.raw, p.mem = nil, nil
		}
	}
	if b.spill.size > 0 || b.err != nil {
		b.shop.disk.Remove(b.spill.name) // best effort: the folder is emptied when the run is opened again
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
	out, err := b.shop.disk.Create(path)
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
		if file, err = os.Open(b.spill.name); err != nil {
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
			if p, err = page.part(tp.raw, buffer()); err != nil {
				return err
			}
			p.close()
			err = addPart(zw, tp.name, p, nil)
			recycle(p.raw)
		case tp.words:
			p := &part{raw: b.words.appendXML(buffer())}
			p.close()
			err = addPart(zw, tp.name, p, nil)
			recycle(p.raw)
		case tp.pieces != nil:
			p := &part{raw: b.patch(buffer(), tp.pieces, page)}
			p.close()
			err = addPart(zw, tp.name, p, nil)
			recycle(p.raw)
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
