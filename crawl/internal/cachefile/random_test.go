package cachefile

import (
	"bytes"
	"encoding/binary"
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

// damages are what disks, cables and other programs do to a file.
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
	{"a bit of the notes", func(b []byte, r *rand.Rand) []byte {
		return flipBeside(b, sweptNote, r.IntN(25), 1<<r.IntN(7))
	}},
	{"a bit of a bucket's name", func(b []byte, r *rand.Rand) []byte {
		return flipBeside(b, notesBucket, r.IntN(40)-20, 1<<r.IntN(8))
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

// flipBeside flips a bit at some distance of every place that holds the text.
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

// Whatever becomes of a file, the run has a cache, nothing of it is taken for
// what it is not, and the next run finds a sound one.
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
	for _, running := range []bool{false, true} { // damaged before the run, or while it has the file open
		if running && runtime.GOOS == "windows" {
			break // which lets nobody else write into a file that is mapped into memory
		}
		for _, d := range damages {
			seen := 0
			for range damageRounds {
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
					now := time.Now().Add(time.Minute) // that the file system's clock ticks coarsely is not the point
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
			t.Logf("%s, running %v: seen %d times of %d", d.name, running, seen, damageRounds)
		}
	}
}

// These would end the program, or keep it at it for ever.
func TestCacheDamageThatKills(t *testing.T) {
	clock := newClock()
	good, err := os.ReadFile(filled(t, clock))
	if err != nil {
		t.Fatal(err)
	}
	var branch, freelist, leaf int
	for p := 2; p < len(good)/pageSize; p++ {
		switch b := good[p*pageSize:]; binary.NativeEndian.Uint16(b[8:]) {
		case boltBranch:
			branch = p
		case boltFreelist:
			freelist = p
		case boltLeaf:
			leaf = p
		}
	}
	if branch == 0 || freelist == 0 || leaf == 0 {
		t.Fatalf("no such pages: %d %d %d", branch, freelist, leaf)
	}
	for name, do := range map[string]func(b []byte){
		"a branch that leads to itself": func(b []byte) {
			p := b[branch*pageSize:]
			for i := range int(binary.NativeEndian.Uint16(p[10:])) {
				binary.NativeEndian.PutUint64(p[boltHead+i*boltElement+8:], uint64(branch))
			}
		},
		"a freelist of four billion pages": func(b []byte) {
			p := b[freelist*pageSize:]
			binary.NativeEndian.PutUint16(p[10:], 0xFFFF)
			binary.NativeEndian.PutUint64(p[boltHead:], 1<<35)
		},
		"a page in use that is free": func(b []byte) {
			p := b[freelist*pageSize:]
			binary.NativeEndian.PutUint16(p[10:], 1)
			binary.NativeEndian.PutUint64(p[boltHead:], uint64(branch))
		},
		"a key longer than memory": func(b []byte) { binary.NativeEndian.PutUint32(b[leaf*pageSize+boltHead+8:], 1<<31-1) },
		"a page of the whole file": func(b []byte) { binary.NativeEndian.PutUint32(b[leaf*pageSize+12:], 1<<31) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "cache.db")
			bad := bytes.Clone(good)
			do(bad)
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			c := fileAt(t, clock, path)
			if !strings.Contains(c.Warning, ".corrupt-") || readAll(t, c) != 0 {
				t.Errorf("not set aside: %q", c.Warning)
			}
		})
	}
}

// What bbolt writes is sound, and looked at in no time.
func BenchmarkCacheCheck(b *testing.B) {
	path := filepath.Join(b.TempDir(), "cache.db")
	c, err := Open(path, time.Now)
	if err != nil {
		b.Fatal(err)
	}
	for i := range 20_000 {
		c.Put(fmt.Sprint("https://www.example-", i, ".com/robots.txt"), make([]byte, 3000))
	}
	if err := c.Close(); err != nil {
		b.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	info, _ := file.Stat()
	b.SetBytes(info.Size())
	for b.Loop() {
		if err := check(file, info.Size()); err != nil {
			b.Fatal(err)
		}
	}
}
