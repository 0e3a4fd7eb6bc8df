package history

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestChild is what other processes do; it is run by other tests.
func TestChild(t *testing.T) {
	role := os.Getenv("HISTORY_CHILD")
	if role == "" {
		t.Skip("run by other tests")
	}
	roles[role](t, os.Getenv("HISTORY_DIR"))
}

var roles = map[string]func(*testing.T, string){"locked": childOpens, "full": childFills, "little room": childMakes, "killed": childEnters}

// childMakes makes a history where there is room for a part of it, and again where there is room for all.
func childMakes(t *testing.T, dir string) {
	made, full := 0, 0
	for room := 4 << 10; made < 3; room += 12 << 10 {
		at := filepath.Join(dir, fmt.Sprint(room))
		noError(t, os.Mkdir(at, 0o755))
		if err := mountSmall(at, room); err != nil {
			fmt.Println("cannot mount:", err)
			return
		}
		db, err := open(t.Context(), at, quick)
		switch {
		case err == nil:
			made++
			db.Close()
		case errors.Is(err, syscall.ENOSPC):
			full++
		default:
			fmt.Printf("%d bytes: %v\n", room, err)
		}
		noError(t, growSmall(at, 4<<20))
		if db, err = open(t.Context(), at, quick); err != nil {
			fmt.Printf("%d bytes, and then more: %v\n", room, err)
			continue
		}
		db.Close()
	}
	fmt.Println("never half of one:", full > 5)
}

func word(err error) string {
	for word, is := range map[string]error{"locked": ErrLocked, "read-only": ErrReadOnly, "full": syscall.ENOSPC} {
		if errors.Is(err, is) {
			return fmt.Sprintf("%s (%v)", word, err)
		}
	}
	return fmt.Sprint(err)
}

// childOpens opens a history in all ways.
func childOpens(t *testing.T, dir string) {
	ctx := t.Context()
	if db, err := open(ctx, dir, quick); err != nil {
		fmt.Println("open:", word(err))
	} else {
		fmt.Println("open: fine")
		db.Close()
	}
	if db, err := openReader(ctx, dir, quick); err != nil {
		fmt.Println("reader:", word(err))
	} else {
		runs, err := db.Runs(ctx)
		fmt.Printf("reader: %d runs %v\n", len(runs), err)
		if _, err := db.Begin(ctx); errors.Is(err, ErrReadOnly) {
			fmt.Println("reader: enters nothing")
		}
		db.Close()
	}
	db, err := openBeside(ctx, dir, quick)
	if err == nil {
		err = db.Acknowledge(ctx, []string{"a"}, day0, day0, "from beside")
		db.Close()
	}
	if err == nil {
		fmt.Println("beside: acknowledged")
	} else {
		fmt.Println("beside:", word(err))
	}
}

// childFills fills a file system of its own.
func childFills(t *testing.T, dir string) {
	ctx := t.Context()
	if err := mountSmall(dir, 3<<20); err != nil {
		fmt.Println("cannot mount:", err)
		return
	}
	db, err := open(ctx, dir, quick)
	noError(t, err)
	entries := func(n int) (list []Entry) {
		for i := range 20 {
			list = append(list, Entry{Site: Site{Name: fmt.Sprint(i), SHA256: fmt.Sprint(n), Body: make([]byte, 10_000)}})
		}
		return list
	}
	entered := 0
	for err == nil && entered < 100 {
		if err = db.update(ctx, func(tx *Tx) error { return enterIn(ctx, tx, testRun(entered, ""), entries(entered)...) }); err == nil {
			entered++
		}
	}
	fmt.Println("entered:", word(err))
	var runs, sites int
	if err := db.read.QueryRow("SELECT (SELECT count(*) FROM run), (SELECT count(*) FROM site_run)").Scan(&runs, &sites); err == nil && entered > 0 && runs == entered && sites == 20*entered {
		fmt.Println("whole runs only")
	} else {
		fmt.Println(entered, runs, sites, err)
	}
	fmt.Println("closed:", db.Close())
	fill, err := os.Create(filepath.Join(dir, "fill"))
	noError(t, err)
	for err == nil {
		_, err = fill.Write(make([]byte, 1000))
	}
	fill.Close()
	err = os.MkdirAll(filepath.Join(dir, "second"), 0o755)
	if err == nil {
		_, err = open(ctx, filepath.Join(dir, "second"), quick)
	}
	fmt.Println("folder and file:", word(err))
	os.Remove(fill.Name())
	db, err = open(ctx, dir, quick)
	if err == nil {
		err = db.Check(ctx)
	}
	if err == nil {
		fmt.Println("goes on")
	} else {
		fmt.Println(err)
	}
}

// childEnters enters runs of 50 sites until it is killed, and reports each commit.
func childEnters(t *testing.T, dir string) {
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	db, err := Open(ctx, dir)
	noError(t, err)
	runs, err := db.Runs(ctx)
	noError(t, err)
	for n := len(runs); ctx.Err() == nil; n++ {
		noError(t, db.update(ctx, func(tx *Tx) error {
			var entries []Entry
			for i := range killedSites {
				entries = append(entries, Entry{Settled: true, Site: Site{Name: fmt.Sprint(i), SHA256: fmt.Sprint(n), Body: make([]byte, 2000), Crawlers: []Crawler{{"Googlebot", 1}},
					Rules: []Rule{{fmt.Sprint(n), "*", "disallow: /", 1}}, URLs: []Blocked{{ID: fmt.Sprint(n), Crawler: "Googlebot"}}}})
			}
			return errors.Join(enterIn(ctx, tx, testRun(n, ""), entries...), tx.SaveAlert(Alert{ID: fmt.Sprint(n), Site: "0", Condition: fmt.Sprint(n), Raised: runID(n)}))
		}))
		os.Stdout.WriteString(runID(n) + "\n")
	}
}

const killedSites = 50
