package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// TestHostileMember: messages from an attacker with a worker's password cost no run and no memory:
// unknown sites, invalid jobs and runs, answers without limits.
func TestHostileMember(t *testing.T) {
	t.Parallel()
	c := testBucketFleet(t, time.Minute)
	list := names(20)
	submit(t, c, "whole", list)
	say := func(subject, text string) {
		t.Helper()
		_, err := c.JS.Publish(t.Context(), subject, []byte(text))
		noError(t, err)
	}
	for i, text := range []string{"", "}{", "{}", `{"run":"../../x","n":1,"site":{"name":"a.example"}}`, `{"run":"nobody","n":-1,"site":{"name":"a.example"}}`} {
		say(jobSubject("default", fmt.Sprintf("none%d.example", i)), text)
	}
	say(jobSubject("default", "other.example"), `{"run":"whole","n":3,"site":{"name":"other.example","host":"other.example"}}`) // in the place of the fourth
	say(runSubject("fake", ""), `{"id":"../../x","region":"default","sites":5}`)
	say(runSubject("huge", ""), `{"id":"huge","region":"default","sites":4000000000000}`)
	w := testWorker(c, "w1", &testWork{site: func(_ context.Context, job *Job, _ func() error) (*Finding, error) { return named(job) }})
	w.Region, w.Retry.Tries = "default", 2
	start(t, w)
	coordinate(t, &Coordinator{Conn: c, Name: "c1", Runs: 3, Merge: &sitesMerge{c: c}})
	wait(t, c, "whole")
	checkMerged(t, c, "whole", list)

	large, err := json.Marshal(Member{Name: "large", Problem: strings.Repeat("x", 900<<10)})
	noError(t, err)
	answers, err := c.NATS.Subscribe(whoSubject, func(m *nats.Msg) {
		for range 50 {
			m.Respond(large)
		}
		m.Respond([]byte(`{"name":"\u001b[2J","slots":-5,"working":-7,"runs":[{"run":"x","sites":-1,"done":9}]}`))
	})
	noError(t, err)
	defer answers.Unsubscribe()
	members, err := Who(t.Context(), c, time.Second)
	noError(t, err)
	for _, m := range members {
		if m.Name == "large" {
			t.Error("an answer of 900 kB was taken")
			break
		}
	}
	var text strings.Builder
	if err := (&Status{Members: members, Time: time.Now()}).WriteText(&text, 100); err != nil || strings.Contains(text.String(), "\x1b") {
		t.Errorf("%v: %q", err, &text)
	}
}
