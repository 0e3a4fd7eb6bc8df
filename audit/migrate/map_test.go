package migrate

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit/table"
)

func TestReadMap(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string // pairs; nil = a *MapError
		problems   []string // "line: words in it"
	}{
		{"a header", "old,new,clicks\n/a,/b,12\n/c,https://x.example/d#e,\n", []string{"2 http://old.example.com/a https://new.example.com/b 12", "3 http://old.example.com/c https://x.example/d 0"}, nil},
		{"no header", "\uFEFF/a,/b\r\n\r\n\"/c,1\",/d\r\n", []string{"1 http://old.example.com/a https://new.example.com/b 0", "3 http://old.example.com/c,1 https://new.example.com/d 0"}, nil},
		{"columns in another order", "Clicks,New,Note,Old\n7,/b,x,/a\n", []string{"2 http://old.example.com/a https://new.example.com/b 7"}, nil},
		{"a chain is no circle", "/a,http://old.example.com/b\n/b,http://old.example.com/c\n", []string{"1 http://old.example.com/a http://old.example.com/b 0", "2 http://old.example.com/b http://old.example.com/c 0"}, nil},
		{"the same old URL", "/a,/b\n/c,/d\nHTTP://OLD.example.com:80/a#x,/e\n", nil, []string{"3: the same URL as in line 1"}},
		{"itself", "/a,http://old.example.com/a\n", nil, []string{"1: the new URL is the same as the old one"}},
		{"circles", "/x,http://old.example.com/a\n/a,http://old.example.com/b\n/b,http://old.example.com/c\n/c,http://old.example.com/a\n/q,http://old.example.com/r\n/r,http://old.example.com/q\n", nil,
			[]string{"2: back to the old one through line 3, 4", "5: back to the old one through line 6"}},
		{"Windows-1252", "/a,/b\n/caf\xe9,/c\n", []string{"1 http://old.example.com/a https://new.example.com/b 0", "2 http://old.example.com/caf%C3%A9 https://new.example.com/c 0"}, nil},
		{"UTF-16", "\xff\xfe/\x00a\x00,\x00/\x00b\x00", []string{"1 http://old.example.com/a https://new.example.com/b 0"}, nil},
		{"a workbook", "PK\x03\x04....", nil, []string{"1: workbook"}},
		{"one column", "old\n/a\n", nil, []string{"1: only one column"}},
		{"semicolons", "old;new\n/a;/b\n", []string{"2 http://old.example.com/a https://new.example.com/b 0"}, nil},
		{"the column new is missing", "old,clicks\n/a,1\n", nil, []string{"1: the column new is missing"}},
		{"titles of a plugin", "source,target,regex,hits\n/a,/b,0,1.234\n", []string{"2 http://old.example.com/a https://new.example.com/b 1234"}, nil},
		{"a regular expression", "source,target,regex\n/a/.*,/b,1\n", nil, []string{`2: "/a/.*" is a pattern, not a URL`}},
		{"unknown titles", "up,down\n/a,/b\n", nil, []string{`1: "up,down", or name the column, as in -column old=A`}},
		{"a short row", "old,new\n/a\n/b,/c\n", nil, []string{"2: 1 column, but"}},
		{"an empty URL", "old,new\n/a,\n,/b\n", nil, []string{"2: new: the cell is empty", "3: old: the cell is empty"}},
		{"clicks", "old,new,clicks\n/a,/b,many\n/c,/d,-1\n", nil, []string{`2: "many" is not a whole number`, `3: "-1" is not a whole number`}},
		{"no URL", "mailto:a,/b\nhttp://a b/,/c\n/d,https://\n", nil, []string{"1: old:", "2: old:", "3: new:"}},
		{"paths that begin with two slashes", "//a,//b\n", []string{"1 " + oldOrigin + "//a " + newOrigin + "//b 0"}, nil},
		{"a quotation mark", "/a,/b\n/c\"d,/e\n/a,/f\n", nil, []string{"3: the same URL as in line 1"}},
		{"a long line", "/a,/b\n\n/c," + strings.Repeat("x", 80_000) + "\n", nil, []string{"3: longer than 65536 bytes"}},
		{"a cell without an end", "/a,/b\n\"/c,/d\n" + strings.Repeat("/x,"+strings.Repeat("y", 1000)+"\n", 70), nil, []string{"2: longer than 65536 bytes, or with a quotation mark that is not closed", "69: new: ", "70: new: ", "71: new: ", "72: new: "}},
		{"nothing", "old,new\n", nil, []string{"1: the file has no pairs"}},
		{"an empty file", "", nil, []string{"1: the file has no pairs"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, err := ReadMap(mapFile(t, test.text), oldOrigin, newOrigin, table.Options{})
			var wrong *MapError
			if errors.As(err, &wrong) {
				var got []string
				for _, p := range wrong.Problems {
					got = append(got, fmt.Sprintf("%d: %s", p.Line, p.Text))
				}
				if len(got) != len(test.problems) {
					t.Fatalf("got %q, want %q", got, test.problems)
				}
				for i, want := range test.problems {
					line, words, _ := strings.Cut(want, ": ")
					if !strings.HasPrefix(got[i], line) || !strings.Contains(got[i], words) {
						t.Errorf("got %q, want %q", got[i], want)
					}
				}
				return
			}
			if err != nil || test.problems != nil {
				t.Fatalf("got %v, want %q", err, test.problems)
			}
			var got []string
			for p, err := range m.Pairs() {
				noError(t, err)
				got = append(got, fmt.Sprint(p.Line, " ", p.Old, " ", p.New, " ", p.Clicks))
			}
			if !slices.Equal(got, test.want) || int(m.Len) != len(test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestPathsWithoutHost names the flag that is missing.
func TestPathsWithoutHost(t *testing.T) {
	_, err := ReadMap(mapFile(t, "/a,/b\nhttps://a.example/,/b\n"), "", "", table.Options{})
	if err == nil || !strings.Contains(err.Error(), `map.csv:1: old: "/a" is a path. Name its host with -old-host`) || !strings.Contains(err.Error(), `map.csv:2: new: "/b" is a path. Name its host with -new-host`) {
		t.Errorf("got %v", err)
	}
}

// TestManyProblems names the first lines, and counts the others.
func TestManyProblems(t *testing.T) {
	_, err := ReadMap(mapFile(t, strings.Repeat("/a,/b\n", 1000)), oldOrigin, newOrigin, table.Options{})
	var wrong *MapError
	if !errors.As(err, &wrong) || len(wrong.Problems) != maxProblems || wrong.More != 999-maxProblems || !strings.Contains(err.Error(), "949 problems more") {
		t.Errorf("got %v", err)
	}
}

// TestChangedMap does not take a map for the one that was checked, once it is another.
func TestChangedMap(t *testing.T) {
	name := mapFile(t, "/a,/b\n/c,/d\n")
	m, err := ReadMap(name, oldOrigin, newOrigin, table.Options{})
	noError(t, err)
	noError(t, os.WriteFile(name, []byte("/a,/b\n/c,/e\n"), 0o666))
	var last error
	for _, err := range m.Pairs() {
		last = err
	}
	if last == nil || !strings.Contains(last.Error(), "changed") {
		t.Errorf("got %v", last)
	}
}

// TestSources counts the old URLs of each target.
func TestSources(t *testing.T) {
	m := openMap(t, "/a,/x\n/b,/x\n/c,/y\n/d,/x\n")
	for path, want := range map[string]int{"/x": 3, "/y": 1} {
		if got := m.Sources(newOrigin + path); got != want {
			t.Errorf("%s: got %d, want %d", path, got, want)
		}
	}
	if got := m.NewOrigins(); !slices.Equal(got, []string{newOrigin}) {
		t.Errorf("got %q", got)
	}
}

// The host with the most URLs determines the duration of a check, since it is asked for them one by
// one.
func TestBusiest(t *testing.T) {
	m := openMap(t, "/a,/x\n/b,/x\n/c,http://third.example/y\nhttp://other.example/d,/z\n")
	if host, urls := m.Busiest(); host != "old.example.com" || urls != 3 {
		t.Errorf("%s with %d URLs, want old.example.com with 3", host, urls)
	}
	m = openMap(t, "/a,"+oldOrigin+"/b\nhttp://other.example/d,/z\nhttp://third.example/e,"+oldOrigin+"/f\n")
	if host, urls := m.Busiest(); host != "old.example.com" || urls != 3 {
		t.Errorf("within one host: %s with %d URLs, want old.example.com with 3", host, urls)
	}
}

func TestImportant(t *testing.T) {
	list, err := ReadImportant("important.csv", []byte("url,why\n/a,\"top\"\n# old\n\nhttps://new.example.com/y\n/not-mapped\n"), oldOrigin, table.Options{})
	noError(t, err)
	m := openMap(t, "/a,/x\n/b,/y\n/c,/z\n")
	var got []bool
	for p := range m.Pairs() {
		got = append(got, list.has(&p))
	}
	unmapped, err := list.Unmapped(m)
	if err != nil || !slices.Equal(got, []bool{true, true, false}) || !slices.Equal(unmapped, []string{oldOrigin + "/not-mapped"}) {
		t.Errorf("got %v, %q, %v", got, unmapped, err)
	}
	_, err = ReadImportant("important.csv", []byte("/a\nnonsense\n"), "", table.Options{})
	if err == nil || !strings.Contains(err.Error(), "important.csv:1: ") || !strings.Contains(err.Error(), "important.csv:2: ") {
		t.Errorf("got %v", err)
	}
}
