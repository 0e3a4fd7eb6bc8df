package table

import (
	"slices"
	"strings"
	"testing"
)

// TestDecimalCommas reads a long table with a decimal comma in each row: titles show its delimiter,
// however often another one occurs.
func TestDecimalCommas(t *testing.T) {
	for _, titles := range []string{"Alte URL;Neue URL;CTR\n", ""} {
		text := titles + strings.Repeat("https://a.example/1;https://a.example/2;5,2%\n", 50)
		file, err := Read(strings.NewReader(text), Options{Table: true, Want: []Meaning{Old, New}})
		if err != nil {
			t.Fatal(err)
		}
		for row, err := range file.Table().Rows() {
			if err != nil || len(row.Cells) != 3 {
				t.Fatalf("%q, %v", row.Cells, err)
			}
		}
		file.Close()
	}
}

// TestSameMeaning reads an export in Turkish to which a column was added: of two titles of new URLs, the
// one with URLs counts.
func TestSameMeaning(t *testing.T) {
	file, err := Read(strings.NewReader("Sayfa;TO;Yeni URL\n/a;5,2%;/b\n"), Options{Table: true, Want: []Meaning{Old, New}})
	if err != nil || file.Table().Column(New) != 2 {
		t.Fatalf("%v, column %d", err, file.Table().Column(New))
	}
}

// TestTitlesAfterRows tests that no word in a list makes a row of titles of it: the rows above would
// be lost.
func TestTitlesAfterRows(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string // the first cells
	}{
		"list":       {"https://a.example/1\nhttps://a.example/2\nlink\nhttps://a.example/3\n", []string{"https://a.example/1", "https://a.example/2", "link", "https://a.example/3"}},
		"sites":      {"a.example;shop\nb.example;website\nhttp://c.example:8080;old\n", []string{"a.example", "b.example", "http://c.example:8080"}},
		"one column": {"URL\nhttps://a.example/x,y\nhttps://a.example/x;y\n", []string{"https://a.example/x,y", "https://a.example/x;y"}},
		"text above": {"Pages\n\nURL,Clicks\nhttps://a.example/1,2\n", []string{"https://a.example/1"}},
		"site above": {"https://a.example/\n\nURL,Clicks\nhttps://a.example/1,2\n", []string{"https://a.example/1"}},
	} {
		file, err := Read(strings.NewReader(test.text), Options{Want: []Meaning{URL}})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got []string
		for row, err := range file.Table().Rows() {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got = append(got, row.Cells[0])
		}
		if file.Close(); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
