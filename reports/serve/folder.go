package serve

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"robots-audit/reports/internal/disk"
)

// folder is one whose files are served. A name of a request is looked up among those that the
// folder was found to hold; the file that is opened is named by what was found, and by way of
// an os.Root, which no symbolic link leaves.
type folder struct {
	root *os.Root

	mu    sync.Mutex
	lists map[string]listing // by the name of a folder below
}

// listing are the names that a folder was found to hold.
type listing struct {
	at       time.Time // when it was read
	modified time.Time
	names    map[string]bool // whether it is a folder
}

// Bounds of what is remembered of a folder.
const (
	maxListings = 64
	listingTime = 2 * time.Second // how long a folder that did change within a tick of its clock is not read again
)

func openFolder(dir string) (*folder, error) {
	root, err := disk.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &folder{root: root, lists: map[string]listing{}}, nil
}

func (f *folder) close() error { return f.root.Close() }

// list returns what a folder holds; dir is "." or was found before.
func (f *folder) list(dir string) (map[string]bool, error) {
	info, err := f.root.Lstat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() { // to open a named pipe could take for ever
		return nil, errNoFile
	}
	f.mu.Lock()
	known, ok := f.lists[dir]
	f.mu.Unlock()
	if ok && known.modified.Equal(info.ModTime()) && (known.at.Sub(known.modified) > listingTime || time.Since(known.at) < listingTime) {
		return known.names, nil
	}
	entries, err := fs.ReadDir(f.root.FS(), dir)
	if err != nil {
		return nil, err
	}
	l := listing{time.Now(), info.ModTime(), make(map[string]bool, len(entries))}
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), ".") && (entry.IsDir() || entry.Type().IsRegular()) {
			l.names[entry.Name()] = entry.IsDir()
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.lists) >= maxListings {
		clear(f.lists)
	}
	f.lists[dir] = l
	return l.names, nil
}

// open opens a file by its name, with slashes, as a request has it: errNoFile where the
// folder was not found to hold it.
func (f *folder) open(name string) (*os.File, error) {
	if err := f.find(name, false); err != nil {
		return nil, err
	}
	return f.root.Open(name)
}

// find looks a file or a folder up, by its name with slashes, among what the folder was found to hold.
func (f *folder) find(name string, isFolder bool) error {
	dir := "."
	parts := strings.Split(name, "/")
	for i, part := range parts {
		names, err := f.list(dir)
		if err != nil {
			return err
		}
		is, found := names[part]
		if !found || is != (isFolder || i < len(parts)-1) {
			return errNoFile
		}
		dir = path.Join(dir, part)
	}
	return nil
}

// errNoFile is that a folder does not hold a file of that name.
var errNoFile = errors.New("there is no such file")
