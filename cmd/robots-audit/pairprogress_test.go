package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/migrate"
	"robots-audit/cmd/internal/cli"
)

// The expected duration of a long migration check is logged before the first request. Later it is
// estimated from the pace, also if an earlier check has done a part.
func TestPairForecast(t *testing.T) {
	var text bytes.Buffer
	log := slog.New(slog.NewTextHandler(&text, nil))
	on := &cli.Screen{W: &text}
	p := newPairProgress(false, on, log, 2000, 0)
	p.forecast("old.example", 99, 0)
	if text.Len() > 0 {
		t.Errorf("of ten seconds: %s", &text)
	}
	p.forecast("old.example", 2000, 0)
	want := `"each host gets one request at a time" host=old.example urls=2000 about=3m20s if_an_answer_takes=100ms`
	if !strings.Contains(text.String(), want) {
		t.Errorf("%s\nwant %s", &text, want)
	}
	text.Reset()
	p = newPairProgress(false, on, log, 2000, 1000)
	if p.forecast("old.example", 2000, 900*time.Millisecond); !strings.Contains(text.String(), "urls=1000 about=16m40s") {
		t.Errorf("half is done, and a second apart: %s", &text)
	}
	text.Reset()
	p.done = 1499
	p.next = p.began
	if p.add(&migrate.Result{}); !strings.Contains(text.String(), "pairs=1500 of=2000") || !strings.Contains(text.String(), "left=") {
		t.Errorf("the first line: %s", &text)
	}
	if left := p.left(p.began.Add(time.Minute)); left != time.Minute {
		t.Errorf("500 of 1,000 in a minute: %s are left", left)
	}
	text.Reset()
	if newPairProgress(true, on, log, 2000, 0).forecast("old.example", 2000, 0); text.Len() > 0 {
		t.Errorf("-quiet: %s", &text)
	}
}
