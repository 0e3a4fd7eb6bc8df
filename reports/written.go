package reports

import (
	"io/fs"
	"os"
	"path"
	"slices"

	"robots-audit/reports/internal/page"
)

// writtenAtEnd are patterns of the files that Close writes and of those that all sites share. They are in the order in
// which they must appear when a run's folder is put together: each file comes after the files it refers to. run.json, which
// says that the run is finished, is last. No site has files with these names, see reservedNames.
var writtenAtEnd = slices.Concat([]string{packedFile}, page.Assets, []string{"pages/index.*/*", "pages/index.*", "summary.*", "index.*", "run.json"})

// Written returns the files of the closed run as a whole, relative to the run's folder and with slashes.
// Their order is the order in which they must appear when the folder is put together.
func (r *Run) Written() (names []string, err error) {
	dir := os.DirFS(r.Dir)
	for _, pattern := range writtenAtEnd {
		found, err := fs.Glob(dir, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range found {
			if info, err := fs.Stat(dir, name); err != nil || !info.IsDir() {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

// IsAsset reports whether a file of a run is one that the pages of its sites share and that
// contains nothing about any site; name is relative to the run's folder, with slashes.
func IsAsset(name string) bool {
	return slices.ContainsFunc(page.Assets, func(pattern string) bool { is, err := path.Match(pattern, name); return err == nil && is })
}
