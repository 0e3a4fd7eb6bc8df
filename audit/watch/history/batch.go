package history

import (
	"database/sql"
	"strings"
)

// batchRows are the rows that one statement enters at most: a statement costs more than a
// row, and with more rows nothing is gained.
const batchRows = 64

// batch holds rows until there are enough of them for one statement.
type batch struct {
	columns int
	args    []any        // of all rows
	stmts   [7]*sql.Stmt // of 64, 32, … rows, the last one of 1; nil until there is need of it
}

// addRow enters a row, together with those that come after it, and at the end of the run at the
// latest: until then its table must not be asked for it. Rows of one table keep their order.
// insert is an INSERT OR FAIL: a transaction with an error is given up as a whole, and so SQLite
// need not copy what one of its statements changes, to undo that alone.
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

// flush enters the rows that wait.
func (tx *Tx) flush() error {
	for insert, b := range tx.batches {
		if err := tx.flushBatch(insert, b); err != nil {
			return err
		}
	}
	return tx.flushServed()
}

// servedAgain enters, later, that a version which was there before is served in the run.
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

// flushBatch enters the rows of a batch, by statements of 64, 32, 16 … rows: there are few of them,
// and each is prepared once.
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
	clear(b.args) // what it holds may be large
	b.args = b.args[:0]
	return nil
}
