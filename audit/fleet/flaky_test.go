package fleet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/blob/driver"
	"gocloud.dev/gcerrors"

	"robots-audit/audit/fleet/store"
)

func init() { blob.DefaultURLMux().RegisterBucket("flaky", flakyBuckets{}) }

// flakyBuckets opens a bucket that works until begin makes it fail.
type flakyBuckets struct{}

var flakyOpen sync.Map // by the URL's host

func (flakyBuckets) OpenBucketURL(_ context.Context, u *url.URL) (*blob.Bucket, error) {
	b := &flaky{objects: map[string]*flakyObject{}}
	flakyOpen.Store(u.Host, b)
	return blob.NewBucket(b), nil
}

// begin sets the failures of the bucket from now on.
func (b *flaky) begin(errs, stale bool, seed uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.errs, b.stale, b.dice = errs, stale, rand.New(rand.NewPCG(seed, 1))
}

// flaky is a bucket in memory. Its calls may fail, or it may return outdated versions of every
// second object.
type flaky struct {
	driver.Bucket
	mu      sync.Mutex
	dice    *rand.Rand
	errs    bool
	stale   bool
	objects map[string]*flakyObject
}

// flakyObject is an object with its previous version; nil = none.
type flakyObject struct {
	now, before []byte
	changed     time.Time
}

// staleTime is how long an object may be seen as it was before it changed.
const staleTime = 30 * time.Millisecond

// failing: one of so many calls fails.
const failing = 2

var (
	errFlaky    = errors.New("the connection was reset")
	errThere    = errors.New("there is one already")
	errNoObject = errors.New("no such object")
)

func (b *flaky) Close() error { return nil }
func (b *flaky) ErrorCode(err error) gcerrors.ErrorCode {
	return map[error]gcerrors.ErrorCode{errNoObject: gcerrors.NotFound, errThere: gcerrors.FailedPrecondition, errFlaky: gcerrors.Unknown}[err]
}

// see returns an object as it is visible now.
func (b *flaky) see(key string) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.errs && b.dice.IntN(failing) == 0 {
		return nil, errFlaky
	}
	o := b.objects[key]
	if o == nil {
		return nil, errNoObject
	}
	data := o.now
	if b.stale && time.Since(o.changed) < staleTime && b.dice.IntN(2) == 0 {
		data = o.before
	}
	if data == nil {
		return nil, errNoObject
	}
	return data, nil
}

// change gives an object other content. What fails may have been done all the same.
func (b *flaky) change(key string, data []byte, onlyNew bool) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	fails := b.errs && b.dice.IntN(failing) == 0
	if fails && b.dice.IntN(2) == 0 {
		return errFlaky
	}
	o := b.objects[key]
	if o == nil {
		o = &flakyObject{}
		b.objects[key] = o
	}
	if onlyNew && o.now != nil {
		return errThere // Exists said otherwise
	}
	o.now, o.before, o.changed = data, o.now, time.Now()
	if fails {
		return errFlaky
	}
	return nil
}

func (b *flaky) Attributes(_ context.Context, key string) (*driver.Attributes, error) {
	data, err := b.see(key)
	return &driver.Attributes{Size: int64(len(data))}, err
}

type flakyWriter struct {
	bytes.Buffer
	ctx     context.Context
	b       *flaky
	key     string
	onlyNew bool
}

func (w *flakyWriter) Close() error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	return w.b.change(w.key, bytes.Clone(w.Bytes()), w.onlyNew)
}

func (b *flaky) NewTypedWriter(ctx context.Context, key, _ string, o *driver.WriterOptions) (driver.Writer, error) {
	return &flakyWriter{ctx: ctx, b: b, key: key, onlyNew: o.IfNotExist}, nil
}

type flakyReader struct {
	io.Reader
	size int64
}

func (flakyReader) Close() error { return nil }
func (r flakyReader) Attributes() *driver.ReaderAttributes {
	return &driver.ReaderAttributes{Size: r.size}
}
func (flakyReader) As(any) bool { return false }

func (b *flaky) NewRangeReader(_ context.Context, key string, _, _ int64, _ *driver.ReaderOptions) (driver.Reader, error) {
	data, err := b.see(key)
	return flakyReader{bytes.NewReader(data), int64(len(data))}, err
}

func (b *flaky) ListPaged(_ context.Context, o *driver.ListOptions) (*driver.ListPage, error) {
	b.mu.Lock()
	keys := make([]string, 0, len(b.objects))
	for key := range b.objects {
		keys = append(keys, key)
	}
	b.mu.Unlock()
	page := &driver.ListPage{}
	for _, key := range keys {
		data, err := b.see(key)
		if errors.Is(err, errFlaky) {
			return nil, err
		}
		if err == nil && strings.HasPrefix(key, o.Prefix) {
			page.Objects = append(page.Objects, &driver.ListObject{Key: key, Size: int64(len(data))})
		}
	}
	return page, nil
}

func (b *flaky) Delete(_ context.Context, key string, _ *driver.DeleteOptions) error {
	if _, err := b.see(key); err != nil {
		return err
	}
	return b.change(key, nil, false)
}

// TestFlakyBucket: a bucket in which every second call fails, or that returns outdated objects,
// costs no site and no run.
func TestFlakyBucket(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"stale", "errs", "errs-stale"} {
		for seed := range 2 {
			host := fmt.Sprintf("%s-%d", kind, seed)
			t.Run(host, func(t *testing.T) {
				t.Parallel()
				c := testFleet(t, Timing{Lease: 2 * time.Second}) // whose site was given back, and not noted, is waited for so long
				bucket, err := store.Open(t.Context(), "flaky://"+host)
				noError(t, err)
				t.Cleanup(func() { bucket.Close() })
				c.Bucket = bucket
				b, _ := flakyOpen.Load(host)
				b.(*flaky).begin(strings.Contains(kind, "errs"), strings.Contains(kind, "stale"), uint64(seed))
				list := names(12)
				var run Run
				for err = errFlaky; err != nil; { // as a person does, whom each further try lets join the first
					run, err = Submit(t.Context(), c, Run{}, strings.NewReader(list), nil)
				}
				w := testWorker(c, "w1", &testWork{site: func(_ context.Context, job *Job, _ func() error) (*Finding, error) { return named(job) }})
				w.Region, w.well.first = "default", time.Millisecond
				start(t, w)
				// As in the product, a run is begun again later than the bucket shows the past: three tries at once may all miss its list.
				coordinate(t, &Coordinator{Conn: c, Name: "c1", Pause: staleTime, Tries: 10_000, Merge: &sitesMerge{c: c, again: true}})
				await(t, "the run to be merged", func() bool {
					merged, err := c.Bucket.Exists(t.Context(), MergedKey(run.ID))
					return merged && err == nil
				})
				b.(*flaky).begin(false, false, 0)
				checkMerged(t, c, run.ID, list)
			})
		}
	}
}
