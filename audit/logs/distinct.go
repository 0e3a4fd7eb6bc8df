package logs

import (
	"github.com/axiomhq/hyperloglog"

	"robots-audit/audit"
)

// maxDistinct bounds the URLs that are counted exactly, for all crawlers of all sites together, at
// some 16 bytes each.
const maxDistinct = 8_000_000

// room is the space that is left for exact counts.
type room struct{ left int }

// distinct counts different URLs: exactly while there is room, then by an estimate that is wrong by
// about one percent.
type distinct struct {
	room  *room
	exact *audit.HashSet
	n     int64
	about *hyperloglog.Sketch // nil = n is exact
}

func newDistinct(r *room) *distinct { return &distinct{room: r, exact: audit.NewHashSet()} }

// add adds a URL by its hash. known = false if it cannot be said whether it is new.
func (d *distinct) add(hash uint64) (isNew, known bool) {
	if d.about != nil {
		d.about.InsertHash(hash)
		return false, false
	}
	if d.exact.HasHash(hash) {
		return false, true
	}
	if d.room.left <= 0 {
		d.estimate()
		d.about.InsertHash(hash)
		return false, false
	}
	d.room.left--
	d.n++
	return d.exact.AddHash(hash), true
}

// estimate goes over to an estimate, and gives the room back.
func (d *distinct) estimate() {
	d.about = hyperloglog.New()
	for hash := range d.exact.Hashes() {
		d.about.InsertHash(hash)
	}
	d.room.left += int(d.n)
	d.exact = nil
}

// has reports whether a URL was added; known = false if that cannot be said.
func (d *distinct) has(hash uint64) (has, known bool) {
	if d.about != nil {
		return false, false
	}
	return d.exact.HasHash(hash), true
}

// count is the number of different URLs, and whether it is an estimate.
func (d *distinct) count() (n int64, about bool) {
	if d.about != nil {
		return int64(d.about.Estimate()), true
	}
	return d.n, false
}
