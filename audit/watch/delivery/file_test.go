package delivery

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
)

// lines reads a file of JSON Lines: the ids of its messages.
func lines(t *testing.T, name string) (ids []string) {
	t.Helper()
	f, err := os.Open(name)
	noError(t, err)
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var m struct{ ID string }
		if err := json.Unmarshal(s.Bytes(), &m); err != nil {
			t.Fatalf("line %d: %v: %s", len(ids)+1, err, s.Text())
		}
		ids = append(ids, m.ID)
	}
	return ids
}

// TestFile tears the last line at each of its bytes, as a kill would, and delivers
// the message again.
func TestFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "alerts.jsonl")
	f := &File{Route: Route{Name: "file 1"}, Path: name}
	channels := []Channel{f}
	first := plan(t, channels, began, event("a.example", "AL01", compare.Critical, "a.example: blocked."))[0]
	second := plan(t, channels, began, blocked)[0]
	if tries, _ := send(t, newTable(first), channels, began); tries[0].State != Accepted {
		t.Fatalf("%+v", tries)
	}
	before, err := os.ReadFile(name)
	noError(t, err)
	if tries, _ := send(t, newTable(second), channels, began); tries[0].State != Accepted {
		t.Fatalf("%+v", tries)
	}
	both, err := os.ReadFile(name)
	noError(t, err)
	if ids := lines(t, name); len(ids) != 2 || ids[0] != first.ID || ids[1] != second.ID {
		t.Fatalf("ids %v", ids)
	}
	if !strings.Contains(string(both), `<b>bold</b>`) {
		t.Errorf("not as a person reads it: %s", both)
	}
	for at := len(before) + 1; at < len(both); at++ {
		if at > len(before)+70 && at < len(both)-70 && at%97 != 0 { // the middle by samples: each try is an fsync
			continue
		}
		noError(t, os.WriteFile(name, both[:at], 0o644))
		if tries, _ := send(t, newTable(second), channels, began); tries[0].State != Accepted {
			t.Fatalf("torn at %d: %+v", at, tries)
		}
		got, err := os.ReadFile(name)
		noError(t, err)
		want := string(both)
		if at == len(both)-1 { // the line lacks only its end: both lines stay, and readers drop one by its id
			want += string(both[len(before):])
		}
		if string(got) != want {
			t.Fatalf("torn at %d: %d bytes, want %d", at, len(got), len(want))
		}
	}
}

// A power cut may make a file longer, with zeros in place of any part of the last line. That line
// is removed, and the message is written again; lines before it stay.
func TestFileZeros(t *testing.T) {
	name := filepath.Join(t.TempDir(), "alerts.jsonl")
	channels := []Channel{&File{Route: Route{Name: "file 1"}, Path: name}}
	first := plan(t, channels, began, event("a.example", "AL01", compare.Critical, "a.example: blocked."))[0]
	second := plan(t, channels, began, blocked)[0]
	var wrote [3][]byte // after none, one, two
	for i, d := range []history.Delivery{first, second} {
		if tries, _ := send(t, newTable(d), channels, began); tries[0].State != Accepted {
			t.Fatalf("%+v", tries)
		}
		wrote[i+1], _ = os.ReadFile(name)
	}
	for kept, d := range []history.Delivery{first, second} {
		before, whole := wrote[kept], wrote[kept+1]
		last := len(whole) - len(before)
		for what, part := range map[string][2]int{"all": {0, last}, "begin": {0, last / 2}, "middle": {last / 3, last/3 + 1}, "end": {last / 2, last}, "all but the end": {0, last - 1}} {
			torn := append([]byte(nil), whole...)
			clear(torn[len(before)+part[0] : len(before)+part[1]])
			noError(t, os.WriteFile(name, torn, 0o600))
			if tries, _ := send(t, newTable(d), channels, began); tries[0].State != Accepted {
				t.Fatalf("%s: %+v", what, tries)
			}
			if got, _ := os.ReadFile(name); string(got) != string(whole) {
				t.Errorf("zeros in line %d, %s: %q", kept+1, what, got)
			}
		}
	}
}

// A link in place of the file, which another user may have made, is not followed.
func TestFileLinks(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	name := filepath.Join(dir, "alerts.jsonl")
	noError(t, os.WriteFile(filepath.Join(outside, "file"), []byte("theirs\n"), 0o600))
	for _, to := range []string{"file", "new", "."} {
		os.Remove(name)
		if err := os.Symlink(filepath.Join(outside, to), name); err != nil {
			t.Skip(err)
		}
		try := sendOne(t, &File{Route: Route{Name: "file 1"}, Path: name}, blocked)
		if try.State != Failed || !strings.Contains(try.Text, name) || !strings.Contains(try.Text, "Links") {
			t.Errorf("to %s: %+v", to, try)
		}
	}
	left, _ := os.ReadDir(outside)
	if text, _ := os.ReadFile(filepath.Join(outside, "file")); string(text) != "theirs\n" || len(left) != 1 {
		t.Errorf("outside: %q, %v", text, left)
	}
}

func TestFileFailures(t *testing.T) {
	dir := t.TempDir()
	long := filepath.Join(dir, "binary")
	if f, err := os.Create(long); err != nil || f.Truncate(maxTorn+1<<20) != nil || f.Close() != nil {
		t.Fatal(err)
	}
	_, none := os.Stat(filepath.Join(dir, "none", "x.jsonl"))
	for name, want := range map[string]string{
		filepath.Join(dir, "none", "x.jsonl"): errors.Unwrap(none).Error(),
		dir:                                   "is not a regular file",
		os.DevNull:                            "is not a regular file",
		long:                                  "It is not a file of alerts",
	} {
		try := sendOne(t, &File{Route: Route{Name: "file 1"}, Path: name}, blocked)
		if try.State != Failed || !strings.Contains(try.Text, want) || try.Next.Sub(began) > 2*time.Minute {
			t.Errorf("%s: %+v", name, try)
		}
	}
}
