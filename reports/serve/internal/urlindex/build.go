package urlindex

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"robots-audit/reports/internal/disk"
)

// Options is how an index is built. The zero value will do.
type Options struct {
	Temp   string // folder of the temporary file, of some 35 bytes a URL; "" = the system's
	Memory int64  // bytes that building may take; 0 = 128 MB, and no less than 8 MB

	arenaBytes, blockBytes, chunkBytes int // 0 = as Memory and the constants of these names have it; tests ask for small ones
}

// Stats is what building an index took.
type Stats struct {
	URLs     int64 // in it
	Repeated int64 // that came more than once, and are in it once
	Blocks   int
	Bytes    int64         // of the file
	Temp     int64         // bytes of the temporary file
	Runs     int           // sorted runs that were merged
	Read     time.Duration // until all URLs had come, and sorting was done
	Took     time.Duration // in all
}

const (
	defaultMemory = 128 << 20
	leastMemory   = 8 << 20
	arenas        = 3 // one is filled while two are sorted
)

// Build writes the index of URLs that come in no order, and perhaps more than once: those of
// the same Loc, Site and Kind are one. key is what the index is of; Open asks for the same.
// path is written whole or not at all, under another name beside it at first.
// An error is that of urls, of the context, or of a disk.
func Build(ctx context.Context, path, key string, urls iter.Seq2[URL, error], o Options) (stats Stats, err error) {
	began := time.Now()
	if o.Memory == 0 {
		o.Memory = defaultMemory
	}
	if o.arenaBytes == 0 { // of three, the garbage collector lets as much again lie about
		o.arenaBytes = int(min(max(o.Memory, leastMemory)/10, 1<<30))
	}
	if o.blockBytes == 0 {
		o.blockBytes = blockBytes
	}
	if o.chunkBytes == 0 {
		o.chunkBytes = chunkBytes
	}
	temp, err := disk.CreateUnnamed(disk.OS{}, o.Temp)
	if err != nil {
		return stats, err
	}
	defer func() { err = errors.Join(err, temp.Close()) }()
	file := &runFile{file: temp, limit: o.chunkBytes}
	runs, err := sortRuns(ctx, file, urls, o.arenaBytes, &stats)
	if err != nil {
		return stats, err
	}
	stats.Read, stats.Runs, stats.Temp = time.Since(began), len(runs), file.chunks.Load()*int64(o.chunkBytes)
	removeLeft(path)
	out, err := os.OpenFile(fmt.Sprintf("%s-%016x.tmp", path, rand.Uint64()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return stats, err
	}
	err = mergeRuns(ctx, out, key, file, runs, o.blockBytes, &stats)
	// Nobody waits here until it is on the disk, as for files that must outlive a power cut: what
	// is not whole then shows by its checksums, and is built again.
	if e := out.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = disk.Rename(out.Name(), path)
	}
	if err != nil {
		os.Remove(out.Name())
	}
	stats.Took = time.Since(began)
	return stats, err
}

// removeLeft removes what a process that was killed while it built this index has left beside it:
// no build takes a day.
func removeLeft(path string) {
	files, _ := os.ReadDir(filepath.Dir(path)) // best effort
	for _, f := range files {
		ours := strings.HasPrefix(f.Name(), filepath.Base(path)+"-") && strings.HasSuffix(f.Name(), ".tmp")
		if info, err := f.Info(); ours && err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > 24*time.Hour {
			os.Remove(filepath.Join(filepath.Dir(path), f.Name()))
		}
	}
}
