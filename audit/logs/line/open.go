package line

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Options say how to read a file.
type Options struct {
	Format  *Format                   // nil = recognised from the first lines
	MaxLine int                       // longer lines are errors; 0 = 1 MiB
	Stream  func(io.Reader) io.Reader // wraps pipes and the standard input, which may wait for ever; nil = they are read as they are
}

const (
	maxLine   = 1 << 20
	blockSize = 1 << 20
	headSize  = 256 << 10 // the format is recognised from this many bytes
)

// notLogs are the ends of names of files in a folder that are not read: no server writes logs so.
var notLogs = []string{".xlsx", ".xls", ".html", ".htm", ".md", ".pdf", ".png", ".jpg", ".jpeg", ".gif", ".zip", ".tar", ".tgz", ".7z", ".rar",
	".parquet", ".sqlite", ".db", ".py", ".sh", ".pl", ".exe", ".pid", ".conf", ".toml", ".yaml", ".yml", ".xml"}

// Folders tells files that Files found in folders from those that were named. Nobody has said that the
// former are logs.
type Folders struct {
	Found   map[string]bool // false = it was named
	Skipped []string        // they are no logs by their name
}

// Files returns the files that names, globs and folders are for, each once. Of a folder it returns
// all files, also those of its folders, but no hidden files and none that are no logs by their name.
// "-" is the standard input. A name or glob without file is an error.
func (f *Folders) Files(patterns []string) ([]string, error) {
	if f.Found == nil {
		f.Found = map[string]bool{}
	}
	var files []string
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			files = append(files, name)
		}
	}
	for _, pattern := range patterns {
		names := []string{pattern}
		if _, err := os.Stat(pattern); pattern != "-" && err != nil {
			names, _ = filepath.Glob(pattern)
			names = slices.DeleteFunc(names, func(name string) bool { return hidden(name) && !hidden(pattern) })
			if len(names) == 0 {
				return nil, fmt.Errorf("%s: %s. Expected an access log, a folder of logs, or a pattern like access.log*", pattern, reason(err))
			}
		}
		for _, name := range names {
			info, err := os.Stat(name)
			if name == "-" || err == nil && !info.IsDir() {
				f.Found[name] = false
				add(name)
				continue
			}
			found := false
			err = filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
				switch {
				case err != nil:
					return fmt.Errorf("%s: %s", path, reason(err))
				case path == name:
					return nil
				case d.IsDir() && hidden(path):
					return filepath.SkipDir
				case d.IsDir() || hidden(path):
					return nil
				case slices.Contains(notLogs, strings.ToLower(filepath.Ext(path))):
					f.Skipped = append(f.Skipped, path)
					return nil
				}
				if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() { // also of a link
					found = true
					if _, known := f.Found[path]; !known {
						f.Found[path] = true
					}
					add(path)
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
			if !found && len(names) == 1 {
				return nil, fmt.Errorf("%s: the folder has no access log", name)
			}
		}
	}
	return files, nil
}

// hidden says that a file is hidden by its name.
func hidden(name string) bool { return strings.HasPrefix(filepath.Base(name), ".") }

// reason says why a file could not be read, without the name.
func reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// File is an open access log.
type File struct {
	Name   string
	Format string // name of the format that most of the first lines have; "" = none is recognised

	options Options
	format  *Format
	file    *os.File  // nil = a stream
	in      io.Reader // decompressed
	packed  string    // "gzip", …; "" = plain
	stream  bool      // a pipe: blocks are returned when lines come
	head    []byte    // the first bytes of in
	headEnd error     // why head ends
	hash    maphash.Hash
	size    int64
}

// seed is of all sums of a program.
var seed = maphash.MakeSeed()

// Sum identifies the decompressed content of a file within a run of the program.
type Sum struct {
	Size int64
	Hash uint64
}

// Open opens a file: plain, gzip, zstd or bzip2, as its content says. "-" is the standard input.
func Open(name string, o Options) (*File, error) {
	if o.MaxLine <= 0 {
		o.MaxLine = maxLine
	}
	f := &File{Name: name, options: o, format: o.Format}
	raw, err := f.raw()
	if err != nil {
		return nil, fmt.Errorf("%s: %s", name, reason(err))
	}
	f.hash.SetSeed(seed)
	if err := f.unpack(raw); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f.readHead()
	if f.format == nil {
		f.format = recognise(f.head)
	}
	if f.format != nil {
		f.Format = f.format.Name
	}
	return f, nil
}

