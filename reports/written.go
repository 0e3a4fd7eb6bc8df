package reports

import (
	"io/fs"
	"os"
	"path"
	"slices"

	"robots-audit/reports/internal/page"
)

// writtenAtEnd are the files that Close writes, and those that all sites share, as patterns, in the order in which they are
// to appear where a run's folder is put together: each comes after those that it refers
// to, and run.json, which says that the run has come to its end, is the last. No site has
// files of these names, see reservedNames.
var writtenAtEnd = slices.Concat([]string{packedFile}, page.Assets, []string{"pages/index.*/*", "pages/index.*", "summary.*", "index.*", "run.json"})

// Written are the files of the run as a whole, now that it is closed, relative to the run's folder and with
// slashes, in the order in which they are to appear where the folder is put together.
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
// tells nothing of any of them; name is relative to the run's folder, with slashes.
func IsAsset(name string) bool {
	return slices.ContainsFunc(page.Assets, func(pattern string) bool { is, err := path.Match(pattern, name); return err == nil && is })
}
