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

// view is a view over the tables, as views.sql has it.
type view struct {
	name    string
	about   string // what one row is
	sql     string // CREATE VIEW …, without semicolon
	columns []viewColumn
}

// viewColumn is a column of a view, and what it means.
type viewColumn struct{ name, about string }

// columnLine is a line of a column: its name comes last, before comma and comment.
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

// heldIndex lets several alerts of one condition of a site hold, each with its base. Version 1 of the
// tables let one; since earlier programs go on with the file as it is, it is version 1 still.
const heldIndex = `DROP INDEX IF EXISTS alert_open;
CREATE UNIQUE INDEX IF NOT EXISTS alert_held ON alert (site, condition, coalesce(base_run, 0)) WHERE ended_run IS NULL`

// makeViews makes the views of a history as this program has them, and takes out those
// that it does not know. Where they are so already, nothing is written.
func makeViews(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, heldIndex); err != nil {
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

// dropViews takes all views out, so that no view stands in the way of a change of the
// tables.
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

// readViews returns the views that a history has, by name.
func readViews(ctx context.Context, tx *sql.Tx) (map[string]string, error) {
	type row struct{ name, sql string }
	rows, err := readAll(ctx, tx, func(r *row) []any { return []any{&r.name, &r.sql} }, "SELECT name, sql FROM sqlite_master WHERE type = 'view'")
	there := map[string]string{}
	for _, r := range rows {
		there[r.name] = r.sql
	}
	return there, err
}
