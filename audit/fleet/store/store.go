// Package store is the bucket in which a fleet keeps its results: a folder on a disk that all
// machines share (file:///srv/results), or what else gocloud.dev/blob opens.
//
// What file:// opens is our own, since a result that is there is what says that a site is done:
// gocloud's looks for an object and then renames over it, so that two writers can both be first;
// it does not wait for the disk; and it reads the whole folder again for each 1,000 objects. Ours
// names files as their keys, without an escape: a run in the bucket is the run's folder. What is
// not yet whole lies in .incomplete at the top, and is removed by the next who opens the bucket a
// day later.
//
// An object is on the disk before Put returns, and so is its name, at the price of two fsyncs. What
// is stored for each site comes by Take and Commit, which are cheaper: files are renamed and not
// copied, and a Commit waits once for the whole file system (syncfs of Linux, on file systems of
// which it is known that it does what fsync does), together with all other sites that end at that
// time. So after a power cut the files of a site are there whenever its result is. The result may
// be lost itself, and its name alone: the coordinator then finds a word about a result that is not
// there, and has the site done again; once a run is merged, nobody needs it any more. Elsewhere
// Take waits for each file as Put does.
//
// Other schemes are known where the program imports their drivers. robots-audit-fleet imports those of
// s3, gs and azblob, with which it is 37 MB larger; the tests of this package run against an S3 server, too.
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

// ErrNotFound is that there is no object of a key.
var ErrNotFound = errors.New("no such object")

// ErrNotPlain is the ErrNotFound of a key whose name in a folder something else has: a folder, a link, a pipe.
var ErrNotPlain = fmt.Errorf("%w: its name is not a plain file", ErrNotFound)

// ErrTooBig is that an object has more bytes than its reader wants.
var ErrTooBig = errors.New("too big")

// Bucket is an open bucket. Objects appear whole or not at all. Any goroutine may use it. What
// may pass by itself is tried again for some seconds, but not a disk that is full.
type Bucket struct {
	URL   string
	store store
}

// store keeps objects. Its errors are as they come; what is not there is ErrNotFound.
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

// Open opens the bucket of a URL, and sees by an object of its own that it can be written to, read,
// listed and deleted from. The folder of file:// is made where the one above it is there.
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

// CheckURL says why an address is none of a bucket that this build knows, and touches nothing.
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
	if err != nil || u.Scheme == "" || len(u.Scheme) == 1 { // c:\results
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

// schemes are those of the build, with ://.
func schemes(mux *blob.URLMux) []string {
	list := []string{"file://"}
	for _, s := range mux.BucketSchemes() {
		if s != "file" {
			list = append(list, s+"://")
		}
	}
	return list
}

// Put stores the file of a path under a key, in place of what was there.
func (b *Bucket) Put(ctx context.Context, key, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = b.put(ctx, key, f, false)
	return err
}

// Take stores the file of a path under a key, in place of what was there, and the file is gone then
// from its path: for a folder on the same disk it gets another name and nothing is copied. After an
// error it may be in either place. A power cut may take the object away again until a Commit that
// begins later has returned.
func (b *Bucket) Take(ctx context.Context, key, path string) error {
	return b.try(ctx, "put", key, func() error { return b.store.take(ctx, key, path) })
}

// Commit stores bytes under a key unless there is an object already: stored is false then. What the
// calls of Take that had returned have stored is on the disk before the object is there. The object
// itself may be gone after a power cut, as if it had not been put, until a later Commit or Put has
// returned; PutNew is for what must not.
func (b *Bucket) Commit(ctx context.Context, key string, data []byte) (stored bool, err error) {
	err = b.try(ctx, "put", key, func() error {
		stored, err = b.store.commit(ctx, key, data)
		return err
	})
	return stored, err
}

// PutBytes stores bytes under a key, in place of what was there.
func (b *Bucket) PutBytes(ctx context.Context, key string, data []byte) error {
	_, err := b.put(ctx, key, bytes.NewReader(data), false)
	return err
}

// PutNew stores bytes under a key unless there is an object already: stored is false then.
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

// Get returns the bytes of an object of at most limit bytes: ErrTooBig where it has more, ErrNotFound
// where there is none.
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

// Reader opens an object for reading; ErrNotFound where there is none. Its reads end with ctx.
func (b *Bucket) Reader(ctx context.Context, key string) (r io.ReadCloser, err error) {
	err = b.try(ctx, "read", key, func() error {
		r, err = b.store.open(ctx, key)
		return err
	})
	return r, err
}

// Exists reports whether there is an object of a key.
func (b *Bucket) Exists(ctx context.Context, key string) (there bool, err error) {
	err = b.try(ctx, "look for", key, func() error {
		there, err = b.store.exists(ctx, key)
		return err
	})
	return there, err
}

// Delete deletes an object; one that is not there is no error.
func (b *Bucket) Delete(ctx context.Context, key string) error {
	return b.try(ctx, "delete", key, func() error {
		if err := b.store.remove(ctx, key); !errors.Is(err, ErrNotFound) {
			return err
		}
		return nil
	})
}

// Object is what Keys tells of an object.
type Object struct {
	Key  string
	Size int64 // bytes
}

// Keys yields the objects whose keys begin with a prefix, in the order of their bytes, and ends with the
// first error. It holds the names of one folder, or of a page of a listing, in memory.
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

// Passing says that what is committed to a bucket is of use to this process alone and not after it: a
// folder keeps it in one file, which Keys does not tell of and Close removes, and waits for the disk
// neither in Take nor in Commit. To be called before anything else.
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

// pauses are the times between tries: where every second call fails, one of 256 ends so.
var pauses = []time.Duration{50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond, 800 * time.Millisecond, 1600 * time.Millisecond, 3200 * time.Millisecond}

// try does what may have to be done again, and says of an error where it was.
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
