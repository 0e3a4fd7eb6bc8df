package reports

import (
	"errors"
	"io/fs"
	"path"

	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/summary"
)

// siteFiles are the files and folders of a site, relative to the run's folder; the first is its records.
func (r *Run) siteFiles(base string) []string {
	names := []string{path.Join("records", base+recordsExt)}
	for _, kind := range outputKinds {
		if !r.writes(kind.name) {
			continue
		}
		names = append(names, kind.files(&r.Options, base)...)
	}
	return append(names, path.Join("evidence", base))
}

// checksums returns the checksums of a site's files by name, once they have their final names. A
// missing file has none.
func (r *Run) checksums(names []string) (map[string]string, error) {
	sums, buf := map[string]string{}, r.checksumBuffer()
	defer r.checksumBuffers.Put(buf)
	for _, name := range names {
		sum, err := r.written.Sum(r.path(name), *buf)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		sums[name] = disk.FormatSum(sum)
	}
	return sums, nil
}

// checksumBuffer returns the buffer into which files are read, one at a time.
func (r *Run) checksumBuffer() *[]byte {
	if buf, ok := r.checksumBuffers.Get().(*[]byte); ok {
		return buf
	}
	buf := make([]byte, 64<<10)
	return &buf
}

// damagedFile returns the first of a finished site's files that differs from the journal, and "" if
// none does. After a power cut a renamed file may be empty.
func (r *Run) damagedFile(line *summary.Line) (name string) {
	records, made := path.Join("records", line.Base+recordsExt), !r.onDemand() || wasMade(line)
	for _, f := range []struct {
		kind, name string
		size       int64
	}{{"", records, line.Records}, {kindWorkbook, line.Base + ".xlsx", line.Workbook}, {kindPage, path.Join("pages", line.Base+".html"), line.Page}} {
		if !r.writes(f.kind) || f.kind != "" && !made {
			continue
		}
		if info, err := r.folder.FS.Lstat(r.path(f.name)); err != nil || info.Size() != f.size {
			return f.name
		}
	}
	if line.Sums == nil {
		return ""
	}
	buf := r.checksumBuffer()
	defer r.checksumBuffers.Put(buf)
	names := r.siteFiles(line.Base)
	if !made { // a file that Demand made but could not enter in the journal is not damage
		names = names[:1]
	}
	for _, name := range names {
		sum, err := disk.Sum(r.folder.FS, r.path(name), *buf)
		if missing := errors.Is(err, fs.ErrNotExist); err != nil && !missing || missing != (line.Sums[name] == "") || !missing && disk.FormatSum(sum) != line.Sums[name] {
			return name
		}
	}
	return ""
}
