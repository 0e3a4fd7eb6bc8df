package clitest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/xuri/excelize/v2"
)

// Archived makes a ZIP of files, given as name and text in turn.
func Archived(files ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		if w, err := z.Create(files[i]); err == nil {
			io.WriteString(w, files[i+1])
		}
	}
	z.Close()
	return b.Bytes()
}

// SaveWorkbook writes a workbook; each sheet is a name, and rows with cells split by "|".
func SaveWorkbook(file string, sheets ...[]string) error {
	f := excelize.NewFile()
	defer f.Close()
	for i, sheet := range sheets {
		if i == 0 {
			f.SetSheetName("Sheet1", sheet[0])
		} else {
			f.NewSheet(sheet[0])
		}
		for n, row := range sheet[1:] {
			for c, cell := range strings.Split(row, "|") {
				at, _ := excelize.CoordinatesToCellName(c+1, n+1)
				if number := 0; cell != "" && strings.Trim(cell, "0123456789") == "" {
					fmt.Sscan(cell, &number)
					f.SetCellInt(sheet[0], at, int64(number))
				} else {
					f.SetCellStr(sheet[0], at, cell)
				}
			}
		}
	}
	return f.SaveAs(file)
}

// WriteExports writes the exports that indexed.txtar reads.
func WriteExports(dir string) error {
	rows := []string{"URL|Last crawled", "http://moved.example/old/2015/annual-report|2026-11-01", "http://moved.example/old/2016/annual-report|2026-11-01", "http://moved.example/team|2026-11-01", "http://other.example/|2026-11-01"}
	table := strings.ReplaceAll(strings.Join(rows, "\n"), "|", ",")
	for name, content := range map[string][]byte{
		"export.zip": Archived("Chart.csv", "Date,Affected pages\n2026-11-01,4\n", "Table.csv", table, "Metadata.csv", "Property,Value\nIssue,\"Indexed, though blocked by robots.txt\"\n"),
		"empty.zip":  Archived("readme.md", "http://moved.example/"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return err
		}
	}
	return SaveWorkbook(filepath.Join(dir, "export.xlsx"), []string{"Chart", "Date|Affected pages"}, append([]string{"Table"}, rows...))
}
