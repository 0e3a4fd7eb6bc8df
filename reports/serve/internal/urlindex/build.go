package urlindex

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sync/errgroup"

	"robots-audit/reports/internal/disk"
)

// Limits of building. The garbage collector may keep as much memory again as two arenas have.
const (
	buildMemory   = 64 << 20 // maximum of bytes for building
	arenaBytes    = buildMemory / 8
	runBlockBytes = 32 << 10 // block size of a sorted run: merging keeps one block of each run
)

// Build writes the index of URLs that come unsorted and perhaps repeated, from the sites of a dictionary.
// URLs with the same Loc, Site and Kind become one. key identifies the content; Open needs the same key. The
// file is written under a temporary name and renamed when it is complete. The error is from entries, the
// context or the disk.
func Build(ctx context.Context, path, key string, d *Dictionary, entries iter.Seq2[Entry, error]) error {
	return build(ctx, path, key, d, entries, sizes{arenaBytes, blockBytes})
}

// sizes are the bytes of an arena and of a block; tests use small ones.
type sizes struct{ arena, block int }

func build(ctx context.Context, path, key string, d *Dictionary, entries iter.Seq2[Entry, error], o sizes) (err error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(blockBytes))
	if err != nil {
		return err
	}
	temp, err := disk.CreateUnnamed(disk.OS{}, filepath.Dir(path))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, temp.Close()) }()
	runs, err := sortRuns(ctx, entries, &writer{out: temp, encoder: encoder, limit: min(o.block, runBlockBytes)}, o.arena)
	if err != nil {
		return err
	}
	removeLeft(path)
	out, err := os.OpenFile(fmt.Sprintf("%s-%016x.tmp", path, rand.Uint64()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	w := &writer{out: out, encoder: encoder, limit: o.block}
	if err = merge(ctx, temp, runs, &merger{out: w, templates: d.templates}); err == nil {
		err = w.finish(key, d.words())
	}
	// No fsync: after a power cut the checksums show an incomplete index, and it is built again.
	if e := out.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = disk.Rename(out.Name(), path)
	}
	if err != nil {
		os.Remove(out.Name())
	}
	return err
}

// sortRuns writes sorted runs of as many URLs as fit into memory, and returns the blocks of each run. While
// one arena is filled, the other is sorted and written.
func sortRuns(ctx context.Context, entries iter.Seq2[Entry, error], w *writer, arenaBytes int) (runs [][]entry, err error) {
	var writing errgroup.Group
	a, other := new(arena), new(arena)
	start := func() error {
		err := writing.Wait()
		full := a
		writing.Go(func() error {
			err := full.writeTo(w)
			runs, w.blocks = append(runs, w.blocks), nil
			return err
		})
		a, other = other, a
		return err
	}
	for of, e := range entries {
		if err = e; err == nil {
			err = a.add(&of)
		}
		if err == nil && len(a.items)%1024 == 0 {
			err = ctx.Err()
		}
		if err == nil && len(a.text)+len(a.items)*itemBytes >= arenaBytes {
			err = start()
		}
		if err != nil {
			break
		}
	}
	if err == nil {
		err = start()
	}
	err = cmp.Or(writing.Wait(), err)
	return runs, err
}

// removeLeft removes temporary files of a killed build of this index, which are more than a day old: no
// build takes a day.
func removeLeft(path string) {
	files, _ := os.ReadDir(filepath.Dir(path)) // best effort
	for _, f := range files {
		ours := strings.HasPrefix(f.Name(), filepath.Base(path)+"-") && strings.HasSuffix(f.Name(), ".tmp")
		if info, err := f.Info(); ours && err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > 24*time.Hour {
			os.Remove(filepath.Join(filepath.Dir(path), f.Name()))
		}
	}
}