// Readable returns an error if a file cannot be opened. It does not open streams, which may wait.
func Readable(name string) error {
	if info, err := os.Stat(name); name == "-" || err == nil && !info.Mode().IsRegular() {
		return nil
	}
	f, err := Open(name, Options{})
	if err != nil {
		return err
	}
	return f.Close()
}

// raw opens the file as it is, and finds out whether it is a stream.
func (f *File) raw() (io.Reader, error) {
	info, err := os.Stdin.Stat()
	if f.Name != "-" {
		info, err = os.Stat(f.Name)
	}
	var in io.Reader = os.Stdin
	switch f.stream = err != nil || !info.Mode().IsRegular(); {
	case f.Name == "-":
	case err != nil:
		return nil, err
	case f.stream:
		in = &pipe{name: f.Name}
	default:
		f.file, err = os.Open(f.Name)
		return f.file, err
	}
	if f.stream && f.options.Stream != nil {
		in = f.options.Stream(in)
	}
	return in, nil
}

// pipe is a named pipe. The first Read opens it, because that waits until another program writes.
type pipe struct {
	name string
	file *os.File
}

func (p *pipe) Read(buf []byte) (n int, err error) {
	if p.file == nil {
		if p.file, err = os.Open(p.name); err != nil {
			return 0, err
		}
	}
	if n, err = p.file.Read(buf); err != nil {
		p.file.Close()
	}
	return n, err
}

// Close closes the file. A stream is closed at its end.
func (f *File) Close() error {
	if z, ok := f.in.(*zstd.Decoder); ok {
		z.Close()
	}
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}

// packings are the forms of compression, by the first bytes. A form without open is not supported.
var packings = []struct {
	name, magic string
	open        func(io.Reader) (io.Reader, error)
}{
	{"gzip", "\x1f\x8b", func(in io.Reader) (io.Reader, error) { return gzip.NewReader(in) }},
	{"zstd", "\x28\xb5\x2f\xfd", func(in io.Reader) (io.Reader, error) {
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(128<<20))
		return z, err
	}},
	{"bzip2", "BZh", func(in io.Reader) (io.Reader, error) { return bzip2.NewReader(in), nil }},
	{"xz", "\xfd7zXZ", nil},
	{"zip", "PK\x03\x04", nil},
	{"7z", "7z\xbc\xaf", nil},
}

// unpack finds out how the file is compressed.
func (f *File) unpack(raw io.Reader) error {
	in := bufio.NewReaderSize(raw, 64<<10)
	magic, err := in.Peek(5) // fewer bytes are no error: the file may be short
	if err != nil && err != io.EOF {
		return errors.New(reason(err))
	}
	f.in = in
	for _, p := range packings {
		if !bytes.HasPrefix(magic, []byte(p.magic)) {
			continue
		}
		if p.open == nil {
			return fmt.Errorf("%s files cannot be read. Expected text, gzip, zstd or bzip2", p.name)
		}
		f.packed = p.name
		if f.in, err = p.open(in); err != nil {
			f.in, f.headEnd = in, f.damaged(err) // it ends before its first line
		}
	}
	return nil
}

// damaged says what is wrong with a file that could not be read to its end.
func (f *File) damaged(err error) error {
	switch {
	case f.packed == "":
		return errors.New("could not be read to its end: " + reason(err))
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the " + f.packed + " file is cut off")
	}
	return errors.New("the " + f.packed + " data is damaged")
}

// readHead reads the first lines. Of a pipe it waits only for the first line.
func (f *File) readHead() {
	f.head = make([]byte, 0, headSize)
	for len(f.head) < headSize && f.headEnd == nil && !(f.stream && bytes.IndexByte(f.head, '\n') >= 0) {
		f.head, f.headEnd = f.read(f.head)
	}
}

