package audit

import (
	"strings"
	"testing"
)

// Additions of a newer version to records are ignored; a record of a new kind is an error with its
// line.
func TestDecodeNewer(t *testing.T) {
	var urls []string
	lines := `{"domain":"example.com","problem":{"code":"a","detail":"b","news":[1]},"news":{}}` + "\n" +
		`{"domain":"example.com","url":{"loc":"https://example.com/a","sm":0,"v":"d","l":[2],"news":"x"}}` + "\n"
	problems := 0
	for rec, err := range Decode(strings.NewReader(lines)) {
		switch {
		case err != nil:
			t.Fatal(err)
		case rec.Problem != nil:
			problems++
		case rec.URLs != nil:
			for _, u := range rec.URLs.List {
				urls = append(urls, u.Loc)
			}
		}
	}
	if problems != 1 || len(urls) != 1 || urls[0] != "https://example.com/a" {
		t.Errorf("%d problems, URLs %q", problems, urls)
	}
	var last error
	for _, err := range Decode(strings.NewReader(lines + `{"domain":"example.com","news":{"a":1}}` + "\n")) {
		last = err
	}
	if want := "audit: records, line 3: no record that this version knows"; last == nil || last.Error() != want {
		t.Errorf("got %v, want %s", last, want)
	}
}
