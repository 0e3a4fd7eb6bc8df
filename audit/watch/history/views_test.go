package history

import (
	"database/sql"
	_ "embed"
	"errors"
	"slices"
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
	if _, err := db.Exec(tables); err != nil {
		t.Fatal(err)
	}
	return db
}

func makeViewsOf(t *testing.T, db *sql.DB) {
	t.Helper()
	noError(t, makeViews(t.Context(), db))
}

func columnOf(t *testing.T, db *sql.DB, query string, args ...any) (list []string) {
	t.Helper()
	rows, err := db.Query(query, args...)
	noError(t, err)
	defer rows.Close()
	for rows.Next() {
		var text string
		noError(t, rows.Scan(&text))
		list = append(list, text)
	}
	noError(t, rows.Err())
	return list
}

// The manual tells the columns that the views have.
func TestViewColumns(t *testing.T) {
	db := openTables(t)
	makeViewsOf(t, db)
	if n := len(columnOf(t, db, "SELECT name FROM sqlite_master WHERE type = 'view'")); n != len(views) || n < 10 {
		t.Errorf("%d views, and %d are told of", n, len(views))
	}
	for _, v := range views {
		var told []string
		for _, c := range v.columns {
			if told = append(told, c.name); c.about == "" {
				t.Errorf("%s.%s: what is it?", v.name, c.name)
			}
		}
		if is := columnOf(t, db, "SELECT name FROM pragma_table_info(?)", v.name); !slices.Equal(is, told) {
			t.Errorf("%s has %q, and %q are told of", v.name, is, told)
		}
	}
}

// Views of another version of the program give way; those that are as they should be
// are let be, so that to open a history writes nothing.
func TestMakeViews(t *testing.T) {
	db := openTables(t)
	if _, err := db.Exec(`CREATE VIEW runs AS SELECT 1 AS one; CREATE VIEW "of ""old" AS SELECT 2 AS two`); err != nil {
		t.Fatal(err)
	}
	makeViewsOf(t, db)
	const all = "SELECT name || sql FROM sqlite_master WHERE type = 'view' ORDER BY name"
	made := columnOf(t, db, all)
	if len(made) != len(views) {
		t.Errorf("%d views, want %d", len(made), len(views))
	}
	var changes, after int
	db.QueryRow("SELECT total_changes()").Scan(&changes)
	version := columnOf(t, db, "PRAGMA schema_version")
	makeViewsOf(t, db)
	db.QueryRow("SELECT total_changes()").Scan(&after)
	if again := columnOf(t, db, "PRAGMA schema_version"); !slices.Equal(version, again) || changes != after {
		t.Errorf("made anew: %s, %s", version, again)
	}
	if again := columnOf(t, db, all); !slices.Equal(made, again) {
		t.Error("other views")
	}
	tx, err := db.Begin()
	noError(t, err)
	noError(t, errors.Join(dropViews(t.Context(), tx), tx.Commit()))
	if left := columnOf(t, db, all); left != nil {
		t.Errorf("left: %q", left)
	}
}
