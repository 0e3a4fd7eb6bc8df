package job

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
)

// The remains of a run that was killed before its first site ended are removed. A folder with any
// other file, or another name, stays.
func TestSweepEmpty(t *testing.T) {
	for name, c := range map[string]struct {
		run, file, text string
		stays           bool
	}{
		"empty":                  {run: "20261122T060000Z"},
		"its lock":               {run: "20261122T060000Z", file: ".robots-audit/lock"},
		"an empty journal":       {run: "20261122T060000Z", file: ".robots-audit/journal.jsonl"},
		"a temporary file":       {run: "20261122T060000Z", file: ".robots-audit/tmp/x", text: "part"},
		"what pages share":       {run: "20261122T060000Z", file: "pages/page-0c412c6de41d.css", text: "p {}"},
		"a page":                 {run: "20261122T060000Z", file: "pages/example.com.html", text: "<p>", stays: true},
		"a journal":              {run: "20261122T060000Z", file: ".robots-audit/journal.jsonl", text: "{}\n", stays: true},
		"records":                {run: "20261122T060000Z", file: "records/example.com.jsonl.zst", stays: true},
		"run.json":               {run: "20261122T060000Z", file: "run.json", text: "{}", stays: true},
		"a file of a person":     {run: "20261122T060000Z", file: "lock", stays: true},
		"another name":           {run: "old", stays: true},
		"no time":                {run: "20261322T060000Z", stays: true},
		"its tmp is a neighbour": {run: "20261122T060000Z", file: ".robots-audit/tmpx/x", stays: true},
	} {
		t.Run(name, func(t *testing.T) {
			j := &Job{Dir: t.TempDir(), Log: slog.New(slog.DiscardHandler)}
			dir := j.path(c.run)
			if err := os.MkdirAll(filepath.Join(dir, "records"), 0o755); err != nil {
				t.Fatal(err)
			}
			if c.file != "" {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, c.file)), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, c.file), []byte(c.text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := j.sweepEmpty(); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(dir); os.IsNotExist(err) == c.stays {
				t.Errorf("stays: %v, want %v (%v)", err == nil, c.stays, err)
			}
		})
	}
}
