// Command tealeg prints the cells of workbooks as tealeg/xlsx reads them.
package main

import (
	"encoding/json"
	"log"
	"os"

	"github.com/tealeg/xlsx/v3"
)

type sheet struct {
	Name string     `json:"name"`
	Rows [][]string `json:"rows"`
}

func main() {
	out := map[string][]sheet{}
	for _, name := range os.Args[1:] {
		f, err := xlsx.OpenFile(name)
		if err != nil {
			log.Fatalf("%s: %v", name, err)
		}
		for _, s := range f.Sheets {
			read := sheet{Name: s.Name}
			err := s.ForEachRow(func(r *xlsx.Row) error {
				var cells []string
				err := r.ForEachCell(func(c *xlsx.Cell) error {
					cells = append(cells, c.Value)
					return nil
				})
				read.Rows = append(read.Rows, cells)
				return err
			})
			if err != nil {
				log.Fatalf("%s: %s: %v", name, s.Name, err)
			}
			out[name] = append(out[name], read)
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		log.Fatal(err)
	}
}
