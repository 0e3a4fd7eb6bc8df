package page

import (
	"bytes"

	"robots-audit/reports/internal/disk"
)

// WriteAssets writes the files that the pages of all sites of a run share, a style and a script,
// into the existing folder pages. Each file is complete or missing, and files that are already
// correct are not written. Files of other versions of the program stay, since pages may refer to
// them.
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
