package cachefile

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

const pageSize = 4096

// damages are faults of disks, cables and other programs in a file.
var damages = []struct {
	name string
	do   func(b []byte, r *rand.Rand) []byte
}{
	{"one bit", func(b []byte, r *rand.Rand) []byte { b[r.IntN(len(b))] ^= 1 << r.IntN(8); return b }},
	{"twenty bits", func(b []byte, r *rand.Rand) []byte {
		for range 20 {
			b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		}
		return b
	}},
	{"a bit at the head of a page", func(b []byte, r *rand.Rand) []byte {
		b[r.IntN(len(b)/pageSize)*pageSize+r.IntN(64)] ^= 1 << r.IntN(8)
		return b
	}},
	{"a bit of the schema", func(b []byte, r *rand.Rand) []byte {
		return flipBeside(b, []byte("robots_3"), r.IntN(60)-20, 1<<r.IntN(8))
	}},
	{"a cut", func(b []byte, r *rand.Rand) []byte { return b[:r.IntN(len(b))] }},
	{"a cut at a page", func(b []byte, r *rand.Rand) []byte { return b[:r.IntN(len(b)/pageSize)*pageSize] }},
	{"a page of zeros", func(b []byte, r *rand.Rand) []byte { clear(pageAt(b, r)); return b }},
	{"a page of noise", func(b []byte, r *rand.Rand) []byte {
		for p := pageAt(b, r); len(p) > 0; p = p[1:] {
			p[0] = byte(r.Uint32())
		}
		return b
	}},
	{"two pages swapped", func(b []byte, r *rand.Rand) []byte {
		p, q := pageAt(b, r), pageAt(b, r)
		kept := bytes.Clone(p)
		copy(p, q)
		copy(q, kept)
		return b
	}},
	{"a page twice, each with its own number", func(b []byte, r *rand.Rand) []byte {
		p, q := pageAt(b, r), pageAt(b, r)
		copy(q[8:], p[8:])
		return b
	}},
	{"bytes lost in the middle", func(b []byte, r *rand.Rand) []byte {
		at := r.IntN(len(b))
		return append(b[:at], b[min(len(b), at+1+r.IntN(pageSize)):]...)
	}},
	{"bytes more in the middle", func(b []byte, r *rand.Rand) []byte {
		at := r.IntN(len(b))
		return append(b[:at:at], append(make([]byte, 1+r.IntN(pageSize)), b[at:]...)...)
	}},
}

// flipBeside flips a bit at some distance from every occurrence of the text.
func flipBeside(b, text []byte, distance int, bit byte) []byte {
	for at := 0; ; {
		i := bytes.Index(b[at:], text)
		if i < 0 {
			return b
		}
		at += i + len(text)
		b[at-len(text)+distance] ^= bit
	}
}

func pageAt(b []byte, r *rand.Rand) []byte {
	n := r.IntN(len(b) / pageSize)
	return b[n*pageSize : (n+1)*pageSize]
}

// Whatever happens to a file, the run has a cache, no damaged value is
// returned, and the next run finds an intact file.
func TestCacheRandomDamage(t *testing.T) {
	t.Parallel()
	clock := newClock()
	path := filled(t, clock)
	again := fileAt(t, clock, path) // so that there are free pages
	for i := range 40 {
		again.Put(fmt.Sprint("later", i), bytes.Repeat([]byte("x"), 3000))
		again.flush()
	}
	again.Close()
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if clean, err := Open(path, clock.now); err != nil || clean.Warning != "" || readAll(t, clean) != filledEntries || clean.Close() != nil {
		t.Fatalf("a sound file: %v", err)
	}
	random := rand.New(rand.NewPCG(7, 7))
	seen, done := 0, 0
	for _, running := range []bool{false, true} { // damaged before the run, or while it has the file open
		if running && runtime.GOOS == "windows" {
			break // no other program can write into a file that is mapped into memory
		}
		for _, d := range damages {
			for range damageRounds {
				done++
				dir := t.TempDir()
				path := filepath.Join(dir, "cache.db")
				write := func(b []byte) {
					if err := os.WriteFile(path, b, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				bad := d.do(bytes.Clone(good), random)
				write(good)
				if !running {
					write(bad)
				}
				c, err := Open(path, clock.now)
				if err != nil {
					t.Fatalf("%s: the run goes without a cache: %v", d.name, err)
				}
				if running {
					write(bad)
					now := time.Now().Add(time.Minute) // so that the coarse clock of the file system does not matter
					if err := os.Chtimes(path, now, now); err != nil {
						t.Fatal(err)
					}
				}
				whole := readAll(t, c)
				c.Put("a", []byte("b"))
				err = c.Close()
				if whole < filledEntries || c.Warning != "" || err != nil {
					seen++
				}
				if err != nil && !strings.Contains(err.Error(), ".corrupt-") {
					t.Errorf("%s: %v", d.name, err)
				}
				after, err := Open(path, clock.now)
				if err != nil {
					t.Fatalf("%s: the run after that goes without a cache: %v", d.name, err)
				}
				readAll(t, after)
				after.Put("a", []byte("c"))
				after.Close()
				if last := fileAt(t, clock, path); last.Warning != "" || string(last.Get("a")) != "c" {
					t.Errorf("%s: no sound file in the end: %s", d.name, last.Warning)
				}
			}
		}
	}
	if seen < done/2 {
		t.Errorf("damage was mostly not seen: %d times of %d", seen, done)
	}
}
