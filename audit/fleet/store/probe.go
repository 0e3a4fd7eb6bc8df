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

// probe puts an object, reads it, lists it and deletes it. Its error is a sentence of what the bucket refuses.
func (b *Bucket) probe(ctx context.Context) error {
	key := "probe-" + rand.Text() + ".txt"
	text := "robots-audit has seen that it can write here; this may be deleted\n"
	refused := func(what string, err error) error {
		return fmt.Errorf("bucket %s: %s: %s (%w)", b.URL, what, reason(err), errors.Unwrap(err))
	}
	if _, err := b.PutNew(ctx, key, []byte(text)); err != nil {
		return refused("nothing can be put into it", err)
	}
	data, err := b.Get(ctx, key, int64(len(text)))
	if err == nil && string(data) != text {
		err = fmt.Errorf("read: %w", errors.New("other bytes than were put"))
	}
	if err != nil {
		b.Delete(ctx, key)
		return refused("what was put into it cannot be read", err)
	}
	found := false
	for o, e := range b.Keys(ctx, key) {
		found, err = found || o.Key == key, e
	}
	if err == nil && !found {
		err = fmt.Errorf("list: %w", errors.New("what was put is not among its objects"))
	}
	if err != nil {
		b.Delete(ctx, key)
		return refused("it cannot be listed", err)
	}
	if err := b.Delete(ctx, key); err != nil {
		return refused("nothing can be deleted from it", err)
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
		return "this user may not"
	case errors.Is(err, ErrNotFound), errors.Is(err, os.ErrNotExist):
		return "it is not there"
	}
	switch gcerrors.Code(err) {
	case gcerrors.PermissionDenied:
		return "these credentials may not"
	case gcerrors.NotFound:
		return "there is no bucket of that name"
	case gcerrors.ResourceExhausted:
		return "its share is used up, or it is asked too often"
	}
	return "it refuses"
}
