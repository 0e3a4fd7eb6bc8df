package compare

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
)

// TestBegun compares a comparison started early with a plain one: few and many items, with and
// without an error, read completely or not. All resources are always closed.
func TestBegun(t *testing.T) {
	for _, n := range []int{0, 1, mostBegun - 1, mostBegun, mostBegun + 1, 3 * mostBegun} {
		for _, failure := range []error{nil, errors.New("damaged")} {
			open := 0
			comparison := func(yield func(Item, error) bool) {
				open++
				defer func() { open-- }()
				for i := range n {
					if !yield(Item{Flip: &Flip{Origin: i}}, nil) {
						return
					}
				}
				if failure != nil {
					yield(Item{}, failure)
				}
			}
			begun := Begin(comparison)
			if n < mostBegun && open != 0 {
				t.Errorf("%d items: the comparison is open before they are asked for", n)
			}
			if got, want := toldItems(begun.Items(), -1), toldItems(comparison, -1); !slices.Equal(got, want) {
				t.Errorf("%d items, %v: %d, want %d", n, failure, len(got), len(want))
			}
			for _, most := range []int{0, 1, mostBegun + 1} {
				if got, want := toldItems(Begin(comparison).Items(), most), toldItems(comparison, most); !slices.Equal(got, want) {
					t.Errorf("%d items, %v, the first %d: %d, want %d", n, failure, most, len(got), len(want))
				}
			}
			begun = Begin(comparison)
			begun.Stop()
			begun.Stop()
			if open != 0 {
				t.Errorf("%d items, %v: %d comparisons are open", n, failure, open)
			}
		}
	}
}

// toldItems are the first items in words, -1 = all.
func toldItems(items iter.Seq2[Item, error], most int) (list []string) {
	for item, err := range items {
		if len(list) == most {
			break
		}
		if err != nil {
			list = append(list, err.Error())
			continue
		}
		list = append(list, fmt.Sprint(item.Flip.Origin))
	}
	return list
}
