package xlsx

import "archive/zip"

// editedDate is the date of the files within a workbook whose Edited is set: 1980-01-01, the
// earliest possible one, which Excel also writes.
const editedDate = 1<<5 | 1

// fileHeader is the header of a part. It has no date: the same records give the same bytes.
func (w *Workbook) fileHeader(name string, p *part) *zip.FileHeader {
	h := &zip.FileHeader{
		Name: name, Method: zip.Deflate, CRC32: p.crc, ReaderVersion: 20, CreatorVersion: 20,
		CompressedSize64: p.packed, UncompressedSize64: p.size,
	}
	if w.Edited {
		//lint:ignore SA1019 Modified would add a field of its own
		h.ModifiedDate = editedDate
	}
	return h
}

// Untouched reports whether a workbook is as it was first made: no program has saved it since, and
// it contains no texts that people wrote into an earlier one (Workbook.Edited). It reads only the
// table of contents. Programs that save a workbook write all of its files again, with a date or
// with sizes after their bytes; here no file has either.
func Untouched(r *zip.Reader) bool {
	for _, f := range r.File {
		if f.Flags != 0 || f.ModifiedDate != 0 || f.ModifiedTime != 0 || f.CreatorVersion != 20 || len(f.Extra) > 0 {
			return false
		}
	}
	return len(r.File) > 0
}
