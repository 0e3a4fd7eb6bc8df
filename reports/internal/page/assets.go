package page

import (
	"bytes"

	"robots-audit/reports/internal/disk"
)

// WriteAssets writes what the pages of all sites of a run refer to, their style and their
// script, into the folder pages, which is there: whole or not at all, and only what is not
// there as it should be. Files of other versions of the program stay, for there may be pages
// that refer to them.
func WriteAssets(folder *disk.Folder) error {
	for _, asset := range pages().site.Assets() {
		name, text := folder.Path("pages", asset.Name), []byte(asset.Text)
		if there, err := disk.ReadFile(folder.FS, name, int64(len(text))); err == nil && bytes.Equal(there, text) {
			continue
		}
		if err := disk.WriteFile(folder.FS, name, folder.TempPath(asset.Name), text); err != nil {
			return err
		}
	}
	return nil
}

// Assets are patterns of the names of the files that WriteAssets writes, relative to the run's folder.
var Assets = []string{"pages/page-*.css", "pages/page-*.js"}
