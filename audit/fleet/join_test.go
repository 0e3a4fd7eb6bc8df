package fleet

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// TestSubmitAgain: submitting an unfinished run again joins it, however far the first call came
// before it was killed. A run with any difference, or after the end of the first, is a new run.
func TestSubmitAgain(t *testing.T) {
	t.Parallel()
	c := testBucketFleet(t, time.Minute)
	urls := filepath.Join(t.TempDir(), "urls.txt")
	submit := func(list, known string, run Run) Run {
		t.Helper()
		noError(t, os.WriteFile(urls, []byte(known), 0o600))
		run, err := Submit(t.Context(), c, run, strings.NewReader(list), map[string]string{"urls": urls})
		noError(t, err)
		return run
	}
	settings := map[string]string{"crawlers": "Googlebot", "urls": "urls.txt"}
	again := func() Run { return submit("a.example\nb.example\n", "/x", Run{Settings: settings}) }
	queued := func() uint64 {
		t.Helper()
		return streamOf(t, c, streamRuns).CachedInfo().State.Msgs
	}
	first := again()
	put := func(key string) {
		t.Helper()
		noError(t, c.Bucket.PutBytes(t.Context(), key, []byte("{}")))
	}
	remove := func(key string) {
		t.Helper()
		noError(t, c.Bucket.Delete(t.Context(), key))
	}
	unqueue := func() {
		t.Helper()
		noError(t, streamOf(t, c, streamRuns).Purge(t.Context(), jetstream.WithPurgeSubject(anyRunSubject(first.ID))))
	}
	for _, killed := range []struct {
		when string
		lose func()
		is   bool // a run that is joined, and not only its id
	}{
		{"after the run was queued", func() {}, true},
		{"before the run was queued", unqueue, true},
		{"before the list was stored", func() { unqueue(); remove(ListKey(first.ID)); remove(InputKey(first.ID, "urls")) }, true},
		{"before the run was stored", func() { unqueue(); remove(RunKey(first.ID)) }, false},
	} {
		killed.lose()
		run := again()
		if run.ID != first.ID || run.Joined != killed.is || queued() != 1 {
			t.Errorf("%s: run %s, joined %t, %d queued; want %s", killed.when, run.ID, run.Joined, queued(), first.ID)
		}
		for _, key := range []string{RunKey(first.ID), ListKey(first.ID), InputKey(first.ID, "urls")} {
			if there, err := c.Bucket.Exists(t.Context(), key); !there || err != nil {
				t.Errorf("%s: %s is not there (%v)", killed.when, key, err)
			}
		}
	}
	ids := map[string]bool{first.ID: true}
	for what, run := range map[string]Run{
		"another list":     submit("a.example\n", "/x", Run{Settings: settings}),
		"another file":     submit("a.example\nb.example\n", "/y", Run{Settings: settings}),
		"another setting":  submit("a.example\nb.example\n", "/x", Run{Settings: map[string]string{"crawlers": "GPTBot", "urls": "urls.txt"}}),
		"another region":   submit("a.example\nb.example\n", "/x", Run{Settings: settings, Region: "eu"}),
		"another version":  submit("a.example\nb.example\n", "/x", Run{Settings: settings, Version: "9.9.9"}),
		"an id of its own": submit("a.example\nb.example\n", "/x", Run{Settings: settings, ID: "own"}),
	} {
		if ids[run.ID] || run.Joined {
			t.Errorf("%s: run %s, joined %t", what, run.ID, run.Joined)
		}
		ids[run.ID] = true
	}
	for _, end := range []func(id string) string{MergedKey, FailedKey, func(id string) string { return FolderKey(id) + "run.json" }} {
		before := again().ID
		put(end(before))
		if run := again(); run.ID == before || run.Joined {
			t.Errorf("%s: run %s, joined %t", end(before), run.ID, run.Joined)
		}
	}
}
