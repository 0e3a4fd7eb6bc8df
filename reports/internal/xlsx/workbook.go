package xlsx

import (
	"archive/zip"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"strconv"

	"robots-audit/reports/internal/disk"
)

// Workbook is a workbook during writing. All fields except Edited, Whole and Strings must be set.
type Workbook struct {
	Template  *Template
	Sheets    []AnySheet // one for each sheet of the template, in their order
	Disk      disk.FS
	SpillName string        // file for compressed rows once there are too many for memory
	RowLimit  int           // rows of a sheet, including the header [1, MaxRows]
	Edited    bool          // it contains texts that people wrote into the workbook that it replaces, see Untouched
	Whole     bool          // all rows come at once, none while another workbook is written: compress larger chunks
	Strings   SharedStrings // texts of its cells

	spill spill
	err   error // the first write error; later rows are dropped
}

// scratch is the working memory for compressing rows.
type scratch struct {
	parts    []*part
	gathered []byte
}

var scratchPool disk.FreeList[scratch]

// Err returns the first error of writing rows; rows after it are not written.
func (w *Workbook) Err() error { return w.err }

// Spilled reports whether rows were moved from memory to the spill file.
func (w *Workbook) Spilled() bool { return w.spill.size > 0 }

// full reports whether a part has enough bytes to compress them.
func (w *Workbook) full(p *part) bool {
	if w.Whole || p.size >= largePart {
		return len(p.raw) >= 4*chunkSize
	}
	return len(p.raw) >= chunkSize
}

// compress compresses the rows of a part, and moves the bytes of all parts to the spill file once
// they are too many.
func (w *Workbook) compress(p *part) {
	if w.err != nil {
		p.raw = p.raw[:0]
		return
	}
	if w.setHead(p); w.err != nil {
		return
	}
	p.compress()
	size := 0
	memory := scratchPool.Get(func() *scratch { return new(scratch) })
	defer scratchPool.Put(memory)
	parts := memory.parts[:0]
	for _, s := range w.Sheets {
		for _, p := range s.written() {
			size += len(p.mem)
			parts = append(parts, p)
		}
	}
	memory.parts = parts
	if size >= spillSize {
		memory.gathered, w.err = w.spill.write(w.Disk, w.SpillName, parts, memory.gathered)
	}
}

// setHead gives a sheet's part its head before anything of it is compressed.
func (w *Workbook) setHead(p *part) {
	if p.sheet == nil {
		return
	}
	f, err := w.Template.frame(p.sheet, p.further)
	if err != nil {
		w.err = err
		return
	}
	p.head, p.sheet = f.head, nil
}

// endPart ends a sheet's part.
func (w *Workbook) endPart(k *SheetKind, p *part, rows int) {
	w.setHead(p)
	f, err := w.Template.frame(k, p.further)
	if err != nil {
		w.err = cmp.Or(w.err, err)
		return
	}
	digits := strconv.AppendInt(nil, int64(rows), 10)
	p.rows = rows
	p.raw = append(append(p.raw, f.filter...), digits...)
	after := f.after.text
	cut := rows > printedRows+1 && len(k.Charts) == 0 && w.Template.PrintNote != nil
	if cut {
		note := "&amp;C" + w.Template.PrintNote(printedRows, int64(rows-1)) + "&amp;RPage"
		after = bytes.Replace(after, []byte("&amp;RPage"), []byte(note), 1)
	}
	switch {
	case p.links != nil:
		p.raw = p.links.appendAfter(p.raw, after)
	case cut:
		p.raw = append(p.raw, after...)
		p.compress()
	default:
		p.compress()
		p.addFixed(f.after)
	}
	p.end()
	p.putFirst(f.start, digits)
}

// Discard frees the memory of a workbook, finished or not, and removes its spill file.
func (w *Workbook) Discard() {
	for _, s := range w.Sheets {
		for _, p := range s.written() {
			disk.PutBuffer(p.raw)
			disk.PutBuffer(p.mem)
			p.raw, p.mem = nil, nil
		}
	}
	if w.spill.size > 0 || w.err != nil {
		w.Disk.Remove(w.SpillName) // best effort: the folder is emptied when the run is opened again
	}
}

