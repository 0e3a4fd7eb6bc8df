package history

import (
	"database/sql"
	"strings"
)

// batchRows is the maximum number of rows that one statement enters. A statement costs more than a
// row, but more rows bring no gain.
const batchRows = 64

// batch collects rows for one statement.
type batch struct {
	columns int
	args    []any        // of all rows
	stmts   [7]*sql.Stmt // for 64, 32, … rows, the last one for 1; nil until needed
}

// addRow enters a row, together with later ones, at the end of the run at the latest. Do not query
// its table before that. Rows of one table keep their order. insert is an INSERT OR FAIL: a
// transaction with an error is abandoned as a whole, so SQLite need not be able to undo one
// statement.
func (tx *Tx) addRow(insert string, row ...any) error {
	b := tx.batches[insert]
	if b == nil {
		b = &batch{columns: len(row), args: make([]any, 0, batchRows*len(row))}
		tx.batches[insert] = b
	}
	b.args = append(b.args, row...)
	if len(b.args) < batchRows*b.columns {
		return nil
	}
	return tx.flushBatch(insert, b)
}

// flush enters the waiting rows.
func (tx *Tx) flush() error {
	for insert, b := range tx.batches {
		if err := tx.flushBatch(insert, b); err != nil {
			return err
		}
	}
	return tx.flushServed()
}

// servedAgain records, later, that the run serves an earlier version again.
func (tx *Tx) servedAgain(version int64) error {
	tx.again = append(tx.again, version)
	if len(tx.again) < batchRows {
		return nil
	}
	return tx.flushServed()
}

func (tx *Tx) flushServed() error {
	if len(tx.again) == 0 {
		return nil
	}
	err := tx.do("UPDATE OR FAIL robots_version SET last_run = ? WHERE version IN (?"+strings.Repeat(", ?", len(tx.again)-1)+")", append([]any{tx.run}, tx.again...)...)
	tx.again = tx.again[:0]
	return err
}

// flushBatch enters the rows of a batch, by statements for 64, 32, 16 … rows: they are few, and
// each is prepared once.
func (tx *Tx) flushBatch(insert string, b *batch) (err error) {
	args := b.args
	for i := range b.stmts {
		rows := batchRows >> i
		for n := rows * b.columns; len(args) >= n; args = args[n:] {
			if b.stmts[i] == nil {
				row := "(" + strings.Repeat("?, ", b.columns-1) + "?)"
				if b.stmts[i], err = tx.stmt(insert + " VALUES " + row + strings.Repeat(", "+row, rows-1)); err != nil {
					return err
				}
			}
			if _, err := b.stmts[i].ExecContext(tx.quiet, args[:n]...); err != nil {
				return tx.db.explain(err)
			}
		}
	}
	clear(b.args) // the values may be large
	b.args = b.args[:0]
	return nil
}
