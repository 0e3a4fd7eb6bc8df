// Package store is the bucket in which a fleet keeps its results: a folder on a disk that all machines
// share (file:///srv/results), or a bucket that gocloud.dev/blob opens.
//
// The driver of file:// is our own, because an object under a site's key means that the site is done. The
// driver of gocloud checks for an object and then renames over it, so that two writers can both succeed. It
// does not wait for the disk, and it reads the whole folder again for each 1,000 objects. Ours uses keys as
// file names without escapes: a run in the bucket is the run's folder. Incomplete files are in .incomplete
// at the top. A process that opens the bucket a day later removes them.
//
// An object and its name are on the disk before Put returns, which costs two fsyncs. The files of each site
// are stored by Take and Commit, which are cheaper: files are renamed and not copied, and a Commit waits
// once for the whole file system, together with all sites that end at that time. (It uses syncfs of Linux,
// on file systems where syncfs is known to do what fsync does.) So after a power cut the files of a site
// exist whenever its result exists. Only the name of the result may be lost: then the coordinator finds a
// message about a missing result, and has the site done again. After a run is merged the results are not
// needed. On other systems Take waits for each file, as Put does.
//
// Other schemes work if the program imports their drivers. robots-audit-fleet imports s3, gs and azblob,
// which make it 37 MB larger. The tests of this package also run against an S3 server.
package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"os"
	"strings"
	"time"

	"gocloud.dev/blob"
)

// ErrNotFound says that there is no object with a key.
var ErrNotFound = errors.New("no such object")

// ErrNotPlain is the ErrNotFound of a key whose file name belongs to something else: a folder, a link, a
// pipe.
var ErrNotPlain = fmt.Errorf("%w: its name is not a plain file", ErrNotFound)

// ErrTooBig says that an object has more bytes than its reader allows.
var ErrTooBig = errors.New("too big")

// Bucket is an open bucket. An object appears complete or not at all. Any goroutine may use it. Temporary
// errors are retried for some seconds; a full disk is not one of them.
type Bucket struct {
	URL   string
	store store
}

// store is a driver. It returns errors as they come; a missing object is ErrNotFound.
type store interface {
	put(ctx context.Context, key string, from io.Reader, onlyNew bool) (stored bool, err error)
	take(ctx context.Context, key, path string) error
	commit(ctx context.Context, key string, data []byte) (stored bool, err error)
	open(ctx context.Context, key string) (io.ReadCloser, error)
	exists(ctx context.Context, key string) (bool, error)
	remove(ctx context.Context, key string) error
	keys(ctx context.Context, prefix string) iter.Seq2[Object, error]
	passes(err error) bool
	close() error
}

// Open opens the bucket of a URL, and checks with an object of its own that it can write, read, list and
// delete. The folder of file:// is made if its parent exists.
func Open(ctx context.Context, address string) (*Bucket, error) {
	u, err := parse(address)
	if err != nil {
		return nil, err
	}
	b := &Bucket{URL: u.Redacted()}
	if u.Scheme == "file" {
		b.store, err = openFolder(u)
	} else {
		b.store, err = openCloud(ctx, blob.DefaultURLMux(), u)
	}
	if err != nil {
		return nil, fmt.Errorf("bucket %s: %w", b.URL, err)
	}
	if err := b.probe(ctx); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// CheckURL returns an error for a URL that is not a bucket which this build can open. It accesses nothing.
func CheckURL(address string) error {
	u, err := parse(address)
	if err == nil && u.Scheme == "file" {
		if _, err = folderPath(u); err != nil {
			err = fmt.Errorf("bucket %s: %w", u.Redacted(), err)
		}
	}
	return err
}

// parse reads an address.
func parse(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" || len(u.Scheme) == 1 { // for paths such as c:\results
		return nil, fmt.Errorf("%q is not a bucket. Write a URL such as file:///srv/results", address)
	}
	if mux := blob.DefaultURLMux(); u.Scheme != "file" && !mux.ValidBucketScheme(u.Scheme) {
		others := ""
		if !mux.ValidBucketScheme("s3") {
			others = ". Releases, and builds with -tags buckets, also have s3://, gs:// and azblob://"
		}
		return nil, fmt.Errorf("bucket %s: this build only has %s%s", u.Redacted(), strings.Join(schemes(mux), ", "), others)
	}
	return u, nil
}

// schemes are the URL schemes of this build, with ://.
func schemes(mux *blob.URLMux) []string {
	list := []string{"file://"}
	for _, s := range mux.BucketSchemes() {
		if s != "file" {
			list = append(list, s+"://")
		}
	}
	return list
}

// Put stores the file at a path under a key, and replaces an object there.
func (b *Bucket) Put(ctx context.Context, key, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = b.put(ctx, key, f, false)
	return err
}

// Take moves the file at a path to a key, and replaces an object there. In a folder on the same disk the
// file is renamed and not copied. After an error it may be in either place. A power cut may remove the
// object again until a Commit that begins later has returned.
func (b *Bucket) Take(ctx context.Context, key, path string) error {
	return b.try(ctx, "put", key, func() error { return b.store.take(ctx, key, path) })
}

