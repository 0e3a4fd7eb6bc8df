package reports

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path"
	"slices"
)

// siteFiles are the files and folders of a site, relative to the run's folder.
func (r *Run) siteFiles(base string) []string {
	names := []string{
		path.Join("records", base+recordsExt), base + ".xlsx", path.Join("pages", base+".html"), path.Join("pages", base+".rows"), path.Join("evidence", base),
	}
	for _, format := range r.Formats {
		names = append(names, base+"."+format)
	}
	return names
}

// sums returns the checksums of the site's files, by their names; of what is
// not there, there is none.
func (r *Run) sums(base string) (map[string]string, error) {
	sums, buf := map[string]string{}, r.sumBuffer()
	defer r.buffers.Put(buf)
	for _, name := range r.siteFiles(base) {
		sum, err := sumOf(r.path(name), *buf)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		sums[name] = checksum(sum)
	}
	return sums, nil
}

// sumBuffer is what files are read into, one at a time.
func (r *Run) sumBuffer() *[]byte {
	if buf, ok := r.buffers.Get().(*[]byte); ok {
		return buf
	}
	buf := make([]byte, 64<<10)
	return &buf
}

// damaged returns the first of a finished site's files that is not as the
// journal has it, and "" where all are: after a power cut a renamed file may be
// empty.
func (r *Run) damaged(line *journalLine) (name string) {
	records := path.Join("records", line.Base+recordsExt)
	for _, f := range []struct {
		name string
		size int64
	}{{records, line.Records}, {line.Base + ".xlsx", line.Workbook}, {path.Join("pages", line.Base+".html"), line.Page}} {
		if info, err := os.Stat(r.path(f.name)); err != nil || info.Size() != f.size {
			return f.name
		}
	}
	if line.Sums == nil {
		return ""
	}
	buf := r.sumBuffer()
	defer r.buffers.Put(buf)
	for _, name := range r.siteFiles(line.Base) {
		sum, err := sumOf(r.path(name), *buf)
		if missing := errors.Is(err, fs.ErrNotExist); err != nil && !missing || missing != (line.Sums[name] == "") || !missing && checksum(sum) != line.Sums[name] {
			return name
		}
	}
	return ""
}

// sumOf returns the checksum of a file's bytes, or of what a folder holds:
// names, in their order, with the checksums of the files.
func sumOf(name string, buf []byte) (uint32, error) {
	f, info, err := openAny(name, os.O_RDONLY)
	if f != nil {
		defer f.Close()
	}
	switch {
	case err != nil:
		return 0, err
	case !info.IsDir():
		return sumOfFile(f, name, info, buf)
	}
	names, err := f.Readdirnames(-1)
	if err != nil {
		return 0, err
	}
	slices.Sort(names)
	sum := uint32(0)
	for _, file := range names {
		of, err := sumIn(path.Join(name, file), buf)
		if err != nil {
			return 0, err
		}
		sum = crc32.Update(sum, castagnoli, fmt.Appendf(nil, "%s\x00%s\n", file, checksum(of)))
	}
	return sum, nil
}

// sumIn returns the checksum of a file in a folder; there are no folders in it.
func sumIn(name string, buf []byte) (uint32, error) {
	f, info, err := openAny(name, os.O_RDONLY)
	if f != nil {
		defer f.Close()
	}
	if err != nil {
		return 0, err
	}
	return sumOfFile(f, name, info, buf)
}

func sumOfFile(f *os.File, name string, info fs.FileInfo, buf []byte) (sum uint32, err error) {
	if err := regular(name, info); err != nil {
		return 0, err
	}
	for left := info.Size(); left > 0; {
		n, err := f.Read(buf)
		if err != nil {
			return 0, err
		}
		sum = crc32.Update(sum, castagnoli, buf[:n])
		left -= int64(n)
	}
	return sum, nil
}
