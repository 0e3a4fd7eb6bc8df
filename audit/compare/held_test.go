package compare

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine"
)

// TestHeld checks that records in memory give the same comparison as the original records.
func TestHeld(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	crawlers := allProfiles()
	for round := range 12 {
		before := randomGroups(random)
		old, new := strings.Join(before, "\n")+"\n", strings.Join(edits(random, before, 1+random.IntN(5)), "\n")+"\n"
		var paths []string
		for i := range 1 + random.IntN(3*heldBatchURLs/2) {
			paths = append(paths, fmt.Sprintf("%s?%d", somePaths[random.IntN(len(somePaths))], i))
		}
		records := run(t, crawlers, old, paths...)
		if round%3 == 1 {
			records = withoutBody(records)
		}
		if round%3 == 2 {
			records = withClicks(records)
		}
		held, err := Hold(records, 1<<30)
		noError(t, err)
		if held.URLs() != int64(len(paths)) || held.Bytes() < held.URLs()*20 {
			t.Fatalf("%d URLs of %d, %d bytes", held.URLs(), len(paths), held.Bytes())
		}
		want := allOf(t, Sides(records, Serve(records, "example.com", []byte(new)), Options{}))
		for range 2 {
			is := allOf(t, Sides(held.Records(), Serve(held.Records(), "example.com", []byte(new)), Options{}))
			if !reflect.DeepEqual(is, want) {
				t.Fatalf("round %d: %d items, want %d\n%s\n%s", round, len(is), len(want), old, new)
			}
		}
	}
}

// TestHoldLimit checks that a site that is too large is detected before it fills the memory.
func TestHoldLimit(t *testing.T) {
	long := strings.Repeat("a", 1000)
	var given int
	records := func(yield func(audit.Record, error) bool) {
		if !yield(audit.Record{Site: &audit.Site{Name: "example.com"}}, nil) {
			return
		}
		for range 10_000 {
			given++
			if !yield(audit.Record{URLs: &audit.URLs{List: []audit.URL{{Loc: "https://example.com/" + long}}}}, nil) {
				return
			}
		}
	}
	if _, err := Hold(records, 1<<20); !errors.Is(err, ErrNotHeld) || given > 1100 {
		t.Fatalf("%v after %d batches", err, given)
	}
	broken := errors.New("broken")
	if _, err := Hold(func(yield func(audit.Record, error) bool) { yield(audit.Record{}, broken) }, 1<<20); !errors.Is(err, broken) {
		t.Fatal(err)
	}
}

// allOf are the items of a comparison, each its own.
func allOf(t *testing.T, items iter.Seq2[Item, error]) (all []Item) {
	for item, err := range items {
		noError(t, err)
		if item.Flip != nil {
			item.Flip = item.Flip.Clone()
		}
		if item.Begin != nil {
			item.Begin = nil // it is the Site, which follows
		}
		all = append(all, item)
	}
	return all
}

// withoutBody are records that lack the text of every robots.txt, with verdicts that were recorded.
func withoutBody(records iter.Seq2[audit.Record, error]) iter.Seq2[audit.Record, error] {
	return withURLs(replaced(records, func(r *audit.Robots) { r.File.Body = nil }), func(i int, u *audit.URL) {
		for c := range u.Verdicts {
			u.Verdicts[c], u.Lines[c] = engine.Verdict((i+c)%3), int32((i+c)%5)
		}
	})
}

// withClicks are records whose URLs have clicks, every third of them.
func withClicks(records iter.Seq2[audit.Record, error]) iter.Seq2[audit.Record, error] {
	records = withLogs(records)
	return withURLs(records, func(i int, u *audit.URL) {
		if i%3 == 0 {
			u.Weight = audit.Weight{Clicks: int64(i), ClicksGiven: true}
			u.Hits = []int64{int64(i % 7), 0, 2}
		}
	})
}

// withLogs are records of a site with access logs.
func withLogs(records iter.Seq2[audit.Record, error]) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		for rec, err := range records {
			if rec.Site != nil {
				site := *rec.Site
				site.Logs = &audit.LogPeriod{}
				rec.Site = &site
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// withURLs are records with changed URLs.
func withURLs(records iter.Seq2[audit.Record, error], change func(i int, u *audit.URL)) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		for rec, err := range records {
			if rec.URLs != nil {
				rec.URLs = rec.URLs.Clone()
				for i := range rec.URLs.List {
					change(i, &rec.URLs.List[i])
				}
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}
