package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"robots-audit/crawl/errno"
)

// folder is a bucket that is a folder: a key is the path of its file.
type folder struct {
	root    string
	grouped bool  // set by flush: take need not wait for the disk
	passing *pack // committed objects of a bucket that ends with the process; nil = objects are files
	flushes shared
}

// incomplete is the folder of incomplete files. It is in the bucket, so that it is on the same file
// system. It is separate from the objects, so that a kill leaves nothing in a run's folder.
const incomplete = ".incomplete"

// openFolder opens file:///srv/results, file://./results, and file:///C:/results.
func openFolder(u *url.URL) (*folder, error) {
	root, err := folderPath(u)
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(root, 0o777); err == nil {
		if err := syncFolder(filepath.Dir(root)); err != nil {
			return nil, err
		}
	} else if info, statErr := os.Stat(root); statErr != nil {
		return nil, fmt.Errorf("the folder does not exist and cannot be created: %w", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("%s is a file, not a folder", root)
	}
	f := &folder{root: root, grouped: syncsWhole(root)}
	if err := f.plain(incomplete); err != nil {
		return nil, fmt.Errorf("it cannot be written: %w", err)
	}
	f.sweep(time.Now().Add(-24 * time.Hour))
	return f, nil
}

// FolderURL is the URL of a bucket that is a folder with this absolute path.
func FolderURL(path string) string {
	u := url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(path), "/")} // for paths such as C:\results
	return u.String()
}

// FolderOf is the path of the bucket's folder; ok is false if the bucket is not a folder.
func FolderOf(address string) (path string, ok bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "file" {
		return "", false
	}
	path, err = folderPath(u)
	return path, err == nil
}

// folderPath is the folder that a URL names.
func folderPath(u *url.URL) (string, error) {
	path := u.Path
	switch {
	case u.RawQuery != "" || u.Fragment != "" || u.User != nil || u.Opaque != "":
		return "", errors.New("file:// takes only a path, such as file:///srv/results or file://./results")
	case u.Host != "" && u.Host != "." && u.Host != "localhost":
		return "", fmt.Errorf("%q is not a path. Write three slashes, such as file:///%s%s", u.Host, u.Host, u.Path)
	case strings.Trim(path, "/") == "":
		return "", errors.New("name a folder")
	case u.Host == "." || runtime.GOOS == "windows":
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.Abs(filepath.FromSlash(path))
}

// sweep removes incomplete files that were begun before a time. Files that it cannot remove are left to the
// next.
func (f *folder) sweep(before time.Time) {
	entries, _ := os.ReadDir(filepath.Join(f.root, incomplete))
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().Before(before) {
			os.Remove(filepath.Join(f.root, incomplete, e.Name()))
		}
	}
}

// path is the file of a key.
func (f *folder) path(key string) (string, error) {
	if !fs.ValidPath(key) || key == "." || strings.ContainsFunc(key, func(r rune) bool { return r < ' ' }) ||
		key == incomplete || strings.HasPrefix(key, incomplete+"/") {
		return "", errors.New("this cannot be the key of an object")
	}
	name, err := filepath.Localize(key)
	if err != nil {
		return "", errors.New("this cannot be the name of a file")
	}
	return filepath.Join(f.root, name), f.plain(filepath.Dir(name))
}

// plain returns an error if one of the folders on the way to dir, below the bucket's, exists and is not a
// folder: a link would lead out of the bucket.
func (f *folder) plain(dir string) error {
	for ; dir != "."; dir = filepath.Dir(dir) {
		path := filepath.Join(f.root, dir)
		if info, err := os.Lstat(path); err == nil && !info.IsDir() {
			return fmt.Errorf("%s is not a plain folder, so it is not used", path)
		}
	}
	return nil
}

func (f *folder) put(ctx context.Context, key string, from io.Reader, onlyNew bool) (bool, error) {
	path, err := f.path(key)
	if err != nil {
		return false, err
	}
	if onlyNew {
		if there, err := f.exists(ctx, key); there || err != nil {
			return false, err
		}
	}
	temp, err := f.temp(ctx, from, true)
	if err != nil {
		return false, err
	}
	defer os.Remove(temp) // fails if the file was renamed to the object
	err = f.name(temp, path, onlyNew, true)
	if onlyNew && errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := syncFolder(filepath.Dir(path)); err != nil && !errors.Is(err, fs.ErrNotExist) { // already deleted
		return false, err
	}
	return true, nil
}