// Finish puts the workbook together in the file with this path; summary is its first sheet. All
// sheets that are not optional must have been opened.
func (w *Workbook) Finish(path string, summary *SummarySheet) error {
	if w.err != nil {
		return w.err
	}
	counts := make([]int, len(w.Sheets))
	for i, s := range w.Sheets {
		k, parts := s.sheetKind(), s.written()
		if len(parts) == 0 && !k.Optional {
			return fmt.Errorf("sheet %s was never opened", k.Name) // a programming error
		}
		counts[i] = len(parts)
	}
	t, err := w.Template.variant(KindsOf(w.Sheets), counts, summary)
	if err != nil {
		return err
	}
	for i, s := range w.Sheets {
		if counts[i] > 0 {
			s.end(w)
		}
	}
	if w.err != nil {
		return w.err
	}
	out, err := w.Disk.Create(path)
	if err != nil {
		return err
	}
	err = w.write(out, t, summary)
	if e := out.Close(); err == nil {
		err = e
	}
	return err
}

// write writes the workbook; at once if it is completely in memory.
func (w *Workbook) write(out io.Writer, t *variant, summary *SummarySheet) error {
	if w.spill.size > 0 {
		file, err := w.Disk.Open(w.SpillName, os.O_RDONLY)
		if err != nil {
			return err
		}
		defer file.Close()
		return w.addParts(streamed{zip.NewWriter(out), w}, t, summary, file)
	}
	to := held{out: disk.GetBuffer(), central: disk.GetBuffer(), to: out}
	if w.Edited {
		to.date = editedDate
	}
	err := w.addParts(&to, t, summary, nil)
	disk.PutBuffer(to.out)
	disk.PutBuffer(to.central)
	return err
}

// addParts adds the workbook's parts in the order of the template. file is the spill file, nil if
// nothing was spilled.
func (w *Workbook) addParts(to archive, t *variant, summary *SummarySheet, file *os.File) error {
	for i := range t.parts {
		tp := &t.parts[i]
		var err error
		switch {
		case tp.sheet >= 0:
			p := w.Sheets[tp.sheet].written()[tp.number]
			err = to.add(tp.name, p, file)
			if err == nil && p.links != nil && p.links.relations != nil {
				err = addOwn(to, relationsName(tp.name), p.links.part())
			}
		case tp.summary:
			err = addOwn(to, tp.name, summary.part(&tp.frame))
		case tp.strings:
			p := &part{raw: w.Strings.appendXML(disk.GetBuffer())}
			p.end()
			err = addOwn(to, tp.name, p)
		case tp.segments != nil:
			p := &part{raw: w.fill(disk.GetBuffer(), tp.segments, summary)}
			p.end()
			err = addOwn(to, tp.name, p)
		default:
			err = to.add(tp.name, &tp.packed, nil)
		}
		if err != nil {
			return err
		}
	}
	return to.close()
}

// fill replaces the placeholders with a workbook's own numbers and texts.
func (w *Workbook) fill(dst []byte, segments []segment, summary *SummarySheet) []byte {
	var rows []int
	for _, s := range w.Sheets {
		for _, p := range s.written() {
			rows = append(rows, p.rows)
		}
	}
	for _, p := range segments {
		dst = append(dst, p.text...)
		switch {
		case p.rowsOf >= 0:
			dst = append(dst, '$')
			last := rows[p.rowsOf]
			if p.printed {
				last = min(last, printedRows+1)
			}
			dst = strconv.AppendInt(dst, int64(last), 10)
		case p.placeholder >= 0:
			dst = appendEscaped(dst, summary.Placeholders[2*p.placeholder+1])
		}
	}
	return dst
}

// addOwn adds a part that only the file needs.
func addOwn(to archive, name string, p *part) error {
	err := to.add(name, p, nil)
	disk.PutBuffer(p.mem)
	return err
}
