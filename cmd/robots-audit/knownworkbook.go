package main

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/xuri/excelize/v2"

	"robots-audit/audit"
)

// readWorkbook reads the sheet of a workbook that holds most URLs.
func (l archiveLimits) readWorkbook(file *os.File, z *zip.Reader, size int64, column string) (*audit.Known, error) {
	if size > l.workbook {
		return nil, fmt.Errorf("a workbook of more than %d MB: save the sheet as .csv", l.workbook>>20)
	}
	left := l.bytes
	for _, f := range z.File { // excelize passes over what is damaged
		in, err := l.open(f, &left)
		if err == nil {
			_, err = io.Copy(io.Discard, in)
			in.Close()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	book, err := excelize.OpenReader(io.NewSectionReader(file, 0, size), excelize.Options{RawCellValue: true, UnzipSizeLimit: l.bytes})
	if errors.Is(err, io.EOF) {
		err = errors.New("a part of it is missing")
	}
	if err != nil {
		return nil, fmt.Errorf("a workbook that cannot be read: %w", err)
	}
	defer book.Close()
	var choice tableChoice
	for _, sheet := range book.GetSheetList() {
		if err := choice.add("sheet "+sheet, func() (*audit.Known, error) { return audit.ReadKnownRows(rowsOf(book, sheet), column) }); err != nil {
			return nil, err
		}
	}
	if !choice.any {
		return nil, errors.New("a workbook without sheets")
	}
	return choice.best()
}

// rowsOf yields the rows of a sheet.
func rowsOf(book *excelize.File, sheet string) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		rows, err := book.Rows(sheet)
		if err != nil {
			yield(nil, err)
			return
		}
		defer rows.Close()
		for rows.Next() {
			if row, err := rows.Columns(); !yield(row, err) || err != nil {
				return
			}
		}
		if err := rows.Error(); err != nil {
			yield(nil, err)
		}
	}
}
