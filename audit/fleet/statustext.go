package fleet

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// maxLines limits each list of sites in text.
const maxLines = 5

// table is a part of the text. A cell that begins with a tab is aligned to the right.
type table struct {
	title []string
	rows  [][]string
}

// WriteText writes the status for people, in lines of at most width columns (0 = 100).
func (s *Status) WriteText(w io.Writer, width int) error {
	if width <= 0 {
		width = 100
	}
	var out strings.Builder
	head := fmt.Sprintf("%s   %s   %s   %s sites/min", s.Time.Format("2006-01-02 15:04:05 UTC"), wording.Plural(len(s.Members), "worker"),
		wording.Plural(s.working(), "site")+" in progress", perMinute(s.PerMinute()))
	if left := s.Left(); left > 0 {
		head += "   done about " + s.clock(s.Time.Add(left))
	}
	fmt.Fprintln(&out, fit(head, width))
	for _, p := range s.Problems {
		broken(&out, "! "+p, width)
	}
	for _, m := range s.Members {
		if m.Problem != "" {
			broken(&out, "! "+m.Name+": "+m.Problem, width)
		}
	}
	for _, line := range s.notes() {
		broken(&out, line, width)
	}
	for _, t := range []table{s.runs(), s.members(), s.oldest(), s.slowest(), s.failures(), s.queues(), s.streams()} {
		t.write(&out, width)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func (s *Status) working() (n int) {
	for _, m := range s.Members {
		n += m.Working
	}
	return n
}

// notes are lines that are neither problems nor rows.
func (s *Status) notes() (lines []string) {
	if off := s.putOff(); off.Sites > 0 {
		line := wording.Plural(off.Sites, "site") + " wait for a retry, the next in " + short(off.Next.Sub(s.Time))
		if off.Last.After(off.Next) {
			line += ", the last in " + short(off.Last.Sub(s.Time))
		}
		lines = append(lines, line)
	}
	if line := s.waiting(); line != "" {
		lines = append(lines, line)
	}
	for _, m := range s.Members {
		if len(m.Runs) > 0 {
			return lines
		}
	}
	if s.only {
		return lines // it belongs to another run
	}
	for _, q := range s.Queues {
		if q.Stream == streamRuns && q.Waiting+uint64(q.Held) > 0 {
			return append(lines, "no run is in progress; "+wording.Plural(int(q.Waiting)+q.Held, "run")+" of the queue will start")
		}
	}
	if len(s.Members) > 0 {
		lines = append(lines, "the queue is empty. Add a run with robots-audit-fleet submit")
	}
	return lines
}

// waiting names sites that wait until no other worker can have them; "" = none.
func (s *Status) waiting() string {
	n, names := 0, []string{}
	for _, m := range s.Members {
		n += m.Waiting
		for _, w := range m.WaitingSites {
			names = append(names, w.Site)
		}
	}
	if s.only { // the other sites may be of any run
		n = len(names)
	}
	if n == 0 {
		return ""
	}
	slices.Sort(names)
	names = names[:min(len(names), maxLines)]
	if more := n - len(names); more > 0 {
		names = append(names, number(more)+" more")
	}
	return fmt.Sprintf("%s %s until no other worker can be working on %s: %s", wording.Plural(n, "site"), wording.Verb(n, "waits", "wait"), wording.Verb(n, "it", "them"), wording.And(names))
}

func (s *Status) putOff() (all PutOff) {
	for _, m := range s.Members {
		p := m.PutOff
		if p.Sites == 0 {
			continue
		}
		if all.Sites == 0 || p.Next.Before(all.Next) {
			all.Next = p.Next
		}
		if p.Last.After(all.Last) {
			all.Last = p.Last
		}
		all.Sites += p.Sites
	}
	return all
}

// clock is a future time, with its day if that is not today.
func (s *Status) clock(at time.Time) string {
	if at.Format(time.DateOnly) == s.Time.Format(time.DateOnly) {
		return at.Format("15:04")
	}
	return at.Format("2006-01-02 15:04")
}

func (s *Status) runs() table {
	t := table{title: []string{"RUN", "", "\tDONE", "\tOF", "\tQUEUED", "\tLEFT", "COORDINATOR"}}
	for _, m := range s.Members {
		for _, r := range m.Runs {
			left := "?"
			if d := s.LeftOf(&r); d > 0 {
				left = short(d)
			} else if r.Missing == 0 {
				left = "merging"
			}
			t.rows = append(t.rows, []string{r.Run, bar(r.Done, r.Sites), number(r.Done), number(r.Sites), number(r.Fed), left, m.Name})
		}
	}
	return t
}

// bar draws a share.
func bar(part, whole int) string {
	const cells = 16
	n := 0
	if whole > 0 {
		n = max(0, min(cells, part*cells/whole))
	}
	return strings.Repeat("█", n) + strings.Repeat("░", cells-n) + " " + wording.Percent(int64(part), int64(whole))
}

func (s *Status) queues() table {
	t := table{title: []string{"QUEUE", "\tWAITING", "\tACTIVE", "\tRETRIED", "\tOPEN REQUESTS"}}
	for _, q := range s.Queues {
		name := "runs"
		if q.Stream == streamJobs {
			region, _ := q.of()
			name = "sites " + region
		}
		if _, version := q.of(); version != "" {
			name += " " + shownLine(version)
		}
		t.rows = append(t.rows, []string{name, number(q.Waiting), number(q.Held), number(q.Redelivered), number(q.Pulls)})
	}
	return t
}

func (s *Status) members() table {
	t := table{title: []string{"WORKER", "REGION", "VERSION", "\tACTIVE", "\t/MIN", "\t5 MIN", "\tDONE", "\tUNKNOWN", "\tFAILED", "\tRETURNED", "\tUP"}}
	for _, m := range s.Members {
		t.rows = append(t.rows, []string{fit(m.Name, 20), fit(m.Region, 10), fit(m.Version, 9), number(m.Working), perMinute(m.PerMinute[0]), perMinute(m.PerMinute[1]),
			number(m.Done), number(m.Unknown), number(m.Failed), number(m.GivenBack), short(s.Time.Sub(m.Started))})
	}
	return t
}

func (s *Status) oldest() table {
	t := table{title: []string{"IN PROGRESS LONGEST", "\tFOR", "\tTRY", "RUN", "WORKER"}}
	type of struct {
		Working
		member string
	}
	var all []of
	for _, m := range s.Members {
		for _, w := range m.Oldest {
			all = append(all, of{w, m.Name})
		}
	}
	slices.SortStableFunc(all, func(a, b of) int { return a.Since.Compare(b.Since) })
	for _, w := range all[:min(len(all), maxLines)] {
		t.rows = append(t.rows, []string{w.Site, short(s.Time.Sub(w.Since)), number(w.Try), w.Run, w.member})
	}
	return t
}

func (s *Status) slowest() table {
	t := table{title: []string{"SLOWEST", "\tTOOK", "\tURLS", "RUN"}}
	var all []Finished
	for _, m := range s.Members {
		all = append(all, m.Slowest...)
	}
	slices.SortStableFunc(all, func(a, b Finished) int { return cmp.Compare(b.Millis, a.Millis) })
	for _, f := range all[:min(len(all), maxLines)] {
		t.rows = append(t.rows, []string{f.Site, short(time.Duration(f.Millis) * time.Millisecond), number(f.URLs), f.Run})
	}
	return t
}

func (s *Status) failures() table {
	t := table{title: []string{"FAILED OR UNKNOWN", "\tAGO", "\tTRY", "WHY"}}
	var all []Finished
	for _, m := range s.Members {
		all = append(all, m.Failures...)
	}
	slices.SortStableFunc(all, func(a, b Finished) int { return b.Ended.Compare(a.Ended) })
	for _, f := range all[:min(len(all), maxLines)] {
		t.rows = append(t.rows, []string{f.Site, short(s.Time.Sub(f.Ended)), number(f.Try), f.Why})
	}
	return t
}

func (s *Status) streams() table {
	t := table{title: []string{"STREAM", "\tMESSAGES", "\tMB", "\tREPLICAS", "LEADER", "LAGGING"}}
	for _, st := range s.Streams {
		t.rows = append(t.rows, []string{st.Name, number(st.Messages), fmt.Sprintf("%.1f", float64(st.Bytes)/1e6), number(st.Replicas), st.Leader, strings.Join(st.Lagging, " ")})
	}
	return t
}

// maxCell limits the width of a column, except the last.
const maxCell = 34

// write writes a table that has rows, after an empty line.
func (t table) write(out *strings.Builder, width int) {
	if len(t.rows) == 0 {
		return
	}
	widths := make([]int, len(t.title))
	right := make([]bool, len(t.title))
	for i := range t.title {
		t.title[i], right[i] = strings.CutPrefix(t.title[i], "\t")
	}
	lines := append([][]string{t.title}, t.rows...)
	for _, line := range lines {
		for i := range line {
			if i < len(line)-1 {
				line[i] = fit(line[i], maxCell)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(line[i]))
		}
	}
	out.WriteByte('\n')
	for _, line := range lines {
		var text strings.Builder
		for i, cell := range line {
			room := strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(cell)))
			if right[i] {
				text.WriteString(room + cell + "  ")
			} else {
				text.WriteString(cell + room + "  ")
			}
		}
		fmt.Fprintln(out, strings.TrimRight(fit(text.String(), width), " "))
	}
}