// recognise returns the format that most of the first lines have; nil = none.
func recognise(head []byte) *Format {
	const lines = 400
	var p parser
	points := map[*Format]int{}
	var best, declared *Format
	for n := 0; n < lines && len(head) > 0; n++ {
		var line []byte
		line, head, _ = bytes.Cut(head, []byte("\n"))
		line = bytes.TrimRight(line, "\r")
		if n == 0 {
			line = bytes.TrimPrefix(line, bom)
		}
		if f := directive(line); f != nil {
			declared = f
		}
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		f, kind := declared, Fields
		if f != nil {
			if kind, _ = p.try(f, line); kind != "" {
				f = nil
			}
		}
		if f == nil {
			f, kind = p.search(line)
		}
		if f == nil {
			continue
		}
		points[f]++
		if kind == "" {
			points[f] += 3
		}
		if best == nil || points[f] > points[best] {
			best = f
		}
	}
	if best == nil {
		return declared
	}
	return best
}

var bom = []byte("\xef\xbb\xbf")

// buffers has the memory of blocks that were freed.
var buffers = sync.Pool{New: func() any { return new([blockSize]byte) }}

// Blocks returns the lines of the file in parts of about 1 MiB. If the file cannot be read to its end,
// an error follows the blocks before it. Blocks can be called once.
func (f *File) Blocks() iter.Seq2[Block, error] {
	return func(yield func(Block, error) bool) {
		err, format, number := f.headEnd, f.format, int64(1)
		buf := append(buffers.Get().(*[blockSize]byte)[:0], bytes.TrimPrefix(f.head, bom)...)
		f.head = nil
		skip := false // buf begins inside of a line that is too long
		for {
			for err == nil && len(buf) < cap(buf) && !(f.stream && bytes.IndexByte(buf, '\n') >= 0) {
				buf, err = f.read(buf)
			}
			if at := bytes.IndexByte(buf, '\n'); skip {
				buf = append(buf[:0], buf[max(at+1, 0):]...)
				if skip = at < 0; skip {
					buf = buf[:0]
				}
			}
			end := bytes.LastIndexByte(buf, '\n') + 1
			if err == io.EOF {
				end = len(buf)
			}
			switch {
			case end > 0:
				b := Block{Data: buf[:end:end], First: number, format: format, fixed: f.options.Format != nil, longest: f.options.MaxLine}
				if f.stream { // blocks are small
					b.Data = bytes.Clone(b.Data)
					buf = append(buf[:0], buf[end:]...)
				} else {
					if cap(buf) == blockSize {
						b.buf = buf
					}
					buf = append(buffers.Get().(*[blockSize]byte)[:0], buf[end:]...)
				}
				number += int64(bytes.Count(b.Data, []byte("\n")))
				format = b.after()
				if !yield(b, nil) {
					return
				}
			case len(buf) > f.options.MaxLine:
				if !yield(Block{First: number, longest: -1}, nil) {
					return
				}
				number++
				buf, skip = buf[:0], true
			case len(buf) == cap(buf):
				buf = append(make([]byte, 0, 2*cap(buf)), buf...)
			}
			if err != nil && end == len(buf) || err != nil && err != io.EOF {
				break
			}
		}
		if err != io.EOF {
			yield(Block{}, fmt.Errorf("%w after line %d", err, number-1))
		}
	}
}

// read reads once into the free part of a buffer.
func (f *File) read(buf []byte) ([]byte, error) {
	n, err := f.in.Read(buf[len(buf):cap(buf)])
	buf = buf[:len(buf)+n]
	f.hash.Write(buf[len(buf)-n:])
	f.size += int64(n)
	if err != nil && err != io.EOF {
		err = f.damaged(err)
	}
	return buf, err
}

// after returns the format of the line after the block: the last "#Fields:" in it counts.
func (b *Block) after() *Format {
	format, data := b.format, b.Data
	for at := 0; !b.fixed || format.columns != nil; {
		i := bytes.Index(data[at:], []byte("#Fields:"))
		if i < 0 {
			break
		}
		at += i + 1
		if at == 1 || data[at-2] == '\n' {
			line, _, _ := bytes.Cut(data[at-1:], []byte("\n"))
			if f := directive(line); f != nil {
				format = f
			}
		}
	}
	return format
}

// Sum identifies the content that Blocks has read.
func (f *File) Sum() Sum { return Sum{f.size, f.hash.Sum64()} }
