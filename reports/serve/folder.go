package serve

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"robots-audit/reports/internal/disk"
)

// errNoFile is that a folder does not hold a file of that name.
var errNoFile = errors.New("there is no such file")

// openIn opens a file of a folder by its name with slashes, as a request has it: see find.
func openIn(dir, name string) (*os.File, error) {
	root, err := disk.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if err := find(root, name, false); err != nil {
		return nil, err
	}
	return root.Open(filepath.FromSlash(name))
}

// find looks a file or a folder up by its name with slashes. It is errNoFile where the name, or that of
// a folder on the way, is hidden, a link, or of anything else: to open a named pipe could take for ever.
func find(root *os.Root, name string, isFolder bool) error {
	local, err := filepath.Localize(name)
	if err != nil {
		return errNoFile
	}
	parts := strings.Split(local, string(filepath.Separator))
	for i, part := range parts {
		// Windows has short names of hidden files, too: ROBOTS~1. No file of ours has a tilde.
		if strings.HasPrefix(part, ".") || strings.Contains(part, "~") || len(part) > maxName {
			return errNoFile
		}
		info, err := root.Lstat(filepath.Join(parts[:i+1]...))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return errNoFile
		case err != nil:
			return err
		case !info.IsDir() && !info.Mode().IsRegular(), info.IsDir() != (isFolder || i < len(parts)-1):
			return errNoFile
		}
	}
	return nil
}

// maxName is more than the bytes of the name of any file of ours: systems refuse longer names.
const maxName = 255

// listIn lists a folder that find finds below another one.
func listIn(dir, name string) ([]fs.DirEntry, error) {
	root, err := disk.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if err := find(root, name, true); err != nil {
		return nil, err
	}
	return fs.ReadDir(root.FS(), name)
}
