package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/blob/memblob"
)

func init() { blob.DefaultURLMux().RegisterBucket("held", held{}) }

// held opens a bucket in memory that is the same whenever it is opened by one name.
type held struct{}

var heldBuckets sync.Map

func (held) OpenBucketURL(_ context.Context, u *url.URL) (*blob.Bucket, error) {
	b, _ := heldBuckets.LoadOrStore(u.Host, memblob.OpenBucket(nil))
	return blob.PrefixedBucket(b.(*blob.Bucket), "in/"), nil
}

// onServer are the addresses of a bucket on a server, if TEST_BUCKET has one: each test has a part of its own.
func onServer(t *testing.T) []string {
	if bucket := os.Getenv("TEST_BUCKET"); bucket != "" {
		return []string{bucket + "&prefix=" + t.Name() + "/"}
	}
	return nil
}

func opened(t testing.TB, address string) *Bucket {
	t.Helper()
	b, err := Open(t.Context(), address)
	noError(t, err)
	t.Cleanup(func() { b.Close() })
	return b
}

func list(t *testing.T, b *Bucket, prefix string) []string {
	t.Helper()
	keys := []string{}
	for o, err := range b.Keys(t.Context(), prefix) {
		noError(t, err)
		keys = append(keys, fmt.Sprint(o.Key, " ", o.Size))
	}
	return keys
}

// TestBucket runs the same test on a folder and on a driver of gocloud.
func TestBucket(t *testing.T) {
	for _, address := range append(onServer(t), FolderURL(filepath.Join(t.TempDir(), "results")), "held://x") {
		t.Log(address)
		b, ctx := opened(t, address), t.Context()
		if there, err := b.Exists(ctx, "a/b"); there || err != nil {
			t.Error(there, err)
		}
		if _, err := b.Get(ctx, "a/b", 9); !errors.Is(err, ErrNotFound) {
			t.Error(err)
		}
		if _, err := b.Reader(ctx, "a/b"); !errors.Is(err, ErrNotFound) {
			t.Error(err)
		}
		noError(t, b.Delete(ctx, "a/b"))
		for i, want := range []bool{true, false} {
			if stored, err := b.PutNew(ctx, "a/b", []byte{'1' + byte(i)}); err != nil || stored != want {
				t.Error(stored, err)
			}
		}
		if data, err := b.Get(ctx, "a/b", 1); err != nil || string(data) != "1" {
			t.Errorf("%q %v", data, err)
		}
		name := filepath.Join(t.TempDir(), "file")
		noError(t, os.WriteFile(name, bytes.Repeat([]byte("x"), 100_000), 0o600))
		noError(t, b.Put(ctx, "a/b", name))
		if _, err := b.Get(ctx, "a/b", 99_999); err == nil {
			t.Error("more than the limit is read")
		}
		if data, err := b.Get(ctx, "a/b", 100_000); err != nil || len(data) != 100_000 {
			t.Error(len(data), err)
		}
		for _, key := range []string{"a-b", "a/c/d", "b"} {
			noError(t, b.PutBytes(ctx, key, []byte(key)))
		}
		for prefix, want := range map[string][]string{"": {"a-b 3", "a/b 100000", "a/c/d 5", "b 1"}, "a": {"a-b 3", "a/b 100000", "a/c/d 5"}, "a/": {"a/b 100000", "a/c/d 5"}, "a/c": {"a/c/d 5"}, "x/": {}} {
			if got := list(t, b, prefix); !slices.Equal(got, want) {
				t.Errorf("%s, prefix %q: %q, want %q", address, prefix, got, want)
			}
		}
		noError(t, b.Delete(ctx, "a/c/d"))
		over, cancel := context.WithCancel(ctx)
		cancel()
		if err := b.PutBytes(over, "late", nil); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if got := list(t, b, ""); len(got) != 3 {
			t.Errorf("%q", got)
		}
	}
}

