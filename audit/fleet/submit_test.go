package fleet

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSubmitRefuses(t *testing.T) {
	t.Parallel()
	c := testBucketFleet(t, time.Minute)
	for _, test := range []struct {
		run    Run
		list   string
		inputs map[string]string
		says   string
	}{
		{list: "https://me:secret@example.com\n", says: "line 1 of the list"},
		{list: "# nothing\nnot a site\n", says: "has no site"},
		{run: Run{ID: "a.b"}, list: "example.com\n", says: "an id has"},
		{run: Run{Region: "EU"}, list: "example.com\n", says: "a region has"},
		{list: "example.com\n", inputs: map[string]string{"../x": "y"}, says: "not the name of a file"},
		{run: Run{ID: "noinput"}, list: "example.com\n", inputs: map[string]string{"x": filepath.Join(t.TempDir(), "none")}, says: "none"},
	} {
		_, err := Submit(t.Context(), c, test.run, strings.NewReader(test.list), test.inputs)
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%+v %q: %v, want %q", test.run, test.list, err, test.says)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("the error tells the password: %v", err)
		}
		for object, err := range c.Bucket.Keys(t.Context(), fleetPrefix) {
			if err != nil || path.Base(object.Key) == "run.json" {
				t.Errorf("%s is there (%v)", object.Key, err)
			}
		}
	}
	if n := streamOf(t, c, streamRuns).CachedInfo().State.Msgs; n != 0 {
		t.Errorf("%d runs were queued", n)
	}
}

func TestSubmit(t *testing.T) {
	t.Parallel()
	c := testBucketFleet(t, time.Minute)
	input := filepath.Join(t.TempDir(), "urls.txt")
	noError(t, os.WriteFile(input, []byte("https://example.com/x\n"), 0o600))
	const list = "example.com\nbad line\nexample.org\nexample.com\n"
	run, err := Submit(t.Context(), c, Run{Settings: map[string]string{"urls": "urls.txt"}}, strings.NewReader(list), map[string]string{"urls.txt": input})
	noError(t, err)
	if !ValidID(run.ID) || run.Sites != 2 || run.Region != "default" || run.Submitted.IsZero() {
		t.Errorf("submitted %+v", run)
	}
	for key, want := range map[string]string{ListKey(run.ID): list, InputKey(run.ID, "urls.txt"): "https://example.com/x\n"} {
		if data, err := c.Bucket.Get(t.Context(), key, 1000); err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", key, data, err)
		}
	}
	// The id is taken as long as the run is known, and its objects stay.
	_, err = Submit(t.Context(), c, Run{ID: run.ID}, strings.NewReader("example.net\n"), nil)
	if !errors.Is(err, ErrExists) {
		t.Errorf("the same id again: %v", err)
	}
	if data, err := c.Bucket.Get(t.Context(), ListKey(run.ID), 1000); err != nil || string(data) != list {
		t.Errorf("the list is now %q, %v", data, err)
	}
}
