package history

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// checkFile returns an error for a file that SQLite would treat as an empty database.
func (db *DB) checkFile(info fs.FileInfo) error {
	if info.Size() == 0 {
		return fmt.Errorf("%s: %w (the file is empty)", db.file, ErrDamaged)
	}
	return nil
}

// checkVersion returns the version of the file; ErrNewer if this program does not know it yet.
func (db *DB) checkVersion(ctx context.Context) (int, error) {
	version, err := versionOf(ctx, db.read)
	switch ours := db.options.layout.version(); {
	case errors.Is(err, ErrDamaged):
		return 0, fmt.Errorf("%s: %w", db.file, err)
	case err != nil:
		return 0, db.explain(err)
	case version > ours:
		return 0, fmt.Errorf("%s: %w (its version is %d, this program's %d)", db.file, ErrNewer, version, ours)
	}
	return version, nil
}

// tryWrite returns an error if the file cannot be written, or another process is writing. To begin
// a transaction is not enough: SQLite allows that on a read-only file.
func (db *DB) tryWrite(ctx context.Context, version int) error {
	tx, err := db.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version))
	return err
}

// Check searches the whole file for damage; ErrDamaged if it finds any.
func (db *DB) Check(ctx context.Context) error {
	var found string
	if err := db.read.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found); err != nil {
		return db.explain(err)
	}
	if found != "ok" {
		return fmt.Errorf("%s: %w (%q)", db.file, ErrDamaged, found)
	}
	return nil
}
