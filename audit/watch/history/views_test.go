package history

import (
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

//go:embed schema.sql
var tables string

// openTables returns a database with the tables alone.
func openTables(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	noError(t, err)
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	_, err = db.Exec(tables)
	noError(t, err)
	return db
}

const countViews = "SELECT count(*) FROM sqlite_master WHERE type = 'view'"

func makeViewsOf(t *testing.T, db *sql.DB) {
	t.Helper()
	noError(t, makeViews(t.Context(), db))
}

// The manual lists the columns of the views.
func TestViewColumns(t *testing.T) {
	db := openTables(t)
	makeViewsOf(t, db)
	if n := tableOf(t, db, countViews); n != fmt.Sprint(len(views)) || len(views) < 10 {
		t.Errorf("%s views, and %d are told of", n, len(views))
	}
	for _, v := range views {
		var told []string
		for _, c := range v.columns {
			if told = append(told, c.name); c.about == "" {
				t.Errorf("%s.%s: what is it?", v.name, c.name)
			}
		}
		if is := tableOf(t, db, "SELECT name FROM pragma_table_info(?)", v.name); is != strings.Join(told, "\n") {
			t.Errorf("%s has %q, and %q are told of", v.name, is, told)
		}
	}
}

// Views of another version of the program give way; those that are as they should be
// are let be, so that to open a history writes nothing.
func TestMakeViews(t *testing.T) {
	db := openTables(t)
	_, err := db.Exec(`CREATE VIEW runs AS SELECT 1 AS one; CREATE VIEW "of ""old" AS SELECT 2 AS two`)
	noError(t, err)
	makeViewsOf(t, db)
	const all = "SELECT name || sql FROM sqlite_master WHERE type = 'view' ORDER BY name"
	made := tableOf(t, db, all)
	if n := tableOf(t, db, countViews); n != fmt.Sprint(len(views)) {
		t.Errorf("%s views, want %d", n, len(views))
	}
	const written = "SELECT total_changes(), (SELECT schema_version FROM pragma_schema_version)"
	before := tableOf(t, db, written)
	makeViewsOf(t, db)
	if after := tableOf(t, db, written); after != before {
		t.Errorf("made anew: %s, %s", before, after)
	}
	if again := tableOf(t, db, all); made != again {
		t.Error("other views")
	}
	tx, err := db.Begin()
	noError(t, err)
	noError(t, errors.Join(dropViews(t.Context(), tx), tx.Commit()))
	if left := tableOf(t, db, all); left != "" {
		t.Errorf("left: %q", left)
	}
}
