package history

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

//go:embed views.sql
var viewsSQL string

// view is a view over the tables, from views.sql.
type view struct {
	name    string
	about   string // the meaning of a row
	sql     string // CREATE VIEW …, without semicolon
	columns []viewColumn
}

// viewColumn is a column of a view, with its meaning.
type viewColumn struct{ name, about string }

// columnLine matches the line of a column: its name comes last, before comma and comment.
var columnLine = regexp.MustCompile(`^  .*?(\w+),?\s+-- (.*)$`)

// views are the views in the order of views.sql: their definition and their documentation are one text.
var views = parseViews(viewsSQL)

func parseViews(text string) (list []view) {
	for part := range strings.SplitSeq(text, "\n\n") {
		about, statement, ok := strings.Cut(part, "\nCREATE VIEW ")
		if !ok {
			continue // the head of the file
		}
		v := view{about: strings.TrimPrefix(about, "-- "), sql: "CREATE VIEW " + strings.TrimRight(statement, ";\n")}
		v.name, _, _ = strings.Cut(statement, " ")
		for line := range strings.SplitSeq(statement, "\n") {
			if m := columnLine.FindStringSubmatch(line); m != nil {
				v.columns = append(v.columns, viewColumn{m[1], m[2]})
			}
		}
		list = append(list, v)
	}
	return list
}

// laterIndexes are indexes and a table that version 1 did not have at first. alert_held allows
// several open alerts of one condition of a site, each with its own base: first, one was allowed.
// alert_ended finds those that ended lately. site_run_state counts the sites of a run by their state.
// flip_count_run finds the newly blocked sites of a run. alert_owner is a table that came later: who works on an alert.
// The version stays 1, because earlier programs can still use the file.
const laterIndexes = `DROP INDEX IF EXISTS alert_open;
CREATE UNIQUE INDEX IF NOT EXISTS alert_held ON alert (site, condition, coalesce(base_run, 0)) WHERE ended_run IS NULL;
CREATE INDEX IF NOT EXISTS alert_ended ON alert (ended) WHERE ended IS NOT NULL;
DROP INDEX IF EXISTS site_run_run;
CREATE INDEX IF NOT EXISTS site_run_state ON site_run (run, state);
CREATE INDEX IF NOT EXISTS flip_count_run ON flip_count (run, site, newly_blocked, newly_allowed);
` + ownerTable

const ownerTable = "CREATE TABLE IF NOT EXISTS alert_owner (alert TEXT PRIMARY KEY REFERENCES alert, owner TEXT NOT NULL) WITHOUT ROWID"

// makeViews creates this program's views of a history, and removes other ones. It writes nothing if
// they are already correct.
func makeViews(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, laterIndexes); err != nil {
		return err
	}
	there, err := readViews(ctx, tx)
	if err != nil {
		return err
	}
	missing := slices.DeleteFunc(slices.Clone(views), func(v view) bool {
		same := there[v.name] == v.sql
		if same {
			delete(there, v.name)
		}
		return same
	})
	for name := range there {
		if err := dropView(ctx, tx, name); err != nil {
			return err
		}
	}
	for _, v := range missing {
		if _, err := tx.ExecContext(ctx, v.sql); err != nil {
			return fmt.Errorf("view %s: %w", v.name, err)
		}
	}
	return tx.Commit()
}

// dropViews removes all views, so that they do not prevent a change of the tables.
func dropViews(ctx context.Context, tx *sql.Tx) error {
	there, err := readViews(ctx, tx)
	for name := range there {
		if err == nil {
			err = dropView(ctx, tx, name)
		}
	}
	return err
}

func dropView(ctx context.Context, tx *sql.Tx, name string) error {
	_, err := tx.ExecContext(ctx, `DROP VIEW "`+strings.ReplaceAll(name, `"`, `""`)+`"`)
	if err != nil {
		return fmt.Errorf("view %s: %w", name, err)
	}
	return nil
}

// readViews returns the views of a history, by name.
func readViews(ctx context.Context, tx *sql.Tx) (map[string]string, error) {
	type row struct{ name, sql string }
	rows, err := readAll(ctx, tx, func(r *row) []any { return []any{&r.name, &r.sql} }, "SELECT name, sql FROM sqlite_master WHERE type = 'view'")
	there := map[string]string{}
	for _, r := range rows {
		there[r.name] = r.sql
	}
	return there, err
}
