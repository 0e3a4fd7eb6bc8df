package urlindex

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A file of which any byte is another one, or the end is missing: an error, or what
// the file as it was says.
func TestDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	plain := plainly(someURLs(r, 1500))
	path := filepath.Join(t.TempDir(), "urls.index")
	if _, err := Build(t.Context(), path, "key", each(plain), Options{blockBytes: 250}); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	queries := []Query{{Text: "abc", Limit: 5}, {Text: "https://a.test", Limit: 5}, {Text: "", Offset: 700, Limit: 5}, {Text: "z", Sites: []int32{0, 7}}}
	ask := func() (answers []Result, err error) {
		x, err := Open(path, "key")
		if err != nil {
			return nil, err
		}
		defer x.Close()
		for _, q := range queries {
			got, err := x.Search(context.Background(), q)
			if err != nil {
				return nil, err
			}
			got.Took = 0
			answers = append(answers, got)
		}
		found, err := x.Find(plain[1000].Loc)
		return append(answers, Result{URLs: found}), err
	}
	want, err := ask()
	if err != nil {
		t.Fatal(err)
	}
	failed := 0
	x, err := Open(path, "key")
	if err != nil {
		t.Fatal(err)
	}
	x.Close()
	if x.table.rows[0] == 0 {
		t.Fatal("the index has no filter")
	}
	for n := range 400 {
		damaged := bytes.Clone(whole)
		at := r.IntN(len(damaged))
		switch n % 8 {
		case 0:
			damaged = damaged[:at]
		case 1:
			damaged = slices.Delete(damaged, at, min(at+r.IntN(50)+1, len(damaged)))
		case 2:
			damaged[len(damaged)-1-n%trailerBytes] ^= 1 << r.IntN(8)
		case 3: // of blocks
			damaged[r.IntN(int(x.table.rows[0]))] ^= 1 << r.IntN(8)
		case 4:
			clear(damaged[at:min(at+4096, len(damaged))])
		default:
			damaged[at] ^= 1 << r.IntN(8)
		}
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := ask()
		switch {
		case errors.Is(err, ErrDamaged), errors.Is(err, ErrStale):
			failed++
		case err != nil:
			t.Errorf("damage %d: %v", n, err)
		case !slices.EqualFunc(got, want, sameResult):
			t.Errorf("damage %d at %d: %v", n, at, got)
		}
	}
	if failed < 100 {
		t.Errorf("%d of 400 damages were seen", failed)
	}
}

func sameResult(a, b Result) bool {
	return a.Total == b.Total && a.More == b.More && a.Prefix == b.Prefix && slices.Equal(a.URLs, b.URLs)
}

// Whatever a block or a table holds, reading it ends without a panic.
func FuzzParse(f *testing.F) {
	r := rand.New(rand.NewPCG(12, 12))
	var b block
	last := []byte{}
	for _, u := range plainly(someURLs(r, 20)) {
		b.add([]byte(u.Loc), sharedBytes(last, []byte(u.Loc)), metaOfURL(&u))
		last = []byte(u.Loc)
	}
	f.Add(b.appendTo(nil))
	whole := table{key: "k", blocks: []entry{{first: b.first, size: 1, raw: 2, count: 3}, {first: last, site: 7, mixed: true}}, rows: []int64{9}}
	f.Add(whole.append(nil))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var parsed table
		if parsed.parse(raw) {
			var again table
			if !again.parse(parsed.append(nil)) || len(again.blocks) != len(parsed.blocks) || again.key != parsed.key {
				t.Error("a table that is written again is another one")
			}
		}
		for _, mixed := range []bool{false, true} {
			var l lines
			if l.read(raw, 5, mixed) != nil {
				continue
			}
			for more, err := l.next(); more && err == nil; more, err = l.next() {
				if len(l.loc) > len(raw) {
					t.Fatal("a URL is longer than its block")
				}
			}
		}
	})
}
