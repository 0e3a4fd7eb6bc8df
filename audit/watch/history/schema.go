package history

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
)

//go:embed *.sql
var texts embed.FS

// applicationID distinguishes a history from other SQLite files: "robt".
const applicationID = 0x726f6274

// layout is a version of the tables. steps are the scripts that create it: the first creates
// version 1, each other one upgrades from the previous version. A released step never changes.
type layout struct {
	steps []string
}

func (l layout) version() int { return len(l.steps) }

// current is the layout that this program writes.
var current = layout{steps: []string{step("schema.sql")}}

func step(name string) string {
	text, err := texts.ReadFile(name)
	if err != nil {
		panic(err) // cannot happen: it is embedded
	}
	return string(text)
}

// versionOf returns the version of a file's tables; ErrDamaged for an SQLite file that is not a
// history.
func versionOf(ctx context.Context, db *sql.DB) (version int, err error) {
	var id int64
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return 0, err
	}
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return 0, err
	}
	if id != applicationID || version < 1 {
		return 0, fmt.Errorf("%w (it is another database, or an empty one)", ErrDamaged)
	}
	return version, nil
}

// migrate upgrades a file from a version, in one transaction.
func (l layout) migrate(ctx context.Context, db *sql.DB, from int) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := dropViews(ctx, tx); err != nil { // Open creates them again
		return err
	}
	for i, text := range l.steps[from:] {
		if _, err := tx.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("version %d: %w", from+i+1, err)
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, l.version())); err != nil {
		return err
	}
	return tx.Commit()
}