// Commit stores bytes under a key unless there is an object: then stored is false. Everything that finished
// calls of Take have stored is on the disk before the object exists. A power cut may remove the object
// itself until a later Commit or Put has returned. Use PutNew for an object that must last.
func (b *Bucket) Commit(ctx context.Context, key string, data []byte) (stored bool, err error) {
	err = b.try(ctx, "put", key, func() error {
		stored, err = b.store.commit(ctx, key, data)
		return err
	})
	return stored, err
}

// PutBytes stores bytes under a key, and replaces an object there.
func (b *Bucket) PutBytes(ctx context.Context, key string, data []byte) error {
	_, err := b.put(ctx, key, bytes.NewReader(data), false)
	return err
}

// PutNew stores bytes under a key unless there is an object: then stored is false.
func (b *Bucket) PutNew(ctx context.Context, key string, data []byte) (stored bool, err error) {
	return b.put(ctx, key, bytes.NewReader(data), true)
}

func (b *Bucket) put(ctx context.Context, key string, from io.ReadSeeker, onlyNew bool) (stored bool, err error) {
	err = b.try(ctx, "put", key, func() error {
		if _, err := from.Seek(0, io.SeekStart); err != nil {
			return err
		}
		stored, err = b.store.put(ctx, key, from, onlyNew)
		return err
	})
	return stored, err
}

// Get returns the bytes of an object: ErrTooBig if it has more than limit, ErrNotFound if there is none.
func (b *Bucket) Get(ctx context.Context, key string, limit int64) (data []byte, err error) {
	err = b.try(ctx, "read", key, func() error {
		r, err := b.store.open(ctx, key)
		if err != nil {
			return err
		}
		defer r.Close()
		buf := new(bytes.Buffer)
		if o, ok := r.(*object); ok {
			buf.Grow(int(min(o.size, limit)) + bytes.MinRead)
		}
		_, err = buf.ReadFrom(io.LimitReader(r, limit+1))
		data = buf.Bytes()
		if err == nil && int64(len(data)) > limit {
			return fmt.Errorf("%w: it has more than %d bytes", ErrTooBig, limit)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return data, nil
}

// Reader opens an object for reading; ErrNotFound if there is none. Its reads end with ctx.
func (b *Bucket) Reader(ctx context.Context, key string) (r io.ReadCloser, err error) {
	err = b.try(ctx, "read", key, func() error {
		r, err = b.store.open(ctx, key)
		return err
	})
	return r, err
}

// Exists reports whether a key has an object.
func (b *Bucket) Exists(ctx context.Context, key string) (there bool, err error) {
	err = b.try(ctx, "look for", key, func() error {
		there, err = b.store.exists(ctx, key)
		return err
	})
	return there, err
}

// Delete deletes an object. A missing object is no error.
func (b *Bucket) Delete(ctx context.Context, key string) error {
	return b.try(ctx, "delete", key, func() error {
		if err := b.store.remove(ctx, key); !errors.Is(err, ErrNotFound) {
			return err
		}
		return nil
	})
}

// Object is an object as Keys lists it.
type Object struct {
	Key  string
	Size int64 // bytes
}

// Keys yields the objects whose keys begin with a prefix, in byte order, and stops at the first error. It
// keeps the names of one folder, or of one page of a listing, in memory.
func (b *Bucket) Keys(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		for o, err := range b.store.keys(ctx, prefix) {
			if err != nil {
				yield(Object{}, fmt.Errorf("bucket %s: list %q: %w", b.URL, prefix, err))
				return
			}
			if !yield(o, nil) {
				return
			}
		}
	}
}

// Passing says that only this process uses committed objects, and nothing after it. A folder then keeps
// them in one file, which Keys does not list and Close removes, and neither Take nor Commit waits for the
// disk. Call it before any other method.
func (b *Bucket) Passing() (err error) {
	if f, ok := b.store.(*folder); ok {
		f.grouped = true
		if f.passing, err = newPack(f.root); err != nil {
			return fmt.Errorf("bucket %s: %w", b.URL, err)
		}
	}
	return nil
}

// Close closes the bucket.
func (b *Bucket) Close() error { return b.store.close() }

// pauses are the times between tries. If every second call fails, one operation in 256 fails.
var pauses = []time.Duration{50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond, 800 * time.Millisecond, 1600 * time.Millisecond, 3200 * time.Millisecond}

// try runs an operation, repeats it after temporary errors, and adds its purpose to an error.
func (b *Bucket) try(ctx context.Context, what, key string, do func() error) error {
	for n := 0; ; n++ {
		err := ctx.Err()
		if err == nil {
			err = do()
		}
		if err == nil {
			return nil
		}
		if n == len(pauses) || ctx.Err() != nil || !b.store.passes(err) {
			return fmt.Errorf("bucket %s: %s %s: %w", b.URL, what, key, err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(pauses[n]):
		}
	}
}
