package reports

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"
)

// TestManifestDamaged puts wrong content into run.json: both commands say so, and change nothing.
func TestManifestDamaged(t *testing.T) {
	t.Parallel()
	dir := straightRun(t)
	want := folder(t, dir)
	was := want["run.json"]
	crawler := `{"label":"A","name":"A","profile":"google"},`
	for name, c := range map[string]struct{ text, says string }{
		"empty":            {"", "run.json cannot be used: it is empty"},
		"blank":            {" \n", "it is empty"},
		"cut":              {was[:len(was)/2], "run.json cannot be used"},
		"an array":         {"[1,2]", "run.json cannot be used"},
		"a number":         {"7", "run.json cannot be used"},
		"nothing in it":    {"{}", "it names 0 crawlers"},
		"another start":    {strings.Replace(was, "2026-03-04", "2026-03-05", 1), "its checksum does not fit"},
		"a damaged key":    {strings.Replace(was, `"checksum"`, `"checkrum"`, 1), `unknown field "checkrum"`},
		"rows of a kind":   {`{"id":"x","rows":"some","crawlers":[` + strings.TrimSuffix(crawler, ",") + `]}`, `rows is "some"`},
		"a format":         {`{"id":"x","rows":"all","formats":["doc"],"crawlers":[` + strings.TrimSuffix(crawler, ",") + `]}`, `unknown format "doc"`},
		"9,000 crawlers":   {`{"id":"x","rows":"all","crawlers":[` + strings.TrimSuffix(strings.Repeat(crawler, 9000), ",") + `]}`, "it names 9000 crawlers, and a run has 1 to 256"},
		"types":            {`{"id":"x","rows":["all"]}`, "run.json cannot be used"},
		"a million levels": {`{"id":` + strings.Repeat("[", 1_000_000), "exceeded max depth"},
		"too long":         {strings.Repeat(" ", maxManifest+1), "longer than 16777216 bytes"},
		"two":              {`{"id":"x"} {}`, "something follows its end"},
	} {
		t.Run(name, func(t *testing.T) {
			put(t, dir, "run.json", c.text)
			o := testOptions(dir)
			o.Resume = true
			_, err := Open(o)
			for _, err := range []error{rebuildIn(dir), err} {
				if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), dir) {
					t.Errorf("error %v, want %q", err, c.says)
				}
			}
			want["run.json"] = c.text
			sameFolder(t, maps.Clone(want), folder(t, dir))
		})
	}
	gone(t, dir, "run.json")
	for _, resume := range []bool{true, false} { // if started again, it would delete the sites
		o := testOptions(dir)
		o.Resume = resume
		if _, err := Open(o); !errors.Is(err, ErrNoManifest) {
			t.Errorf("without run.json, resume %v: %v", resume, err)
		}
	}
	delete(want, "run.json")
	sameFolder(t, want, folder(t, dir))
}

// A run with too many crawlers is refused before anything is drawn for them.
func TestMaxCrawlers(t *testing.T) {
	t.Parallel()
	o := testOptions(t.TempDir())
	for i := range MaxCrawlers {
		c := testCrawlers[0]
		c.Label = fmt.Sprint(i)
		o.Crawlers = append(o.Crawlers, c)
	}
	if _, err := Open(o); err == nil || !strings.Contains(err.Error(), "259 crawlers") {
		t.Errorf("error %v", err)
	}
}

// FuzzSeal changes a byte of a sealed object: it decodes unchanged, or not at all.
func FuzzSeal(f *testing.F) {
	f.Add("a.example", 1, uint(3), byte(1), false)
	f.Add("x,y", -1, uint(30), byte(0x20), true)
	f.Fuzz(func(t *testing.T, name string, n int, at uint, flip byte, pretty bool) {
		type object struct {
			Name string `json:"name"`
			N    []int  `json:"n"`
		}
		text, err := json.Marshal(object{name, []int{n}})
		noError(t, err)
		var was, is object
		sealed := seal(text, pretty)
		if err := unseal(sealed, &was); err != nil {
			t.Fatalf("%s: %v", sealed, err)
		}
		sealed[at%uint(len(sealed))] ^= flip
		if err := unseal(sealed, &is); err == nil && !reflect.DeepEqual(was, is) {
			t.Errorf("%s reads as %v, and was %v", sealed, is, was)
		}
	})
}
