package serve

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sync/semaphore"

	"robots-audit/reports"
)

// joinedGroups is a robots.txt of many groups of one name, which parsers join.
func joinedGroups(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "User-agent: b%d\nUser-agent: googlebot\nDisallow: /x/%d\n", i, i)
	}
	return text.String()
}

// TestWishMemory requests changes that take more memory than the dashboard has, which gives an error. Ten
// others together also take more, but one after the other: all are answered.
func TestWishMemory(t *testing.T) {
	run := filepath.Join(t.TempDir(), "monday")
	auditRun(t, run, map[string]testSite{"shop.example": shop(40)}, reports.Options{})
	d, a := newDesk(t, Options{Runs: []string{run}, Memory: 24 << 20})
	const path = "/runs/monday/sites/shop.example/wish"
	var refused troubleView
	large := edited{Robots: joinedGroups(600), Want: "allow", URLs: []string{"/x/1", "/x/2", "/x/3"}}
	if status := a.post(path, large, &refused); status != 422 || !strings.Contains(refused.Error, "MB of memory, but only 12 MB are available") || !strings.Contains(refused.Error, "with -memory") {
		t.Errorf("a change that takes too much: %d, %s", status, refused.Error)
	}
	var askers sync.WaitGroup
	for range 10 {
		askers.Go(func() {
			var got wishView
			if status := a.post(path, edited{Robots: joinedGroups(40), Want: "allow", URLs: []string{"/x/1", "/x/2", "/x/3"}}, &got); status != 200 || !got.Met {
				t.Errorf("status %d, %s", status, got.Words)
			}
		})
	}
	askers.Wait()
	if d.held.taken != 0 {
		t.Errorf("%d bytes were not given back", d.held.taken)
	}
}

// TestTake takes memory for work from that of held sites: never more than half of it, and sites are
// dropped for it.
func TestTake(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "monday")
	auditRun(t, dir, map[string]testSite{"a.example": shop(30), "b.example": shop(30)}, reports.Options{})
	run, err := reports.OpenStored(dir, "0.1.0")
	noError(t, err)
	h := newHolder(1 << 30)
	for _, site := range run.Sites {
		if _, held, err := h.records(t.Context(), site.Base, site); err != nil || !held {
			t.Fatalf("%s: held %v, %v", site.Name, held, err)
		}
	}
	half := h.bytes / 2
	h.limit, h.work = h.bytes, semaphore.NewWeighted(half)
	give, err := h.take(t.Context(), half)
	if err != nil || len(h.sites) > 1 || h.bytes+h.taken > h.limit {
		t.Errorf("%d sites of %d bytes are held beside %d of %d, %v", len(h.sites), h.bytes, h.taken, h.limit, err)
	}
	if _, err := h.take(t.Context(), half+1); !errors.As(err, new(*Refusal)) {
		t.Errorf("more than there ever is: %v", err)
	}
	short, stop := context.WithCancel(t.Context())
	stop()
	if _, err := h.take(short, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("no room, and nobody waits: %v", err)
	}
	waited := make(chan error)
	go func() {
		second, err := h.take(t.Context(), 1)
		if err == nil {
			second()
		}
		waited <- err
	}()
	give()
	if err := <-waited; err != nil || h.taken != 0 {
		t.Errorf("after it was given back: %v, %d taken", err, h.taken)
	}
}
