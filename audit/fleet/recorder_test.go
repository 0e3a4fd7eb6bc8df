package fleet

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/escape"
)

// TestRecorder checks the reports of a member about sites that begin, end, fail and are given back.
func TestRecorder(t *testing.T) {
	now := time.Date(2027, 1, 4, 6, 0, 0, 0, time.UTC)
	r := newRecorder(Member{Name: "w1"}, func() time.Time { return now })
	begin := func(name string) func(*Result) {
		return r.Begin(&Job{Run: "r", Site: audit.Domain{Name: name}}, 2)
	}
	for i := range 30 {
		end := begin(fmt.Sprint("done", i))
		now = now.Add(time.Duration(i%15) * time.Second)
		end(&Result{URLs: 5})
		end(&Result{URLs: 5}) // changes nothing
	}
	for i := range 25 {
		begin(fmt.Sprint("failed", i))(&Result{Failed: strings.Repeat("no answer", 100)})
	}
	begin("back")(nil)
	for i := range 30 {
		begin(fmt.Sprint("working", i))
		now = now.Add(time.Second)
	}
	r.Trouble("full")
	m := r.Member()
	if m.Done != 55 || m.Failed != 25 || m.GivenBack != 1 || m.Working != 30 || m.Problem != "full" {
		t.Errorf("%+v", m)
	}
	if len(m.Oldest) != 20 || m.Oldest[0].Site != "working0" || m.Oldest[0].Try != 2 {
		t.Errorf("%+v", m.Oldest)
	}
	if len(m.Slowest) != 10 || m.Slowest[0].Millis != 14_000 || m.Slowest[9].Millis != 10_000 {
		t.Errorf("%+v", m.Slowest)
	}
	if len(m.Failures) != 20 || m.Failures[0].Site != "failed24" || len(m.Failures[0].Why) > maxTextTold+len(escape.CutMark) {
		t.Errorf("%d %+v", len(m.Failures), m.Failures[0])
	}
	if m.PerMinute[0] < 25 || m.PerMinute[1] != 55/(240.0/60) {
		t.Errorf("%v", m.PerMinute)
	}
	now = now.Add(5 * time.Minute)
	if m := r.Member(); m.PerMinute != [2]float64{} {
		t.Errorf("%v", m.PerMinute)
	}
	for range 3 * maxPutOff {
		now = now.Add(putOffSlot * time.Second)
		r.PutOff(nil, now.Add(time.Hour))
	}
	if len(r.putOff) > maxPutOff+1 {
		t.Errorf("%d times are remembered", len(r.putOff))
	}
	if p := r.Member().PutOff; p.Sites != 3600/putOffSlot || p.Next != now.Add(putOffSlot*time.Second) || p.Last != now.Add(time.Hour) {
		t.Errorf("%+v at %v", p, now)
	}
}