// take renames a file to an object.
func (f *folder) take(ctx context.Context, key, from string) error {
	path, err := f.path(key)
	if err != nil {
		return err
	}
	if !f.grouped {
		if err := syncFile(from); err != nil {
			return err
		}
	}
	err = f.name(from, path, false, !f.grouped)
	if errno.OtherDisk(err) {
		return f.copy(ctx, path, from)
	}
	if err == nil && !f.grouped {
		err = syncFolder(filepath.Dir(path))
	}
	return err
}

// copy is take for a file on another disk.
func (f *folder) copy(ctx context.Context, path, from string) error {
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	defer file.Close()
	temp, err := f.temp(ctx, file, !f.grouped)
	if err != nil {
		return err
	}
	defer os.Remove(temp) // fails if the file was renamed to the object
	err = f.name(temp, path, false, !f.grouped)
	if err == nil && !f.grouped {
		err = syncFolder(filepath.Dir(path))
	}
	if err != nil {
		return err
	}
	file.Close() // Windows cannot remove an open file
	return os.Remove(from)
}

// commit renames a new object to its key when everything that take has stored is on the disk.
func (f *folder) commit(ctx context.Context, key string, data []byte) (stored bool, err error) {
	path, err := f.path(key)
	switch {
	case err != nil:
		return false, err
	case f.passing != nil:
		return f.passing.add(key, data)
	case !f.grouped:
		return f.put(ctx, key, bytes.NewReader(data), true)
	}
	temp, err := f.temp(ctx, bytes.NewReader(data), false)
	if err != nil {
		return false, err
	}
	defer func() {
		if !stored {
			os.Remove(temp)
		}
	}()
	if err := f.flushes.do(func() error { return syncWhole(f.root) }); err != nil {
		return false, err
	}
	if err := ctx.Err(); err != nil { // the flush may have taken long
		return false, err
	}
	err = f.name(temp, path, true, false)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	return err == nil, err
}

// temp writes an incomplete file, and waits for the disk if wait is set.
func (f *folder) temp(ctx context.Context, from io.Reader, wait bool) (string, error) {
	temp := filepath.Join(f.root, incomplete, rand.Text())
	err := write(ctx, temp, from, wait)
	if errors.Is(err, fs.ErrNotExist) { // the folder is missing, and nothing was read yet
		if err := makeFolders(f.root, filepath.Dir(temp), wait); err != nil {
			return "", err
		}
		err = write(ctx, temp, from, wait)
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(temp))
	}
	return temp, nil
}

// name renames a complete file to its object's name, and makes the folder if it is missing.
func (f *folder) name(temp, path string, onlyNew, wait bool) (err error) {
	// Another process's Delete removes a folder that it finds empty, even one that was just made.
	for range 100 {
		if err = name(temp, path, onlyNew); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if made := makeFolders(f.root, filepath.Dir(path), wait); made != nil && !errors.Is(made, fs.ErrNotExist) {
			return made
		}
	}
	return err
}

// name renames a complete file to its object's name.
func name(temp, path string, onlyNew bool) error {
	if onlyNew {
		return linkNew(temp, path)
	}
	return os.Rename(temp, path)
}

// write writes a file. If wait is set, the file is on the disk when write returns.
func write(ctx context.Context, name string, from io.Reader, wait bool) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if whole, ok := from.(*bytes.Reader); ok {
		_, err = whole.WriteTo(file) // without a buffer
	} else {
		_, err = io.Copy(file, bound{ctx, from})
	}
	if err == nil && wait {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// linkNew links a file to an unused name and removes the old name. It returns fs.ErrExist if the name is in
// use.
func linkNew(temp, path string) error {
	err := renameNew(temp, path)
	if err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err = os.Link(temp, path); err == nil {
		os.Remove(temp) // sweep removes it otherwise
		return nil
	}
	if errors.Is(err, fs.ErrExist) {
		// A network file system may have made the link, and refuse the repeated request.
		a, errA := os.Stat(temp)
		b, errB := os.Stat(path)
		if errA == nil && errB == nil && os.SameFile(a, b) {
			return nil
		}
		return err
	}
	if errors.Is(err, fs.ErrNotExist) || errno.DiskFull(err) {
		return err
	}
	// A file system without hard links. Another process may create the object between the check and the
	// rename: then this result replaces one of the same site.
	if _, statErr := os.Lstat(path); statErr == nil {
		return fs.ErrExist
	}
	return os.Rename(temp, path)
}

// makeFolders makes a folder below root, and its parents. With wait they are on the disk when it returns.
func makeFolders(root, dir string, wait bool) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() || dir == root {
		return err
	}
	if err := makeFolders(root, filepath.Dir(dir), wait); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if !wait {
		return nil
	}
	return syncFolder(filepath.Dir(dir))
}

