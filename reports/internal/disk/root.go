package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
)

// Root is the file system below a folder that others may have made. Names are paths that begin with the folder's
// path. Root never opens, makes, renames or removes anything outside of it, and accepts only plain files and
// folders in it: a link to any target, a pipe or a device is an error that names it. The folder itself may be a
// link, since the user of the program has named it. A Root is safe for many goroutines.
type Root struct {
	dir string

	mu      sync.Mutex
	root    *os.Root        // nil = not opened yet
	uses    int             // current uses of root
	folders map[string]bool // checked folders below it, which are not links
}

// NewRoot returns the file system below a folder, which need not exist yet. The folder is opened on
// first use, and closed by Close, or when no goroutine uses it any more.
func NewRoot(dir string) *Root {
	return &Root{dir: filepath.Clean(dir), folders: map[string]bool{".": true}}
}

// OpenRoot is os.OpenRoot, which would block for ever on a named pipe.
func OpenRoot(dir string) (*os.Root, error) {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: dir, Err: fmt.Errorf("it is %s, where a folder is expected", kindOf(info.Mode()))}
	}
	if err != nil {
		return nil, err
	}
	return os.OpenRoot(dir)
}

// Close closes the folder. It may be used again.
func (r *Root) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.root == nil {
		return nil
	}
	err := r.root.Close()
	r.root = nil
	return err
}

// keepsOpen says that the folder stays open between two uses. Windows cannot rename or remove an open folder, but
// retention does so.
const keepsOpen = runtime.GOOS != "windows"

// at returns the opened folder, to be released by done, and the name of a file below it. All folders on the
// way must be plain.
func (r *Root) at(name string) (root *os.Root, below string, err error) {
	below, err = filepath.Rel(r.dir, name)
	if err != nil || !filepath.IsLocal(below) {
		return nil, "", &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("it does not lie in %s", r.dir)}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.root == nil {
		if r.root, err = OpenRoot(r.dir); err != nil {
			return nil, "", err
		}
	}
	r.uses++
	if err := r.plainFolders(filepath.Dir(below)); err != nil {
		r.drop()
		return nil, "", err
	}
	return r.root, below, nil
}

// done ends a use of the folder.
func (r *Root) done() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drop()
}

// drop is done for callers that have locked r.mu.
func (r *Root) drop() {
	if r.uses--; r.uses == 0 && !keepsOpen && r.root != nil {
		r.root.Close() // best effort: it was only read
		r.root = nil
	}
}

// plainFolders returns an error if something on the way to dir is not a plain folder. A missing one is no
// error. The caller has locked r.mu.
func (r *Root) plainFolders(dir string) error {
	if r.folders[dir] {
		return nil
	}
	if err := r.plainFolders(filepath.Dir(dir)); err != nil {
		return err
	}
	info, err := r.root.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return r.named(err, dir)
	case !info.IsDir():
		return &fs.PathError{Op: "open", Path: filepath.Join(r.dir, dir), Err: fmt.Errorf("it is %s, where a folder is expected", kindOf(info.Mode()))}
	}
	r.folders[dir] = true
	return nil
}

// named puts full paths into an error of the system.
func (r *Root) named(err error, below string) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return &fs.PathError{Op: strings.TrimSuffix(path.Op, "at"), Path: filepath.Join(r.dir, below), Err: path.Err}
	case errors.As(err, &link):
		return &os.LinkError{Op: strings.TrimSuffix(link.Op, "at"), Old: filepath.Join(r.dir, link.Old), New: filepath.Join(r.dir, link.New), Err: link.Err}
	}
	return err
}

// Lstat implements FS.
func (r *Root) Lstat(name string) (fs.FileInfo, error) {
	root, below, err := r.at(name)
	if err != nil {
		return nil, err
	}
	defer r.done()
	info, err := root.Lstat(below)
	return info, r.named(err, below)
}

// Open implements FS.
func (r *Root) Open(name string, flag int) (*os.File, error) {
	root, below, err := r.at(name)
	if err != nil {
		return nil, err
	}
	defer r.done()
	info, err := root.Lstat(below)
	switch {
	case err == nil:
		if err := CheckRegular(name, info); err != nil {
			return nil, err
		}
	case flag&os.O_CREATE == 0 || !errors.Is(err, fs.ErrNotExist):
		return nil, r.named(err, below)
	}
	f, err := root.OpenFile(below, flag|syscall.O_NONBLOCK, 0o644)
	return f, r.named(err, below)
}

// Append implements FS.
func (r *Root) Append(name string, data []byte) error {
	f, err := r.open(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// Create implements FS.
func (r *Root) Create(name string) (File, error) {
	return r.open(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC)
}

// open opens one of our own files, in a folder that was emptied before.
func (r *Root) open(name string, flag int) (*os.File, error) {
	root, below, err := r.at(name)
	if err != nil {
		return nil, err
	}
	defer r.done()
	f, err := root.OpenFile(below, flag|syscall.O_NONBLOCK, 0o644)
	if err != nil {
		return nil, r.named(err, below)
	}
	return f, nil
}

// Rename implements FS.
func (r *Root) Rename(from, to string) error {
	rename := func(from, to string) error {
		root, old, err := r.at(from)
		if err != nil {
			return err
		}
		defer r.done()
		_, below, err := r.at(to)
		if err != nil {
			return err
		}
		defer r.done()
		return r.named(root.Rename(old, below), below)
	}
	return renaming{rename, heldOpen, system.first}.do(from, to)
}

// Remove implements FS.
func (r *Root) Remove(name string) error {
	root, below, err := r.at(name)
	if err == nil {
		err = r.named(root.RemoveAll(below), below)
		r.forget(below)
		r.done()
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// forget forgets the checked folders below a removed or renamed one.
func (r *Root) forget(below string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for folder := range r.folders {
		if folder == below || strings.HasPrefix(folder, below+string(filepath.Separator)) {
			delete(r.folders, folder)
		}
	}
}

// Mkdir implements FS.
func (r *Root) Mkdir(name string) error {
	root, below, err := r.at(name)
	if err != nil {
		return err
	}
	defer r.done()
	if err := root.Mkdir(below, 0o755); !errors.Is(err, fs.ErrExist) {
		return r.named(err, below)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.plainFolders(below)
}

// MkdirAll implements FS.
func (r *Root) MkdirAll(name string) error {
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return err
	}
	_, below, err := r.at(name)
	if err != nil {
		return err
	}
	r.done() // only the name was needed
	if below == "." {
		return nil
	}
	if err := r.MkdirAll(filepath.Dir(filepath.Join(r.dir, below))); err != nil {
		return err
	}
	return r.Mkdir(name)
}

// ReadDir implements FS.
func (r *Root) ReadDir(name string) ([]fs.DirEntry, error) {
	root, below, err := r.at(filepath.Join(name, "any"))
	if err != nil {
		return nil, err
	}
	defer r.done()
	entries, err := fs.ReadDir(root.FS(), filepath.ToSlash(filepath.Dir(below)))
	return entries, r.named(err, filepath.Dir(below))
}
