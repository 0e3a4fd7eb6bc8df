package history

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
)

// names are the columns with numbers of rows of other tables, with the expressions that replace
// them. Numbers depend on the order of entering, names do not.
var names = map[string]string{
	"site":    "(SELECT name FROM site WHERE site = t.site)",
	"crawler": "(SELECT label FROM crawler WHERE crawler = t.crawler)",
	"version": "(SELECT sha256 FROM robots_version WHERE version = t.version)",
	"run":     nameOfRun("run"), "first_run": nameOfRun("first_run"), "last_run": nameOfRun("last_run"), "gone_run": nameOfRun("gone_run"),
	"since_run": nameOfRun("since_run"), "until_run": nameOfRun("until_run"),
	"base_run": nameOfRun("base_run"), "raised_run": nameOfRun("raised_run"), "ended_run": nameOfRun("ended_run"),
}

func nameOfRun(column string) string { return "(SELECT id FROM run WHERE run = t." + column + ")" }

// Dump writes all rows of all tables as text, one per line, sorted within each table, with names
// instead of numbers. Two histories with the same content have the same dump. It keeps one table in
// memory at a time.
func (db *DB) Dump(ctx context.Context, w io.Writer) error {
	tables, err := list(ctx, db, textField, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	for _, table := range tables {
		columns, err := list(ctx, db, textField, "SELECT name FROM pragma_table_info(?) ORDER BY cid", table)
		if err != nil {
			return err
		}
		var fields []string
		for _, column := range columns {
			fields = append(fields, "quote("+cmp.Or(names[column], "t."+column)+")")
		}
		rows, err := list(ctx, db, textField, fmt.Sprintf("SELECT concat_ws(' ', %s) FROM %s AS t", strings.Join(fields, ", "), table))
		if err != nil {
			return err
		}
		slices.Sort(rows)
		for _, row := range rows {
			fmt.Fprintln(out, table, row)
		}
	}
	return out.Flush()
}
