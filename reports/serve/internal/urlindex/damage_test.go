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

	"github.com/klauspost/compress/zstd"

	"robots-audit/audit"
)

// A file with any changed byte, or with a missing end, gives an error, or the same result as the
// original.
func TestDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	plain := plainly(someURLs(r, 1500))
	path := filepath.Join(t.TempDir(), "urls.index")
	d := NewDictionary()
	if err := build(t.Context(), path, "key", d, each(d, plain), sizes{arenaBytes, 250}); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	list := []Query{{Text: "abc", Limit: 5}, {Text: "https://a.test", Limit: 5}, {Text: "", Offset: 700, Limit: 5}, {Text: "z", Site: new(int32)}, {Filter: Filter{Template: "/de"}, Limit: 5}, {Sort: ByClicks, Limit: 5}}
	opened := errors.New("the index is not opened")
	ask := func() (answers []Result, err error) {
		x, err := Open(path, "key", nil)
		if err != nil {
			return nil, opened
		}
		defer x.Close()
		for _, q := range list {
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
	for n := range 2 * queries {
		damaged := bytes.Clone(whole)
		at := r.IntN(len(damaged))
		switch n % 8 {
		case 0:
			damaged = damaged[:at]
		case 1:
			damaged = slices.Delete(damaged, at, min(at+r.IntN(50)+1, len(damaged)))
		case 2:
			damaged[len(damaged)-1-n%32] ^= 1 << r.IntN(8)
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
		case errors.Is(err, ErrDamaged), err == opened:
			failed++
		case err != nil:
			t.Errorf("damage %d: %v", n, err)
		case !slices.EqualFunc(got, want, sameResult):
			t.Errorf("damage %d at %d: %v", n, at, got)
		}
	}
	if failed < queries/2 {
		t.Errorf("%d of %d damages were seen", failed, 2*queries)
	}
}

func sameResult(a, b Result) bool {
	return a.Total == b.Total && a.More == b.More && a.Prefix == b.Prefix && sameURLs(a.URLs, b.URLs)
}

// Reading a block or a table never panics, whatever it contains.
func FuzzParse(f *testing.F) {
	r := rand.New(rand.NewPCG(12, 12))
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		f.Fatal(err)
	}
	var file bytes.Buffer
	w := writer{out: &file, encoder: encoder, limit: 1 << 20}
	d := NewDictionary()
	for e := range each(d, plainly(someURLs(r, 20))) {
		e.template = 0
		if err := w.add([]byte(e.loc), &e.class, e.numbers); err != nil {
			f.Fatal(err)
		}
	}
	if err := w.finish("k", d.words()); err != nil {
		f.Fatal(err)
	}
	f.Add(w.raw, file.Bytes())
	f.Fuzz(func(t *testing.T, raw, file []byte) {
		path := filepath.Join(t.TempDir(), "urls")
		for _, text := range [][]byte{file, oneBlock(encoder, raw)} {
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			x, err := Open(path, "k", nil)
			if err != nil {
				continue
			}
			for _, q := range []Query{{Text: "a", Limit: 50}, {Limit: 50}, {Text: "/", Site: new(int32(1))}, {Filter: Filter{Kinds: []audit.Kind{0}, Hits: 1}, Limit: 50}, {Sort: ByHits, Limit: 50}} {
				if got, err := x.Search(t.Context(), q); err == nil && len(got.URLs) > len(raw)+len(file) {
					t.Error("more URLs than bytes")
				}
			}
			x.Find("https://a.test/")
			x.Close()
		}
	})
}

// oneBlock is a file with one block of these bytes.
func oneBlock(encoder *zstd.Encoder, raw []byte) []byte {
	var file bytes.Buffer
	w := writer{out: &file, encoder: encoder}
	size := uint32(len(encoder.EncodeAll(raw, nil)))
	w.blocks = []entry{{Mixed: true, Count: 1, Size: size, Columns: size, Hits: 9}, {Mixed: true, Count: 1, At: -int64(size), Size: size, Columns: size, Hits: 9}}
	w.write(encoder.EncodeAll(raw, nil))
	w.write(encoder.EncodeAll(raw, nil))
	w.finish("k", NewDictionary().words())
	return file.Bytes()
}
