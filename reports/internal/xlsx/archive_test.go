package xlsx

import (
	"archive/zip"
	"bytes"
	"fmt"
	"testing"
)

// A file that is written at once equals the one of archive/zip with the same parts.
func TestArchive(t *testing.T) {
	for _, edited := range []bool{false, true} {
		w := &Workbook{Edited: edited}
		var one, other bytes.Buffer
		piece := &held{to: &one}
		if edited {
			piece.date = editedDate
		}
		stream := streamed{zip.NewWriter(&other), w}
		for i := range 30 {
			p := &part{raw: bytes.Repeat([]byte("<row/>"), i*i*i)}
			p.end()
			for _, to := range []archive{piece, stream} {
				if err := to.add(fmt.Sprintf("xl/worksheets/sheet%d.xml", i), p, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, to := range []archive{piece, stream} {
			if err := to.close(); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(one.Bytes(), other.Bytes()) {
			t.Errorf("edited %v: %d bytes in one piece, %d in a stream, and not the same", edited, one.Len(), other.Len())
		}
		r, err := zip.NewReader(bytes.NewReader(one.Bytes()), int64(one.Len()))
		if err != nil {
			t.Fatal(err)
		}
		if Untouched(r) == edited {
			t.Errorf("edited %v is not seen", edited)
		}
	}
}
