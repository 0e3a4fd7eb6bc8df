package agent

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

var newer = flag.String("ranges", "", "a `folder` of newer lists: make ranges.txt of it")

// TestRangesText checks that ranges.txt is as this test makes it: sorted, with ranges joined.
func TestRangesText(t *testing.T) {
	lists := embeddedLists()
	if *newer != "" {
		if err := readFolder(*newer, lists); err != nil {
			t.Fatal(err)
		}
	}
	var text strings.Builder
	for line := range strings.Lines(rangesText) {
		if !strings.HasPrefix(line, "#") {
			break
		}
		text.WriteString(line)
	}
	for _, l := range lists {
		if l.day.IsZero() {
			continue
		}
		fmt.Fprintf(&text, "\n%s %s\n", l.name, l.day.Format(time.DateOnly))
		l.prefixes.Aggregate()
		for p := range l.prefixes.AllSorted() {
			if p.IsSingleIP() {
				fmt.Fprintln(&text, p.Addr())
			} else {
				fmt.Fprintln(&text, p)
			}
		}
	}
	if *newer != "" {
		if err := os.WriteFile("ranges.txt", []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if text.String() != rangesText {
		t.Error("ranges.txt is not sorted, or has ranges that can be joined: run go test ./audit/logs/agent -run TestRangesText -ranges DIR")
	}
}
