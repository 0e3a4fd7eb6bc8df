package store

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/blob/driver"
	"gocloud.dev/gcerrors"
)

// refusing is a driver whose bucket refuses what its URL's host says.
type refusing struct {
	driver.Bucket
	what string
	data map[string][]byte
	busy int // how often it is busy first
}

var (
	errDenied = errors.New("access denied")
	errBusy   = errors.New("slow down")
)

func init() { blob.DefaultURLMux().RegisterBucket("refusing", refusing{}) }

func (refusing) OpenBucketURL(_ context.Context, u *url.URL) (*blob.Bucket, error) {
	r := &refusing{what: u.Host, data: map[string][]byte{}}
	if r.what == "busy" {
		r.busy = 2
	}
	return blob.NewBucket(r), nil
}

func (r *refusing) does(what string) error {
	if r.what == what {
		return errDenied
	}
	if r.busy > 0 {
		r.busy--
		return errBusy
	}
	return nil
}
func (r *refusing) Close() error { return nil }
func (r *refusing) ErrorCode(err error) gcerrors.ErrorCode {
	return map[error]gcerrors.ErrorCode{errDenied: gcerrors.PermissionDenied, errBusy: gcerrors.ResourceExhausted, os.ErrNotExist: gcerrors.NotFound}[err]
}
func (r *refusing) Attributes(_ context.Context, key string) (*driver.Attributes, error) {
	if data, ok := r.data[key]; ok {
		return &driver.Attributes{Size: int64(len(data))}, nil
	}
	return nil, os.ErrNotExist
}

type refusingWriter struct {
	bytes.Buffer
	r   *refusing
	key string
}

func (w *refusingWriter) Close() error { w.r.data[w.key] = w.Bytes(); return nil }
func (r *refusing) NewTypedWriter(_ context.Context, key, _ string, _ *driver.WriterOptions) (driver.Writer, error) {
	return &refusingWriter{r: r, key: key}, r.does("put")
}

type refusingReader struct{ io.Reader }

func (refusingReader) Close() error                         { return nil }
func (refusingReader) Attributes() *driver.ReaderAttributes { return &driver.ReaderAttributes{} }
func (refusingReader) As(any) bool                          { return false }
func (r *refusing) NewRangeReader(_ context.Context, key string, _, _ int64, _ *driver.ReaderOptions) (driver.Reader, error) {
	return refusingReader{bytes.NewReader(r.data[key])}, r.does("read")
}
func (r *refusing) ListPaged(context.Context, *driver.ListOptions) (*driver.ListPage, error) {
	page := &driver.ListPage{}
	for key := range r.data {
		page.Objects = append(page.Objects, &driver.ListObject{Key: key})
	}
	return page, r.does("list")
}
func (r *refusing) Delete(_ context.Context, key string, _ *driver.DeleteOptions) error {
	delete(r.data, key)
	return r.does("delete")
}

// TestRefusals checks that a bucket that refuses an operation is not opened, and that the error
// names the operation.
func TestRefusals(t *testing.T) {
	quick := pauses
	pauses = []time.Duration{1, 1, 1}
	defer func() { pauses = quick }()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	noError(t, os.WriteFile(file, nil, 0o600))
	// A file is in place of the folder of incomplete files.
	taken := filepath.Join(dir, "taken")
	noError(t, errors.Join(os.Mkdir(taken, 0o700), os.WriteFile(filepath.Join(taken, incomplete), nil, 0o600)))
	for address, want := range map[string]string{
		"/srv/results":            `"/srv/results" is not a bucket. Write a URL such as file:///srv/results`,
		`c:\results`:              "is not a bucket. Write a URL",
		"file://srv/results":      `"srv" is not a path. Write three slashes, such as file:///srv/results`,
		"file:///":                "name a folder",
		"file:///x?metadata=skip": "takes only a path",
		"ftp://user:secret@host/": "bucket ftp://user:xxxxx@host/: this build only has file://, held://, mem://, refusing://. Releases, and builds with -tags buckets, also have s3://, gs:// and azblob://",
		FolderURL(file):           "is a file, not a folder",
		FolderURL(filepath.Join(dir, "no", "no")): "the folder does not exist and cannot be created",
		FolderURL(taken):    "it cannot be written",
		"refusing://put":    "it cannot be written: these credentials have no permission",
		"refusing://read":   "what was written cannot be read: these credentials have no permission",
		"refusing://list":   "it cannot be listed: these credentials have no permission",
		"refusing://delete": "objects in it cannot be deleted: these credentials have no permission",
	} {
		b, err := Open(t.Context(), address)
		if err == nil {
			b.Close()
			t.Errorf("%s is opened", address)
		} else if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %s", address, err, want)
		}
	}
	opened(t, "refusing://nothing")
	opened(t, "refusing://busy")
}
