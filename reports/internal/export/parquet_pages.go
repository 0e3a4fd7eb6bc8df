package export

import (
	"encoding/binary"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// scratch is the memory for making the pages of a column.
type scratch struct {
	packAll    bool    // compress columns of any size: the file has more than this row group
	rows       int     // of the row group
	indexes    []int32 // of the values of all rows, -1 = null; empty if all are the same
	levels     []uint8 // of each row: 0 = null
	encoded    []byte
	dictionary []byte
	data       []byte
	packed     []byte
}

// pageZstd compresses pages.
var pageZstd = sync.OnceValue(func() *zstd.Encoder {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		panic(err) // invalid options
	}
	return w
})

// minPacked is the number of bytes from which on the pages of a column are compressed: a frame of
// Zstandard itself takes about a dozen. A column is compressed in all row groups or in none, since
// some readers check only the first.
const minPacked = 100

// maxBound is the number of bytes up to which the file has the lowest and the highest value of a
// column: readers use them to skip row groups.
const maxBound = 256

// appendPages appends the pages of the column, dst being written at base in the file, and fills in
// their data for the footer. Repeated values are once in a page before them, their dictionary. Ids
// and URLs are written in full: when compressed, their repetition takes fewer bytes than their
// numbers would.
func (c *chunk) appendPages(dst []byte, base int64, s *scratch, about *format.ColumnMetaData) []byte {
	s.data = s.data[:0]
	nulls := 0
	if c.element.RepetitionType.V == format.Optional {
		nulls = s.addLevels(c)
	}
	encoding := format.Plain
	switch {
	case c.each:
		for _, at := range s.indexes {
			s.data = append(s.data, c.page(at)...)
		}
	case len(c.values) == 1: // one run of all rows, with numbers of zero bits
		encoding = format.RLEDictionary
		s.data = binary.AppendUvarint(append(s.data, 0), uint64(s.rows-nulls)<<1)
	case len(c.values) > 0:
		encoding = format.RLEDictionary
		s.encoded, _ = new(rle.DictionaryEncoding).EncodeInt32(s.encoded, s.indexes) // errors concern numbers without bits
		s.data = append(s.data, s.encoded...)
	}
	s.dictionary = s.dictionary[:0]
	for i := range c.values {
		s.dictionary = appendPlain(s.dictionary, &c.values[i])
	}

	*about = format.ColumnMetaData{
		Type: c.element.Type.V, Encoding: []format.Encoding{format.Plain, format.RLE}, PathInSchema: []string{c.element.Name},
		NumValues: int64(s.rows), Statistics: c.statistics(nulls),
	}
	if s.packAll || len(s.data)+len(s.dictionary) >= minPacked {
		about.Codec = format.Zstd
	}
	begin := len(dst)
	if encoding == format.RLEDictionary {
		about.Encoding = append(about.Encoding, format.RLEDictionary)
		about.DictionaryPageOffset = base + int64(len(dst))
		dst = s.appendPage(dst, s.dictionary, about, &format.PageHeader{
			Type: format.DictionaryPage, DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{NumValues: int32(len(c.values)), Encoding: format.Plain}),
		})
	}
	about.DataPageOffset = base + int64(len(dst))
	dst = s.appendPage(dst, s.data, about, &format.PageHeader{
		Type:           format.DataPage,
		DataPageHeader: thrift.New(format.DataPageHeader{NumValues: int32(s.rows), Encoding: encoding, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE}),
	})
	about.TotalCompressedSize = int64(len(dst) - begin)
	return dst
}

// addLevels begins the data with the information which rows have a value, and drops the others; it
// returns their number.
func (s *scratch) addLevels(c *chunk) (nulls int) {
	begin := len(s.data)
	s.data = append(s.data, 0, 0, 0, 0)
	switch {
	case c.alike():
		some := min(len(c.values), 1)
		nulls = (1 - some) * s.rows
		s.data = append(binary.AppendUvarint(s.data, uint64(s.rows)<<1), byte(some))
	default:
		s.levels = s.levels[:0]
		some := s.indexes[:0]
		for _, at := range s.indexes {
			if at == none {
				s.levels = append(s.levels, 0)
				continue
			}
			s.levels = append(s.levels, 1)
			some = append(some, at)
		}
		s.indexes, nulls = some, s.rows-len(some)
		s.encoded, _ = (&rle.Encoding{BitWidth: 1}).EncodeLevels(s.encoded, s.levels)
		s.data = append(s.data, s.encoded...)
	}
	binary.LittleEndian.PutUint32(s.data[begin:], uint32(len(s.data)-begin-4))
	return nulls
}

// appendPage appends a page of the column that about is of, with its header.
func (s *scratch) appendPage(dst, page []byte, about *format.ColumnMetaData, header *format.PageHeader) []byte {
	header.UncompressedPageSize = int32(len(page))
	if about.Codec == format.Zstd {
		s.packed = pageZstd().EncodeAll(page, s.packed[:0])
		page = s.packed
	}
	header.CompressedPageSize = int32(len(page))
	head, err := thrift.Marshal(new(thrift.CompactProtocol), header)
	if err != nil {
		panic(err) // an invalid header
	}
	about.TotalUncompressedSize += int64(len(head)) + int64(header.UncompressedPageSize)
	return append(append(dst, head...), page...)
}

// statistics are the footer's data on the column's values.
func (c *chunk) statistics(nulls int) format.Statistics {
	of := format.Statistics{NullCount: int64(nulls)}
	var least, greatest []byte
	switch {
	case c.each && len(c.ends) > 0:
		least, greatest = c.text(c.min), c.text(c.max)
	case len(c.values) > 0:
		least, greatest = appendPlain(nil, &c.values[c.min]), appendPlain(nil, &c.values[c.max])
		if c.values[c.min].kind == text {
			least, greatest = least[4:], greatest[4:]
		}
	}
	if len(least) > maxBound || len(greatest) > maxBound {
		return of
	}
	of.MinValue, of.MaxValue = append(of.MinValue, least...), append(of.MaxValue, greatest...)
	return of
}

// appendPlain appends a value in the format of pages.
func appendPlain(dst []byte, v *value) []byte {
	if v.kind == text {
		return appendText(dst, v.text)
	}
	return binary.LittleEndian.AppendUint64(dst, uint64(v.number))
}

// appendText appends a text in the format of pages: its length, then its bytes.
func appendText(dst []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint32(dst, uint32(len(s))), s...)
}
