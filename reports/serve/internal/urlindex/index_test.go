package urlindex

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Any URLs and any query give the same result as a plain slice.
func TestSearch(t *testing.T) {
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 1))
		urls := someURLs(r, []int{0, 1, 2, 30, 500, 3000}[seed%6])
		plain := plainly(urls)
		x := built(t, urls, smallSizes(r))
		got, err := x.Search(t.Context(), Query{Limit: MaxLimit})
		if err != nil || !sameURLs(got.URLs, plain) {
			t.Fatalf("seed %d: %d URLs, %v; want %d", seed, len(got.URLs), err, len(plain))
		}
		for range queries {
			someQuery(r, plain).check(t, x, plain, r)
		}
		for i := range min(len(plain), queries/2) {
			u := plain[r.IntN(len(plain))]
			if i%4 == 0 {
				u.Loc += "x"
			}
			want := slices.DeleteFunc(slices.Clone(plain), func(o URL) bool { return o.Loc != u.Loc })
			if got, err := x.Find(u.Loc); err != nil || !sameURLs(got, want) {
				t.Fatalf("seed %d: %+q: %v, %v; want %v", seed, u.Loc, got, err, want)
			}
		}
	}
}

// Runs that do not fit into memory are merged, and a prefix reads few blocks.
func TestManyRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var urls []URL
	for i := range 60_000 {
		urls = append(urls, URL{Loc: fmt.Sprintf("https://www.example.com/%x/%d", r.IntN(40_000), i%3), Site: int32(i % 5)})
	}
	plain := plainly(urls)
	x := built(t, urls, sizes{300 << 10, 4096})
	for range queries / 2 {
		someQuery(r, plain).check(t, x, plain, r)
	}
	for text, most := range map[string]int{"www.example.com/ab": 3, "https://www.example.com/ab1/": 2, "http://": 0, "/ab": len(x.table.Blocks)} {
		q := Query{Text: text}
		c := q.conditions()[0]
		read := 0
		for range (&search{Index: x, q: &q, c: &c, selection: x.newSelection(&q.Filter, nil)}).candidates {
			read++
		}
		if read > most {
			t.Errorf("%q: %d of %d blocks are read", text, read, len(x.table.Blocks))
		}
	}
}

// buildURLs builds an index of URLs.
func buildURLs(t *testing.T, path, key string, urls []URL) error {
	d := NewDictionary()
	return Build(t.Context(), path, key, d, each(d, urls))
}

func TestStale(t *testing.T) {
	path := filepath.Join(t.TempDir(), "urls.index")
	if _, err := Open(path, "", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if err := buildURLs(t, path, "a", someURLs(rand.New(rand.NewPCG(1, 1)), 10)); err != nil {
		t.Fatal(err)
	}
	last, err := Open(path, "a", nil)
	if err != nil {
		t.Fatal(err)
	}
	last.Close()
	if err := buildURLs(t, path, "a", someURLs(rand.New(rand.NewPCG(2, 2)), 300)); err != nil {
		t.Fatal(err)
	}
	for name, last := range map[string]*Index{"an index made again": last, "the same one": nil} {
		x, err := Open(path, "a", last)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := x.Search(t.Context(), Query{}); err != nil || got.Total < 100 {
			t.Errorf("%s: %d URLs, %v", name, got.Total, err)
		}
		x.Close()
	}
	if _, err := Open(path, "b", nil); err == nil {
		t.Error("an index of something else was opened")
	}
	if _, err := Open(filepath.Dir(path), "b", nil); err == nil {
		t.Error("a folder was opened")
	}
}

// However a build is interrupted, it leaves no file; and an existing file stays.
func TestBroken(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "urls.index")
	urls := someURLs(rand.New(rand.NewPCG(3, 3)), 10_000)
	ctx, cancel := context.WithCancel(t.Context())
	ours, d := errors.New("records that cannot be read"), NewDictionary()
	upTo := func(n int, then func(yield func(Entry, error) bool)) func(yield func(Entry, error) bool) {
		return func(yield func(Entry, error) bool) {
			for e := range each(d, urls[:n]) {
				if !yield(e, nil) {
					return
				}
			}
			then(yield)
		}
	}
	for _, c := range []struct { // the cancelled one is the last
		name string
		urls func(yield func(Entry, error) bool)
		want error
	}{
		{"an error of the records", upTo(8_000, func(yield func(Entry, error) bool) { yield(Entry{}, ours) }), ours},
		{"too long a URL", upTo(10, func(yield func(Entry, error) bool) { yield(Entry{loc: string(make([]byte, maxLoc+1))}, nil) }), fs.ErrInvalid},
		{"cancelled", upTo(10_000, func(yield func(Entry, error) bool) { cancel() }), context.Canceled},
	} {
		err := build(ctx, path, "", d, c.urls, sizes{100 << 10, 500})
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s: %v, %v", c.name, left, err)
		}
	}
	// Cancelled at any block of the merge.
	for n := range 5 {
		ctx, cancel := context.WithCancel(t.Context())
		err := brokenMerge(ctx, cancel, n, path, urls)
		if left, _ := os.ReadDir(dir); !errors.Is(err, context.Canceled) || len(left) > 0 {
			t.Errorf("%v: %v", err, left)
		}
	}
	if err := buildURLs(t, filepath.Join(dir, "none", "urls.index"), "", urls); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// brokenMerge builds with a context that ends after a number of checks from the end of the URLs on.