// syncFolder waits until the names in a folder are on the disk. Windows cannot do that.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) { // some network file systems cannot either
		err = nil
	}
	return errors.Join(err, d.Close())
}

func (f *folder) open(ctx context.Context, key string) (io.ReadCloser, error) {
	path, err := f.path(key)
	if err != nil {
		return nil, err
	}
	if r, err := f.passing.open(key); r != nil || err != nil {
		return r, err
	}
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, ErrNotPlain
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // only regular files are synced
	if err != nil {
		if there, err := f.exists(ctx, key); err != nil || !there {
			return nil, cmp.Or(err, ErrNotFound)
		}
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotPlain
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &object{bound{ctx, file}, file, info.Size()}, nil
}

// object is an open object, whose size is known.
type object struct {
	io.Reader
	io.Closer
	size int64
}

func (f *folder) exists(_ context.Context, key string) (bool, error) {
	path, err := f.path(key)
	if err != nil {
		return false, err
	}
	if f.passing.has(key) {
		return true, nil
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errno.NoName(err):
		// A missing bucket folder is an error: it may not be mounted.
		_, err := os.Stat(f.root)
		return false, err
	case err != nil:
		return false, err
	}
	return info.Mode().IsRegular(), nil
}

func (f *folder) remove(ctx context.Context, key string) error {
	path, err := f.path(key)
	if err != nil {
		return err
	}
	f.passing.remove(key)
	if there, err := f.exists(ctx, key); err != nil || !there {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// A folder without objects is not in the bucket.
	for dir := filepath.Dir(path); dir != f.root && os.Remove(dir) == nil; dir = filepath.Dir(dir) {
	}
	return nil
}

func (f *folder) keys(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) { f.walk(ctx, "", prefix, yield) }
}

// walk yields the objects in a folder, "" or with a final slash; false = stop.
func (f *folder) walk(ctx context.Context, dir, prefix string, yield func(Object, error) bool) bool {
	entries, err := os.ReadDir(filepath.Join(f.root, filepath.FromSlash(dir)))
	if errors.Is(err, fs.ErrNotExist) && dir != "" {
		return true // removed meanwhile
	}
	if err != nil {
		return yield(Object{}, err)
	}
	key := func(e fs.DirEntry) string {
		if e.IsDir() {
			return dir + e.Name() + "/" // in the order of keys: "a-b" comes before "a/b"
		}
		return dir + e.Name()
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(key(a), key(b)) })
	for _, e := range entries {
		k := key(e)
		switch {
		case ctx.Err() != nil:
			return yield(Object{}, ctx.Err())
		case k == incomplete+"/":
		case e.IsDir() && (strings.HasPrefix(k, prefix) || strings.HasPrefix(prefix, k)):
			if !f.walk(ctx, k, prefix, yield) {
				return false
			}
		case !e.IsDir() && strings.HasPrefix(k, prefix):
			info, err := e.Info()
			if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
				continue
			}
			if err != nil {
				return yield(Object{}, err)
			}
			if !yield(Object{k, info.Size()}, nil) {
				return false
			}
		}
	}
	return true
}

// passes reports whether an error may be temporary: of a network file system, or because a virus scanner
// has the file open.
func (f *folder) passes(err error) bool {
	for _, e := range []syscall.Errno{syscall.EAGAIN, syscall.EBUSY, syscall.EINTR, syscall.ETIMEDOUT, syscall.ESTALE} {
		if errors.Is(err, e) {
			return true
		}
	}
	return errno.HeldOpen(err) || runtime.GOOS == "windows" && errors.Is(err, fs.ErrPermission)
}

func (f *folder) close() error { return f.passing.close() }

// bound ends reads when a context ends.
type bound struct {
	ctx context.Context
	io.Reader
}

func (b bound) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	return b.Reader.Read(p)
}
