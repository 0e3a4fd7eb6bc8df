package compare

import (
	"slices"
	"testing"
	"time"

	"robots-audit/audit"
)

// TestWaiting looks up in the logs of earlier runs, of a day each, whether a crawler has read the
// robots.txt that the run at hour 24 saw first.
func TestWaiting(t *testing.T) {
	at := func(hour int) time.Time { return start.Add(time.Duration(hour) * time.Hour) }
	const none = -1 << 30
	logs := func(from, to, read int) *audit.Logs {
		c := audit.LogCrawler{Name: "Googlebot", Unknown: audit.LogTally{Requests: 1}}
		if read != none {
			c.Robots.Read = at(read)
		}
		return &audit.Logs{From: at(from), To: at(to), Crawlers: []audit.LogCrawler{c}, Versions: []audit.LogVersion{{First: at(-48)}, {Before: at(0), First: at(24)}}}
	}
	busy := func(l *audit.Logs) *audit.Logs { l.Crawlers[0].Unknown.Requests = 1000; return l }
	lost := func(l *audit.Logs) *audit.Logs { l.Limits = []audit.LogLimit{audit.LogLimitReads}; return l }
	cutOff := func(l *audit.Logs) *audit.Logs { l.Limits = []audit.LogLimit{audit.LogLimitFiles}; return l }
	day := func(n int) *audit.Logs { return logs(24*n+1, 24*n+23, none) }
	for _, test := range []struct {
		name    string
		newest  *audit.Logs
		earlier []*audit.Logs // newest first; nil = a run without logs
		want    bool
	}{
		{"no read in all days since", day(3), []*audit.Logs{day(2), day(1), day(0), logs(-23, -1, -5)}, true},
		{"no request for robots.txt in any log", day(3), []*audit.Logs{day(2), day(1), day(0)}, false},
		{"read between the two runs", day(3), []*audit.Logs{day(2), day(1), logs(1, 23, 20)}, false},
		{"read after the change", day(3), []*audit.Logs{day(2), logs(25, 47, 30), day(0)}, false},
		{"read now", logs(73, 95, 80), []*audit.Logs{day(2), day(1), day(0)}, false},
		{"a day is missing", day(3), []*audit.Logs{day(2), nil, day(0), logs(-23, -1, -5)}, false},
		{"the first days are missing", day(3), []*audit.Logs{day(2)}, false},
		{"two days are not over", day(2), []*audit.Logs{day(1), day(0), logs(-23, -1, -5)}, false},
		{"logs that overlap", logs(30, 95, none), []*audit.Logs{logs(6, 71, none), logs(-10, 47, -5)}, true},
		{"a change of long ago", day(30), []*audit.Logs{logs(-23, 720, -5)}, false},
		{"others only claim its name", func() *audit.Logs { l := day(3); l.Crawlers[0].Unknown.Requests = 0; return l }(), []*audit.Logs{day(2), day(1), day(0), logs(-23, -1, -5)}, false},
		{"the end of each day is missing", busy(day(3)), []*audit.Logs{busy(day(2)), busy(day(1)), busy(day(0)), busy(logs(-23, -1, -5))}, false},
		{"its last read may be missing", lost(day(3)), []*audit.Logs{day(2), day(1), day(0), logs(-23, -1, -5)}, false},
		{"its last read of an earlier day may be missing", day(3), []*audit.Logs{lost(day(2)), day(1), day(0), logs(-23, -1, -5)}, false},
		{"a log ends early", cutOff(day(3)), []*audit.Logs{day(2), day(1), day(0), logs(-23, -1, -5)}, false},
		{"a log of an earlier day ends early", day(3), []*audit.Logs{day(2), cutOff(day(1)), day(0), logs(-23, -1, -5)}, false},
	} {
		runs := slices.Collect(func(yield func(EarlierRun) bool) {
			for i, l := range test.earlier {
				started := at(24 * (3 - i))
				if l != nil {
					started = l.To.Add(time.Hour)
				}
				if !yield(EarlierRun{Started: started, Logs: func() (*audit.Logs, bool) { return l, true }}) {
					return
				}
			}
		})
		got := waiting(test.newest, &test.newest.Crawlers[0], func() []EarlierRun { return runs })
		if want := at(24); test.want && !got.Equal(want) || !test.want && !got.IsZero() {
			t.Errorf("%s: waits since %v", test.name, got)
		}
	}
}
