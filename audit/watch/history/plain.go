package history

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrNotPlain says that a part of a history's folder is a link, a pipe or a device, or a folder
// instead of a file.
var ErrNotPlain = errors.New("it is not a plain file or folder. Links are not followed. Move the whole history, or put the file itself there")

// besideEnds are the endings of the files that SQLite creates next to a database.
var besideEnds = []string{"-wal", "-shm", "-journal"}

// ownParts are the parts of a history's folder, if they exist. Another user may have made the
// folder, and a link in it could redirect our reads, writes and deletions.
var ownParts = []struct {
	name string
	dir  bool
	deep bool // check everything below it, too; a run's folder is checked when the run is opened
}{
	{name: fileName}, {name: fileName + "-wal"}, {name: fileName + "-shm"}, {name: fileName + "-journal"},
	{name: lockName}, {name: nameLock},
	{name: "runs", dir: true},
	{name: "proposals", dir: true},
	{name: "comparisons", dir: true, deep: true},
	{name: "confirmations", dir: true, deep: true},
	{name: "submitted", dir: true, deep: true},
}

// checkPlain returns an error for the first part of a history's folder that is neither a plain file
// nor a plain folder. The folder itself may be a link, because the user named it.
func checkPlain(dir string) error {
	for _, part := range ownParts {
		name := filepath.Join(dir, part.name)
		info, err := os.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return err
		case part.dir && !info.IsDir(), !part.dir && !info.Mode().IsRegular():
			return fmt.Errorf("%s: %w", name, ErrNotPlain)
		case !part.deep:
			continue
		}
		err = filepath.WalkDir(name, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !d.Type().IsRegular() {
				return fmt.Errorf("%s: %w", name, ErrNotPlain)
			}
			if errors.Is(err, fs.ErrNotExist) { // the process that makes the runs has removed it meanwhile
				return nil
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// storedName reads the name of a file or folder from a row. It becomes part of paths, so a name
// that leads elsewhere is damage.
type storedName struct{ *string }

// Scan is called by package sql.
func (s storedName) Scan(value any) error {
	text, ok := value.(string)
	if !ok || text == "." || text != "" && (!fs.ValidPath(text) || !filepath.IsLocal(filepath.FromSlash(text))) {
		return fmt.Errorf("%q is not the name of a run", value)
	}
	*s.string = text
	return nil
}
