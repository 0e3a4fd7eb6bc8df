package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"gocloud.dev/gcerrors"

	"robots-audit/crawl/errno"
)

// probe puts an object, reads it, lists it and deletes it. The error names the operation that the
// bucket refused.
func (b *Bucket) probe(ctx context.Context) error {
	key := "probe-" + rand.Text() + ".txt"
	text := "robots-audit tested that it can write here. You may delete this file\n"
	refused := func(what string, err error) error {
		return fmt.Errorf("bucket %s: %s: %s (%w)", b.URL, what, reason(err), errors.Unwrap(err))
	}
	if _, err := b.PutNew(ctx, key, []byte(text)); err != nil {
		return refused("it cannot be written", err)
	}
	data, err := b.Get(ctx, key, int64(len(text)))
	if err == nil && string(data) != text {
		err = fmt.Errorf("read: %w", errors.New("the bytes read differ from the bytes written"))
	}
	if err != nil {
		b.Delete(ctx, key)
		return refused("what was written cannot be read", err)
	}
	found := false
	for o, e := range b.Keys(ctx, key) {
		found, err = found || o.Key == key, e
	}
	if err == nil && !found {
		err = fmt.Errorf("list: %w", errors.New("what was written is not listed"))
	}
	if err != nil {
		b.Delete(ctx, key)
		return refused("it cannot be listed", err)
	}
	if err := b.Delete(ctx, key); err != nil {
		return refused("objects in it cannot be deleted", err)
	}
	return nil
}

// reason says in words why a bucket refuses.
func reason(err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return "it does not answer in time"
	case errno.DiskFull(err):
		return "the disk is full"
	case errno.Protected(err):
		return "it is read-only"
	case errors.Is(err, fs.ErrPermission):
		return "this user has no permission"
	case errors.Is(err, ErrNotFound), errors.Is(err, os.ErrNotExist):
		return "it does not exist"
	}
	switch gcerrors.Code(err) {
	case gcerrors.PermissionDenied:
		return "these credentials have no permission"
	case gcerrors.NotFound:
		return "no bucket has this name"
	case gcerrors.ResourceExhausted:
		return "its quota is used up, or there are too many requests"
	}
	return "the bucket refuses"
}
