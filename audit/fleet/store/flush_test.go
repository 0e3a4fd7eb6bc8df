package store

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestTakeAndCommit runs the same test on a folder, with both ways to wait for the disk, and on a
// driver of gocloud.
func TestTakeAndCommit(t *testing.T) {
	alone := opened(t, FolderURL(filepath.Join(t.TempDir(), "alone")))
	alone.store.(*folder).grouped = false
	buckets := []*Bucket{opened(t, FolderURL(filepath.Join(t.TempDir(), "results"))), opened(t, "held://take")}
	for _, address := range onServer(t) {
		t.Log(address)
		buckets = append(buckets, opened(t, address))
	}
	passing := opened(t, FolderURL(filepath.Join(t.TempDir(), "passing")))
	noError(t, passing.Passing())
	for _, b := range append(buckets, alone, passing) {
		for i, text := range []string{"one", "two"} { // the second in place of the first
			name := filepath.Join(t.TempDir(), "file")
			noError(t, os.WriteFile(name, []byte(text), 0o666))
			noError(t, b.Take(t.Context(), "a/b/c", name))
			if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s: the file is there still (%v)", b.URL, err)
			}
			if data, err := b.Get(t.Context(), "a/b/c", 9); err != nil || string(data) != text {
				t.Errorf("%s: %q %v", b.URL, data, err)
			}
			if stored, err := b.Commit(t.Context(), "a/result", []byte(text)); err != nil || stored != (i == 0) {
				t.Errorf("%s: %v %v", b.URL, stored, err)
			}
		}
		if data, err := b.Get(t.Context(), "a/result", 9); err != nil || string(data) != "one" {
			t.Errorf("%s: %q %v", b.URL, data, err)
		}
		if err := b.Take(t.Context(), "a/b/d", filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", b.URL, err)
		}
		noError(t, errors.Join(b.Delete(t.Context(), "a/result"), b.Close()))
		if f, ok := b.store.(*folder); ok {
			if there, err := b.Exists(t.Context(), "a/result"); there || err != nil {
				t.Errorf("%s: %v %v", b.URL, there, err)
			}
			if left, err := os.ReadDir(filepath.Join(f.root, incomplete)); err != nil || len(left) > 0 {
				t.Errorf("%v is left, %v", left, err)
			}
		}
	}
}

// TestTakeFromAnotherDisk: what cannot be renamed is copied.
func TestTakeFromAnotherDisk(t *testing.T) {
	elsewhere, err := os.MkdirTemp("/dev/shm", "take-")
	if err != nil {
		t.Skip("there is no other disk: ", err)
	}
	defer os.RemoveAll(elsewhere)
	name := filepath.Join(elsewhere, "file")
	noError(t, os.WriteFile(name, []byte("one"), 0o666))
	b := opened(t, FolderURL(filepath.Join(t.TempDir(), "results")))
	noError(t, b.Take(t.Context(), "a/b", name))
	if data, err := b.Get(t.Context(), "a/b", 9); err != nil || string(data) != "one" {
		t.Errorf("%q %v", data, err)
	}
	if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestShared: each who comes is served by a call that began after it came, and there is one at a time.
func TestShared(t *testing.T) {
	var s shared
	var begun, ended atomic.Int64
	call := func() error {
		n := begun.Add(1)
		if ended.Load() != n-1 {
			t.Error("two calls at a time")
		}
		runtime.Gosched()
		ended.Add(1)
		return nil
	}
	const callers, each = 50, 100
	var group sync.WaitGroup
	for range callers {
		group.Go(func() {
			for range each {
				came := begun.Load()
				if err := s.do(call); err != nil {
					t.Error(err)
				}
				if ended.Load() <= came {
					t.Errorf("served by call %d or one before, which had begun by then", came)
				}
			}
		})
	}
	group.Wait()
	t.Logf("%d calls for %d", begun.Load(), callers*each)
}

// TestSharedTogether: those who come while a call is under way wait for one that they share, with
// its error; the next has one of its own.
func TestSharedTogether(t *testing.T) {
	var s shared
	const n = 20
	under, free := make(chan struct{}), make(chan struct{})
	first := make(chan error, 1)
	go func() {
		first <- s.do(func() error {
			close(under)
			<-free
			return nil
		})
	}()
	<-under
	failed := errors.New("no space left on device")
	var calls atomic.Int64
	rest := make(chan error, n)
	for range n {
		go func() {
			rest <- s.do(func() error {
				calls.Add(1)
				return failed
			})
		}()
	}
	for blockedInDo() != 1+n {
		time.Sleep(time.Millisecond)
	}
	if len(rest) > 0 || calls.Load() > 0 {
		t.Error("somebody was served by a call that had begun before")
	}
	close(free)
	if err := <-first; err != nil {
		t.Errorf("the first has the error of the next: %v", err)
	}
	for range n {
		if err := <-rest; err != failed {
			t.Errorf("one of those who waited: %v", err)
		}
	}
	if calls.Load() != 1 {
		t.Errorf("%d calls for those who waited together", calls.Load())
	}
	if err := s.do(func() error { return nil }); err != nil {
		t.Errorf("the next has the error of those before: %v", err)
	}
}

// blockedInDo is how many goroutines are in shared.do and can go no further by themselves.
func blockedInDo() (n int) {
	text := make([]byte, 1<<20)
	for g := range strings.SplitSeq(string(text[:runtime.Stack(text, true)]), "\n\n") {
		state, _, _ := strings.Cut(g, "\n")
		if strings.Contains(g, "(*shared).do(") && (strings.Contains(state, "[chan receive") || strings.Contains(state, "[sync.Mutex.Lock")) {
			n++
		}
	}
	return n
}
