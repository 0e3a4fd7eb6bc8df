package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"robots-audit/cmd/internal/cli"
	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// diffContext is the number of lines around a change in a diff.
const diffContext = 3

// diffLine is a line of a diff: ' ' is in both texts, '-' is deleted, '+' is new.
type diffLine struct {
	mark byte
	text string // with its end
}

// writeDiff writes a unified diff of a file and its fixed text. It is exact, for patch. Only a terminal
// gets printable characters in place of others.
func writeDiff(out io.Writer, name string, body []byte, fixed engine.Fixed) error {
	if fixed.Edits == 0 {
		return nil
	}
	lines := diffLines(string(body), fixed)
	near := make([]bool, len(lines)) // to a change
	for i, l := range lines {
		for k := i - diffContext; l.mark != ' ' && k <= i+diffContext; k++ {
			if k >= 0 && k < len(near) {
				near[k] = true
			}
		}
	}
	b := bufio.NewWriter(out)
	fmt.Fprintf(b, "--- %s\n+++ %s\n", name, name)
	plain := cli.Terminal(out)
	for i, to, old, now := 0, 0, 0, 0; i < len(lines); i = to { // old and now: lines before this part
		olds, news := 0, 0
		for to = i; to < len(lines) && near[to] == near[i]; to++ {
			if lines[to].mark != '+' {
				olds++
			}
			if lines[to].mark != '-' {
				news++
			}
		}
		if near[i] {
			fmt.Fprintf(b, "@@ -%s +%s @@\n", diffRange(old, olds), diffRange(now, news))
			for _, l := range lines[i:to] {
				text, ends := strings.CutSuffix(l.text, "\n")
				if plain {
					text = escape.Printable(strings.TrimSuffix(text, "\r"))
				}
				fmt.Fprintf(b, "%c%s\n", l.mark, text)
				if !ends {
					fmt.Fprintln(b, "\\ No newline at end of file")
				}
			}
		}
		old, now = old+olds, now+news
	}
	return b.Flush()
}

// diffRange writes n lines that follow some others. Without lines, it names the last of the others.
func diffRange(before, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", before)
	case 1:
		return fmt.Sprint(before + 1)
	}
	return fmt.Sprintf("%d,%d", before+1, n)
}

// diffLines are the lines of both texts. Lines end with LF here, as in each diff, and a CR alone ends
// none: so a line may be several ones of the engine.
func diffLines(body string, fixed engine.Fixed) (lines []diffLine) {
	olds := strings.SplitAfter(body, "\n")
	var at []int // by line of the engine, that of olds
	for i, line := range olds {
		for range engineLines(line) {
			at = append(at, i)
		}
	}
	var added []diffLine
	next, line := 0, 0 // the next of olds, and of the engine
	deleteTo := func(to int) {
		for ; next < to; next++ {
			if olds[next] != "" { // behind the last line end
				lines = append(lines, diffLine{'-', olds[next]})
			}
		}
		lines, added = append(lines, added...), nil
	}
	for now := range strings.SplitAfterSeq(string(fixed.Body), "\n") {
		if now == "" {
			break
		}
		from := next
		if line < len(fixed.From) {
			from = max(next, at[fixed.From[line]-1])
		}
		line += engineLines(now)
		if from < len(olds) && olds[from] == now {
			deleteTo(from)
			lines = append(lines, diffLine{' ', now})
			next++
			continue
		}
		added = append(added, diffLine{'+', now})
	}
	deleteTo(len(olds))
	return lines
}

// engineLines is the number of lines of the engine in a line that ends with LF, or at the end.
func engineLines(line string) int {
	text, lf := strings.CutSuffix(line, "\n")
	text, cr := strings.CutSuffix(text, "\r")
	n := strings.Count(text, "\r")
	if lf || cr || text != "" && !strings.HasSuffix(text, "\r") {
		n++
	}
	return n
}
