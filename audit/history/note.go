package history

import (
	"context"
	"database/sql"

	"robots-audit/audit"
)

// Notes returns what people wrote into the workbooks of a site, as it was entered last.
func (db *DB) Notes(ctx context.Context, site string) (map[audit.NoteKey]string, error) {
	rows, err := db.read.QueryContext(ctx, "SELECT kind, row_id, note FROM note WHERE site = (SELECT site FROM site WHERE name = ?)", site)
	if err != nil {
		return nil, db.explain(err)
	}
	notes := map[audit.NoteKey]string{}
	err = each(rows, func(rows *sql.Rows) error {
		var key audit.NoteKey
		var text string
		err := rows.Scan(&key.Kind, &key.ID, &text)
		notes[key] = text
		return err
	})
	return notes, db.explain(err)
}