func brokenMerge(ctx context.Context, cancel func(), looks int, path string, urls []URL) error {
	c := &countedContext{Context: ctx, left: -1}
	d := NewDictionary()
	err := build(c, path, "", d, func(yield func(Entry, error) bool) {
		for e := range each(d, urls) {
			if !yield(e, nil) {
				return
			}
		}
		c.left, c.cancel = looks+1, cancel
	}, sizes{100 << 10, 500})
	return err
}

type countedContext struct {
	context.Context
	left   int
	cancel func()
}

func (c *countedContext) Err() error {
	if c.left == 0 {
		c.cancel()
	}
	c.left--
	return c.Context.Err()
}

// Files of a killed build are removed by a later one, but not those of another index.
func TestLeft(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "urls.index")
	old := time.Now().Add(-48 * time.Hour)
	for _, name := range []string{"urls.index-1.tmp", "urls.index-2.tmp", "my.urls.index-1.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if name != "urls.index-2.tmp" {
			os.Chtimes(filepath.Join(dir, name), old, old)
		}
	}
	if err := buildURLs(t, path, "", nil); err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	for i := range left {
		left[i] = filepath.Base(left[i])
	}
	if want := []string{"my.urls.index-1.tmp", "urls.index", "urls.index-2.tmp"}; !slices.Equal(left, want) {
		t.Error(left)
	}
}

// A search whose time runs out says so; one that is cancelled is an error.
func TestSearchEnded(t *testing.T) {
	urls := someURLs(rand.New(rand.NewPCG(5, 5)), 3000)
	x := built(t, urls, sizes{arenaBytes, 500})
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	got, err := x.Search(ctx, Query{Text: "/shop", Limit: 10})
	if err != nil || !got.More || got.Total != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	if got, err := x.Search(ctx, Query{Text: "shop"}); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", got, err)
	}
	x.Close()
	if got, err := x.Search(t.Context(), Query{Text: "hop"}); err == nil || errors.Is(err, ErrDamaged) {
		t.Errorf("%+v, %v", got, err)
	}
}

// Whenever time runs out, the result is the beginning of the full one, and no count is too high.
func TestSearchCut(t *testing.T) {
	urls := someURLs(rand.New(rand.NewPCG(6, 6)), 3000)
	x := built(t, urls, sizes{arenaBytes, 500})
	q := Query{Text: "bc", Limit: 100, Offset: 20}
	whole, err := x.Search(t.Context(), q)
	if err != nil || whole.More || len(whole.URLs) != 100 {
		t.Fatalf("%+v, %v", whole, err)
	}
	cut := 0
	for looks := int64(0); looks <= int64(len(x.table.Blocks))+1; looks += 3 {
		c := &timedContext{Context: t.Context()}
		c.left.Store(looks)
		got, err := x.Search(c, q)
		if err != nil || got.Total > whole.Total || !got.More && got.Total != whole.Total || !sameURLs(got.URLs, whole.URLs[:len(got.URLs)]) {
			t.Errorf("%d looks: %d of %d, more %t, %d URLs, %v", looks, got.Total, whole.Total, got.More, len(got.URLs), err)
		}
		if got.More && got.Total > 0 {
			cut++
		}
	}
	if cut < 3 {
		t.Errorf("%d searches ended in the middle", cut)
	}
}

// timedContext is a context whose time runs out after a number of checks.
type timedContext struct {
	context.Context
	left atomic.Int64
}

func (c *timedContext) Err() error {
	if c.left.Add(-1) < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// Many goroutines search at a time.
func TestConcurrent(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	urls := someURLs(r, 2000)
	plain := plainly(urls)
	x := built(t, urls, sizes{arenaBytes, 300})
	var group sync.WaitGroup
	for n := range uint64(8) {
		group.Go(func() {
			r := rand.New(rand.NewPCG(n, 10))
			for range 40 {
				someQuery(r, plain).check(t, x, plain, r)
			}
		})
	}
	group.Wait()
}
