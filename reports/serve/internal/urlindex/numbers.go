package urlindex

import (
	"encoding/binary"

	"robots-audit/audit"
)

// maxNumber bounds each number of a URL, so that sums do not overflow; maxHits bounds the crawlers with hits.
const (
	maxNumber = 1 << 48
	maxHits   = 4096
)

// numbers are the numbers of a URL.
type numbers struct {
	clicks, impressions int64 // -1 = not given
	hits                []int64
}

// appendNumbers appends the numbers of a URL; nothing if it has none.
func appendNumbers(dst []byte, u *audit.URL) []byte {
	hits := u.Hits[:min(len(u.Hits), maxHits)]
	for len(hits) > 0 && hits[len(hits)-1] <= 0 {
		hits = hits[:len(hits)-1]
	}
	if len(hits) == 0 && !u.HasClicks() && !u.HasImpressions() {
		return dst
	}
	given := func(n int64, has bool) {
		if has {
			dst = binary.AppendUvarint(dst, uint64(bounded(n))+1)
		} else {
			dst = append(dst, 0)
		}
	}
	given(u.Clicks, u.HasClicks())
	given(u.Impressions, u.HasImpressions())
	for _, n := range hits {
		dst = binary.AppendUvarint(dst, uint64(bounded(n)))
	}
	return dst
}

func bounded(n int64) int64 { return max(0, min(n, maxNumber)) }

// read reads numbers into memory that is reused; b may be damaged.
func (n *numbers) read(b []byte) error {
	n.clicks, n.impressions, n.hits = -1, -1, n.hits[:0]
	for i := 0; len(b) > 0; i++ {
		v, size := binary.Uvarint(b)
		if size <= 0 || v > maxNumber+1 {
			return ErrDamaged
		}
		b = b[size:]
		switch i {
		case 0:
			n.clicks = int64(v) - 1
		case 1:
			n.impressions = int64(v) - 1
		default:
			n.hits = append(n.hits, int64(v))
		}
	}
	return nil
}

// hitsOf are the hits of a crawler; -1 = of all.
func (n *numbers) hitsOf(crawler int) (sum int64) {
	if crawler >= 0 {
		if crawler < len(n.hits) {
			return n.hits[crawler]
		}
		return 0
	}
	for _, hits := range n.hits {
		sum += hits
	}
	return sum
}
