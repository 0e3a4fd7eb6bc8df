package audit

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
)

// MaxLine bounds one line of records, in bytes. The longest that an audit
// writes is a robots.txt of the fetcher's limit, as base64, with its rules.
const MaxLine = 64 << 20

// batchSize is the number of URLs that Decode hands out at once, at most.
const batchSize = 256

// Decode reads the output of Encode. URLs come in batches that are reused once the next record is
// asked for. The first line that cannot be read, or is longer than MaxLine, ends the records with
// an error that has its number.
func Decode(r io.Reader) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		d := decoder{in: bufio.NewReaderSize(r, 64<<10)}
		for {
			line, err := d.next()
			if err == io.EOF {
				break
			}
			if err != nil {
				d.flush(yield)
				yield(Record{}, fmt.Errorf("audit: records, line %d: %w", d.number, err))
				return
			}
			if d.batch.addLine(line) {
				if d.batch.full() && !d.flush(yield) {
					return
				}
				continue
			}
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			var wire wireRecord
			if err := d.parse(line, &wire); err != nil {
				d.flush(yield)
				yield(Record{}, fmt.Errorf("audit: records, line %d: %w", d.number, err))
				return
			}
			if wire.URL != nil {
				if d.batch.ends(wire.Domain) && !d.flush(yield) {
					return
				}
				d.batch.addURL(wire.Domain, wire.URL)
				if d.batch.full() && !d.flush(yield) {
					return
				}
				continue
			}
			if !d.flush(yield) {
				return
			}
			d.batch.domain = wire.Domain
			if !yield(wire.Record, nil) {
				return
			}
		}
		d.flush(yield)
	}
}

// Until ends records with the error of a context once it has one.
func Until(ctx context.Context, records iter.Seq2[Record, error]) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for rec, err := range records {
			if ctx.Err() != nil {
				err = ctx.Err()
			}
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
}

// decoder reads lines and collects URLs.
type decoder struct {
	in     *bufio.Reader
	long   []byte // a line longer than in's buffer
	number int    // of the line
	batch  urlBatch
}

// next returns the next line without its newline; it is valid until the next call.
func (d *decoder) next() ([]byte, error) {
	d.number++
	line, err := d.in.ReadSlice('\n')
	if err == nil {
		return line[:len(line)-1], nil
	}
	d.long = d.long[:0]
	for err == bufio.ErrBufferFull {
		if len(d.long)+len(line) > MaxLine {
			return nil, errors.New("longer than the limit of a record")
		}
		d.long = append(d.long, line...)
		line, err = d.in.ReadSlice('\n')
	}
	if err != nil && err != io.EOF {
		return nil, err
	}
	d.long = append(d.long, line...)
	if len(d.long) == 0 {
		return nil, io.EOF
	}
	return bytes.TrimSuffix(d.long, []byte{'\n'}), nil
}

// parse reads a line by encoding/json: any record, and URLs in any form.
func (d *decoder) parse(line []byte, wire *wireRecord) error {
	if err := json.Unmarshal(line, wire); err != nil {
		return err
	}
	set := 0
	for _, is := range [...]bool{
		wire.URL != nil, wire.Site != nil, wire.Robots != nil, wire.Sitemap != nil, wire.Page != nil,
		wire.Problem != nil, wire.Asked != nil, wire.Findings != nil, wire.Rules != nil, wire.Logs != nil, wire.Done != nil,
	} {
		if is {
			set++
		}
	}
	switch set {
	case 1:
		return nil
	case 0:
		return errors.New("no record that this version knows")
	}
	return fmt.Errorf("%d records in one line", set)
}

// flush yields the collected URLs and reports whether the loop continues.
func (d *decoder) flush(yield func(Record, error) bool) bool {
	if len(d.batch.marks) == 0 {
		return true
	}
	return yield(Record{Domain: d.batch.domain, URLs: d.batch.cut()}, nil)
}
