package job

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"robots-audit/audit"
	"robots-audit/audit/watch/history"
)

// Facts are read as they were added by several goroutines, in any order. An empty robots.txt is not
// a missing one.
func TestFacts(t *testing.T) {
	f, err := newFacts(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	const n = 200
	want, places := make([]storedFact, n), make([]place, n)
	var wait sync.WaitGroup
	for i := range n {
		site := history.Site{Name: fmt.Sprintf("site%d.example", i), Known: int64(i), Took: time.Duration(i) * time.Second}
		switch i % 4 {
		case 0:
			site.Body = []byte{}
		case 1:
			site.Body = bytes.Repeat([]byte("a"), i*i)
			site.Rules = []history.Rule{{ID: "0123456789abcdef", Tokens: "*", Rule: "disallow: /a", Line: i}}
		}
		want[i] = storedFact{Entry: history.Entry{Site: site}, Body: site.Body != nil}
		if i%3 == 0 {
			want[i].Notes = map[audit.NoteKey]string{{Kind: "url", ID: "0123456789abcdef"}: site.Name}
		}
		wait.Go(func() {
			p, err := f.add(want[i])
			if err != nil {
				t.Error(err)
			}
			places[i] = p
		})
	}
	wait.Wait()
	for i, p := range slices.Backward(places) {
		got, err := f.read(p)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want[i], got); diff != "" {
			t.Fatalf("no. %d (-added +read):\n%s", i, diff)
		}
	}
}

// If the disk is full, values that are not in the file count as not collected.
func TestFactsLost(t *testing.T) {
	f, err := newFacts(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	keep := func(site string, size int) {
		w := f.watch(site, nil)
		start := time.Date(2026, 11, 22, 6, 0, 0, 0, time.UTC)
		w.Add(audit.Record{Site: &audit.Site{Name: site, Started: start}})
		robots := &audit.Robots{Origin: "https://" + site}
		robots.File.Status, robots.File.Bytes, robots.File.Body = 200, int64(size), bytes.Repeat([]byte("#"), size)
		w.Add(audit.Record{Robots: robots})
		w.Add(audit.Record{Done: &audit.Done{Finished: start.Add(time.Second)}})
		w.Kept()
	}
	keep("written.example", 2*maxUnwritten)
	keep("waiting.example", 10)
	f.file.Close()
	keep("late.example", 2*maxUnwritten)
	for site, want := range map[string]bool{"written.example": true, "waiting.example": false, "late.example": false, "other.example": false} {
		of := f.of(site)
		if (of != nil) != want || of != nil && !of.answered {
			t.Errorf("%s: %+v", site, of)
		}
	}
}