// TestFileNames checks that the file of an object has its key as name, and that there are no other
// files.
func TestFileNames(t *testing.T) {
	dir := t.TempDir()
	b := opened(t, FolderURL(dir))
	names := []string{".robots-audit/journal.jsonl", "_2001_db8__1_8080.html", "__0x2f__.xlsx", "a.attrs", "example.com_8080.xlsx", "pages/münchen.example.html", "summary 1%20.xlsx", "x.tmp"}
	for _, name := range names {
		noError(t, b.PutBytes(t.Context(), "runs/1/"+name, []byte(name)))
		if got, err := os.ReadFile(filepath.Join(dir, "runs", "1", filepath.FromSlash(name))); err != nil || string(got) != name {
			t.Errorf("%q %v", got, err)
		}
	}
	var keys []string
	for o, err := range b.Keys(t.Context(), "") {
		noError(t, err)
		keys = append(keys, strings.TrimPrefix(o.Key, "runs/1/"))
	}
	if !slices.Equal(keys, names) {
		t.Errorf("%q, want %q", keys, names)
	}
	for _, key := range []string{"", ".", "/a", "a/", "a//b", "../a", "a/../../b", "a\x00", "a\nb", ".incomplete/a"} {
		if err := b.PutBytes(t.Context(), key, nil); err == nil {
			t.Errorf("%q is stored", key)
		}
	}
}

// TestFirst checks that exactly one of many concurrent writers stores a new object, on any kind of
// bucket.
func TestFirst(t *testing.T) {
	for _, address := range append(onServer(t), FolderURL(t.TempDir())) {
		t.Log(address)
		var first atomic.Int64
		var all sync.WaitGroup
		for i := range 8 {
			b := opened(t, address)
			all.Go(func() {
				for n := range 20 {
					stored, err := b.PutNew(t.Context(), fmt.Sprint("site/", n), []byte{byte(i)})
					if err != nil {
						t.Error(err)
					}
					if stored {
						first.Add(1)
					}
				}
			})
		}
		all.Wait()
		if first.Load() != 20 {
			t.Errorf("%s: %d were first with 20 objects", address, first.Load())
		}
	}
}

// TestFoldersGoAndCome puts objects while others of their folder are deleted.
func TestFoldersGoAndCome(t *testing.T) {
	b := opened(t, FolderURL(t.TempDir()))
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for range 50 {
				key := fmt.Sprint("a/b/", i)
				if err := b.PutBytes(t.Context(), key, nil); err != nil {
					t.Error(err)
				}
				if err := b.Delete(t.Context(), key); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// TestIncomplete checks that files left by a kill are no objects, and are removed a day later.
func TestIncomplete(t *testing.T) {
	dir := t.TempDir()
	b := opened(t, FolderURL(dir))
	for name, age := range map[string]time.Duration{"old": 25 * time.Hour, "new": time.Hour} {
		name = filepath.Join(dir, incomplete, name)
		noError(t, os.WriteFile(name, nil, 0o666))
		noError(t, os.Chtimes(name, time.Time{}, time.Now().Add(-age)))
	}
	if got := list(t, b, ""); len(got) > 0 {
		t.Errorf("%q", got)
	}
	opened(t, FolderURL(dir))
	entries, err := os.ReadDir(filepath.Join(dir, incomplete))
	if err != nil || len(entries) != 1 || entries[0].Name() != "new" {
		t.Error(entries, err)
	}
}

// BenchmarkPut is a site's four files and its result, on the disk.
func BenchmarkPut(b *testing.B) {
	dir, err := os.MkdirTemp(".", "bench-") // next to the sources: the folder for temporary files may be in memory
	noError(b, err)
	defer os.RemoveAll(dir)
	dir, _ = filepath.Abs(dir)
	s := opened(b, FolderURL(dir))
	name := filepath.Join(b.TempDir(), "file")
	noError(b, os.WriteFile(name, make([]byte, 30_000), 0o600))
	for i := 0; b.Loop(); i++ {
		for _, kind := range []string{"%d.xlsx", "pages/%d.html", ".robots-audit/%d.a", ".robots-audit/%d.b"} {
			noError(b, s.Put(b.Context(), fmt.Sprintf("runs/1/"+kind, i), name))
		}
		if _, err := s.PutNew(b.Context(), fmt.Sprintf("fleet/1/site/%02x/%d.json", i%256, i), make([]byte, 2000)); err != nil {
			b.Fatal(err)
		}
	}
}

// A folder may be named as one likes, and a drive of Windows is part of the path.
func TestFolderURL(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a b#c%41 ü")
	b := opened(t, FolderURL(dir))
	noError(t, b.PutBytes(t.Context(), "x/y", []byte("z")))
	if text, err := os.ReadFile(filepath.Join(dir, "x", "y")); err != nil || string(text) != "z" {
		t.Errorf("%q, %v", text, err)
	}
	if path, ok := FolderOf(b.URL); !ok || path != dir {
		t.Errorf("the bucket is %q, %v, not %q", path, ok, dir)
	}
	if path, ok := FolderOf("s3://results"); ok {
		t.Errorf("s3://results is the folder %q", path)
	}
}

// noError ends the test where there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
