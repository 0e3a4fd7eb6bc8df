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
)

// lines reads a file of JSON Lines: the ids of its messages.
func lines(t *testing.T, name string) (ids []string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	if tries, _ := send(t, newTable(second), channels, began); tries[0].State != Accepted {
		t.Fatalf("%+v", tries)
	}
	both, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
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
		if err := os.WriteFile(name, both[:at], 0o644); err != nil {
			t.Fatal(err)
		}
		if tries, _ := send(t, newTable(second), channels, began); tries[0].State != Accepted {
			t.Fatalf("torn at %d: %+v", at, tries)
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want := string(both)
		if at == len(both)-1 { // the line is whole but for its end: both stay, and a reader drops one by its id
			want += string(both[len(before):])
		}
		if string(got) != want {
			t.Fatalf("torn at %d: %d bytes, want %d", at, len(got), len(want))
		}
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
		dir:                                   "is no regular file",
		os.DevNull:                            "is no regular file",
		long:                                  "it is not ours",
	} {
		channels := []Channel{&File{Route: Route{Name: "file 1"}, Path: name}}
		tries, _ := send(t, newTable(plan(t, channels, began, blocked)...), channels, began)
		if tries[0].State != Failed || !strings.Contains(tries[0].Text, want) || tries[0].Next.Sub(began) > 2*time.Minute {
			t.Errorf("%s: %+v", name, tries)
		}
	}
	if err := (&File{Route: Route{Name: "file 1"}}).Check(); err == nil {
		t.Error("a file without a path passes")
	}
}
