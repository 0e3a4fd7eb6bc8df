package history

import "strings"

// batchRows are the rows that one statement enters at most: a statement costs more than a
// row, and with more rows nothing is gained.
const batchRows = 64

// batch holds rows until there are enough of them for one statement.
type batch struct {
	columns int
	args    []any // of all rows
}

// later enters a row, together with those that come after it, and at the end of the run at the
// latest: until then its table must not be asked for it. Rows of one table keep their order.
func (tx *Tx) later(insert string, row ...any) error {
	b := tx.batches[insert]
	if b == nil {
		b = &batch{columns: len(row), args: make([]any, 0, batchRows*len(row))}
		tx.batches[insert] = b
	}
	b.args = append(b.args, row...)
	if len(b.args) < batchRows*b.columns {
		return nil
	}
	return tx.enter(insert, b)
}

// enterAll enters the rows that wait.
func (tx *Tx) enterAll() error {
	for insert, b := range tx.batches {
		if err := tx.enter(insert, b); err != nil {
			return err
		}
	}
	return nil
}

// enter enters the rows of a batch, by statements of 64, 32, 16 … rows: there are few of them,
// and each is prepared once.
func (tx *Tx) enter(insert string, b *batch) error {
	row := "(" + strings.Repeat("?, ", b.columns-1) + "?)"
	args := b.args
	for rows := batchRows; rows > 0; rows /= 2 {
		for n := rows * b.columns; len(args) >= n; args = args[n:] {
			if err := tx.do(insert+" VALUES "+row+strings.Repeat(", "+row, rows-1), args[:n]...); err != nil {
				return err
			}
		}
	}
	clear(b.args) // what it holds may be large
	b.args = b.args[:0]
	return nil
}
