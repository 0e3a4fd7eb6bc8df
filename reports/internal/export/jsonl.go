package export

import (
	"bytes"
	"encoding/json"
	"io"

	"robots-audit/engine/escape"
)

// jsonlExport writes JSON Lines: an object a row, with every key in every row.
type jsonlExport struct {
	w    io.Writer
	line bytes.Buffer
	enc  *json.Encoder
}

func newJSONL(w io.Writer) *jsonlExport {
	e := &jsonlExport{w: w}
	e.enc = json.NewEncoder(&e.line)
	e.enc.SetEscapeHTML(false)
	return e
}

func (e *jsonlExport) write(row *Row) error {
	e.line.Reset()
	if err := e.enc.Encode(row); err != nil {
		return err
	}
	_, err := e.w.Write(escape.JSON(e.line.Bytes()))
	return err
}

func (e *jsonlExport) close() error { return nil }
