package serve

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"robots-audit/reports/internal/disk"
)

// errNoFile says that a folder has no file of that name.
var errNoFile = errors.New("there is no such file")

// openIn opens a file of a folder by a name with slashes, as in a request: see checkPlain.
func openIn(dir, name string) (*os.File, error) {
	root, err := disk.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if err := checkPlain(root, name, false); err != nil {
		return nil, err
	}
	return root.Open(filepath.FromSlash(name))
}

// checkPlain looks up a file or folder by a name with slashes. It returns errNoFile if the name, or a folder on
// the way, is hidden, a link or a special file: to open a named pipe could block for ever.
func checkPlain(root *os.Root, name string, isFolder bool) error {
	local, err := filepath.Localize(name)
	if err != nil {
		return errNoFile
	}
	parts := strings.Split(local, string(filepath.Separator))
	for i, part := range parts {
		// Windows also has short names for hidden files: ROBOTS~1. No file of ours has a tilde.
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

// maxName is longer than any name of ours in bytes: systems refuse longer names.
const maxName = 255

// listIn lists a folder below another folder: see checkPlain.
func listIn(dir, name string) ([]fs.DirEntry, error) {
	root, err := disk.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if err := checkPlain(root, name, true); err != nil {
		return nil, err
	}
	return fs.ReadDir(root.FS(), name)
}
