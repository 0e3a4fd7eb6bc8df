package book

import (
	"cmp"
	"slices"
)

// maxFirst is the number of rows with most clicks that come before all others.
const maxFirst = 10_000

// ranked returns rows with those with most clicks first, and the others in the order in which they
// were added. At most twice maxFirst rows are in memory.
type ranked struct {
	spool
	first []rankedRow
	last  rankedRow // the last of the first rows, once there are more than maxFirst
	cut   bool      // there are more than maxFirst
}

type rankedRow struct {
	clicks, number int64 // number: in the order in which rows were added
	row            string
}

func (r rankedRow) compare(other rankedRow) int {
	return cmp.Or(cmp.Compare(other.clicks, r.clicks), cmp.Compare(r.number, other.number))
}

func (r *ranked) add(clicks int64, row []byte) error {
	of := rankedRow{clicks: clicks, number: r.rows}
	if clicks > 0 && (!r.cut || of.compare(r.last) < 0) {
		of.row = string(row)
		r.first = append(r.first, of)
		if len(r.first) == 2*maxFirst {
			r.sort()
		}
	}
	return r.spool.add(row)
}

// sort sorts the first rows, and drops those beyond maxFirst.
func (r *ranked) sort() {
	slices.SortFunc(r.first, rankedRow.compare)
	if len(r.first) > maxFirst {
		clear(r.first[maxFirst:])
		r.first, r.cut = r.first[:maxFirst], true
	}
	if r.cut {
		r.last = r.first[len(r.first)-1]
	}
}

// each calls write with each row in its order, after the last has been added.
func (r *ranked) each(write func(row string)) error {
	r.sort()
	numbers := make([]int64, len(r.first))
	for i, of := range r.first {
		write(of.row)
		numbers[i] = of.number
	}
	slices.Sort(numbers)
	number := int64(0)
	for row, err := range r.all() {
		if err != nil {
			return err
		}
		if len(numbers) > 0 && numbers[0] == number {
			numbers = numbers[1:]
		} else {
			write(row)
		}
		number++
	}
	return nil
}
