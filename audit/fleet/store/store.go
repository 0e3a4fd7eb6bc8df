// Package store is the bucket in which a fleet keeps its results: a folder on a disk that all
// machines share (file:///srv/results), or what else gocloud.dev/blob opens.
package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

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
	panic("to be written")
}

// Put stores the file of a path under a key, in place of what was there.
func (b *Bucket) Put(ctx context.Context, key, path string) error { panic("to be written") }

// PutBytes stores bytes under a key, in place of what was there.
func (b *Bucket) PutBytes(ctx context.Context, key string, data []byte) error {
	panic("to be written")
}

// PutNew stores bytes under a key unless there is an object already: stored is false then.
func (b *Bucket) PutNew(ctx context.Context, key string, data []byte) (stored bool, err error) {
	panic("to be written")
}

// Get returns the bytes of an object of at most limit bytes; ErrNotFound where there is none.
func (b *Bucket) Get(ctx context.Context, key string, limit int64) ([]byte, error) {
	panic("to be written")
}

// Reader opens an object for reading; ErrNotFound where there is none.
func (b *Bucket) Reader(ctx context.Context, key string) (io.ReadCloser, error) {
	panic("to be written")
}

// Exists reports whether there is an object of a key.
func (b *Bucket) Exists(ctx context.Context, key string) (bool, error) { panic("to be written") }

// Delete deletes an object; one that is not there is no error.
func (b *Bucket) Delete(ctx context.Context, key string) error { panic("to be written") }

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