// broken wraps a text into lines that fit, at most three.
func broken(out *strings.Builder, text string, width int) {
	const rows = 3
	words := strings.Fields(fit(text, rows*width))
	line, row := "", 1
	for i, word := range words {
		if row < rows && i > 0 && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			fmt.Fprintln(out, fit(line, width))
			line, row = " ", row+1
		} else if i == 0 {
			line = word
			continue
		}
		line += " " + word
	}
	fmt.Fprintln(out, fit(line, width))
}

// fit escapes text for a terminal, and cuts it to a width.
func fit(text string, width int) string {
	text = strings.ReplaceAll(escape.Printable(text), "\t", " ")
	runes := []rune(strings.TrimRight(text, " "))
	if len(runes) > width {
		return string(runes[:width-1]) + "…"
	}
	return string(runes)
}

func number[N int | int64 | uint64](n N) string { return wording.Thousands(int64(n)) }

func perMinute(rate float64) string {
	if rate < 10 {
		return fmt.Sprintf("%.1f", rate)
	}
	return wording.Thousands(int64(rate))
}

// short is a duration in at most two units.
func short(d time.Duration) string {
	switch d = max(d, 0); {
	case d < time.Second:
		return fmt.Sprintf("%dms", d.Milliseconds())
	case d < 10*time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%dd%02dh", int(d.Hours())/24, int(d.Hours())%24)
}
