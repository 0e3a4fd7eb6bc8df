package store

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"mime"
	"net/url"
	"os"
	"path"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
)

// cloud is a bucket of gocloud.dev/blob.
type cloud struct{ bucket *blob.Bucket }

func openCloud(ctx context.Context, mux *blob.URLMux, u *url.URL) (*cloud, error) {
	b, err := mux.OpenBucketURL(ctx, u)
	if err != nil {
		return nil, err
	}
	return &cloud{b}, nil
}

// put streams into an object, which appears when its writer is closed.
func (c *cloud) put(ctx context.Context, key string, from io.Reader, onlyNew bool) (bool, error) {
	if onlyNew { // a driver may check the condition only after everything is sent
		if there, err := c.bucket.Exists(ctx, key); there || err != nil {
			return false, err
		}
	}
	writing, cancel := context.WithCancel(ctx)
	defer cancel()
	kind := mime.TypeByExtension(path.Ext(key))
	if kind == "" {
		kind = "application/octet-stream"
	}
	w, err := c.bucket.NewWriter(writing, key, &blob.WriterOptions{ContentType: kind, IfNotExist: onlyNew})
	if err != nil {
		return false, err
	}
	if _, err := io.Copy(w, from); err != nil {
		cancel() // so that Close discards what was written
		w.Close()
		return false, err
	}
	err = w.Close()
	if onlyNew && (gcerrors.Code(err) == gcerrors.FailedPrecondition || gcerrors.Code(err) == gcerrors.AlreadyExists) {
		return false, nil
	}
	return err == nil, err
}

// take copies the file: a cloud bucket shares no disk.
func (c *cloud) take(ctx context.Context, key, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	_, err = c.put(ctx, key, f, false)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Remove(path)
}

// commit need not wait for anything: put returns when an object is stored.
func (c *cloud) commit(ctx context.Context, key string, data []byte) (bool, error) {
	return c.put(ctx, key, bytes.NewReader(data), true)
}

func (c *cloud) open(ctx context.Context, key string) (io.ReadCloser, error) {
	r, err := c.bucket.NewReader(ctx, key, nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, ErrNotFound
	} else if err != nil {
		return nil, err
	}
	return r, nil
}

func (c *cloud) exists(ctx context.Context, key string) (bool, error) {
	return c.bucket.Exists(ctx, key)
}

func (c *cloud) remove(ctx context.Context, key string) error {
	err := c.bucket.Delete(ctx, key)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return ErrNotFound
	}
	return err
}

func (c *cloud) keys(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		list := c.bucket.List(&blob.ListOptions{Prefix: prefix})
		for {
			o, err := list.Next(ctx)
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(Object{}, err)
				return
			}
			if !yield(Object{o.Key, o.Size}, nil) {
				return
			}
		}
	}
}

// passes reports whether an error may be temporary. The drivers retry the errors that they know. Other
// errors are retried too: broken connections have no code. A missing object or file, and an object that is
// too big, are permanent.
func (c *cloud) passes(err error) bool {
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrTooBig) || errors.Is(err, fs.ErrNotExist) {
		return false
	}
	switch gcerrors.Code(err) {
	case gcerrors.Internal, gcerrors.Unknown, gcerrors.DeadlineExceeded, gcerrors.ResourceExhausted:
		return true
	}
	return false
}

func (c *cloud) close() error { return c.bucket.Close() }
