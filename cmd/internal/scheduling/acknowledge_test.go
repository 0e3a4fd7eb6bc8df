package scheduling

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/watch/history"
	"robots-audit/cmd/internal/cli"
)

var testNow = time.Date(2026, 11, 10, 8, 0, 0, 0, time.UTC)

// alertsFolder is the folder of a configuration and a history with open alerts of two runs.
func alertsFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"config.toml": "[history]\ndir = \"history\"\n[[schedule]]\nname = \"shops\"\ncron = \"@daily\"\ndomains = \"list\"\n",
		"list":        "shop.example\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	db, err := history.Open(t.Context(), filepath.Join(dir, "history"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	for day, run := range []string{"first", "second"} {
		at := testNow.AddDate(0, 0, day-2)
		err = errors.Join(err, tx.AddRun(history.Run{ID: run, Schedule: "shops", Started: at, Finished: at, Program: "1"}))
	}
	save := func(id, site, condition, run, ended string) {
		a := history.Alert{ID: id, Site: site, Condition: condition, Severity: "critical", Raised: run, Since: testNow.AddDate(0, 0, -1), EndedRun: ended, Text: "x"}
		if ended != "" {
			a.Ended = testNow
		}
		err = errors.Join(err, tx.SaveAlert(a))
	}
	save("home", "shop.example", "AL01", "second", "")
	save("test", "shop.example", "AL09", "second", "")
	save("lint", "shop.example", "AL12", "second", "")
	save("down", "shop.example", "AL03", "second", "")
	save("over", "shop.example", "AL08", "second", "second")
	save("map", "shop.example", "AL07", "first", "")
	save("away", "away.example", "AL03", "second", "")
	save("gone", "gone.example", "AL04", "first", "second")
	if err = errors.Join(err, tx.Commit()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// answers are the answers to the alerts of a history: "home accepted, map acknowledged".
func answers(t *testing.T, dir string) string {
	t.Helper()
	db, err := history.OpenReader(t.Context(), filepath.Join(dir, "history"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var list []string
	for _, id := range []string{"home", "test", "lint", "down", "over", "map", "away", "gone"} {
		switch a, err := db.Alert(t.Context(), id); {
		case err != nil:
			t.Fatal(err)
		case !a.Accepted.IsZero():
			list = append(list, id+" accepted "+a.Note+a.Owner)
		case !a.Acknowledged.IsZero():
			list = append(list, id+" acknowledged "+a.Note+a.Owner)
		case a.Owner != "":
			list = append(list, id+" of "+a.Owner)
		}
	}
	return strings.Join(list, ", ")
}

// TestAnswers: an answer to one alert, to several, and to all of a change or a site. One sentence says
// what was done and what was not.
func TestAnswers(t *testing.T) {
	const day = "2026-12-31"
	for name, c := range map[string]struct {
		before, answer Answer // before: an earlier answer, or none
		said, refused  string
		want           string
	}{
		"one": {
			answer: Answer{Alerts: []string{"home"}, Accept: true, Note: "n"},
			said:   "AL01 of shop.example is accepted as intended. The next run resolves the alert",
			want:   "home accepted n",
		},
		"an owner": {
			before: Answer{Alerts: []string{"home"}, Accept: true, Note: "n"},
			answer: Answer{Alerts: []string{"home", "away", "gone"}, Assign: true, Owner: " Ann "},
			said:   "2 alerts of 2 sites are assigned to Ann: AL01, AL03. 1 alert is already resolved",
			want:   "home accepted nAnn, away of Ann",
		},
		"another owner of a site": {
			before: Answer{Alerts: []string{"home"}, Assign: true, Owner: "Ann"},
			answer: Answer{Alerts: []string{"map"}, All: true, Assign: true, Owner: "Bob"},
			said:   "5 alerts of shop.example are assigned to Bob: AL01, AL03, AL07, AL09, AL12",
			want:   "home of Bob, test of Bob, lint of Bob, down of Bob, map of Bob",
		},
		"no owner again": {
			before: Answer{Alerts: []string{"home"}, Assign: true, Owner: "Ann"},
			answer: Answer{Alerts: []string{"home"}, Assign: true},
			said:   "AL01 of shop.example is without an owner",
		},
		"an acknowledgement and an owner": {
			answer: Answer{Alerts: []string{"home"}, Until: day, Note: "n", Owner: "Ann"},
			said:   "AL01 of shop.example is acknowledged until 2027-01-01 00:00 UTC, and assigned to Ann",
			want:   "home acknowledged nAnn",
		},
		"an acceptance and an owner": {
			before: Answer{Alerts: []string{"home"}, Assign: true, Owner: "Bob"},
			answer: Answer{Alerts: []string{"home"}, Accept: true, Note: "n", Owner: "Ann"},
			said:   "AL01 of shop.example is accepted as intended, and assigned to Ann. The next run resolves the alert",
			want:   "home accepted nAnn",
		},
		"the owner stays": {
			before: Answer{Alerts: []string{"home"}, Assign: true, Owner: "Bob"},
			answer: Answer{Alerts: []string{"home"}, Accept: true, Note: "n"},
			said:   "AL01 of shop.example is accepted as intended. The next run resolves the alert",
			want:   "home accepted nBob",
		},
		"the owner of a resolved one": {
			answer:  Answer{Alerts: []string{"gone"}, Assign: true, Owner: "Ann"},
			refused: "-assign gone: this alert is already resolved",
		},
		"one that was accepted": {
			before: Answer{Alerts: []string{"home"}, Accept: true},
			answer: Answer{Alerts: []string{"home"}, Until: day, Note: "n"},
			said:   "AL01 of shop.example is acknowledged until 2027-01-01 00:00 UTC",
			want:   "home acknowledged n",
		},
		"the change": {
			answer: Answer{Alerts: []string{"test"}, All: true, Accept: true, Note: "n"},
			said:   "3 alerts of shop.example are accepted as intended: AL01, AL09, AL12. The next run resolves them. AL03 of shop.example stays open: a robots.txt that could not be fetched is never accepted",
			want:   "home accepted n, test accepted n, lint accepted n",
		},
		"the site": {
			answer: Answer{Alerts: []string{"test"}, All: true, Until: day, Note: "n"},
			said:   "5 alerts of shop.example are acknowledged until 2027-01-01 00:00 UTC: AL01, AL03, AL07, AL09, AL12",
			want:   "home acknowledged n, test acknowledged n, lint acknowledged n, down acknowledged n, map acknowledged n",
		},
		"the site, part of it accepted": {
			before: Answer{Alerts: []string{"home"}, All: true, Accept: true, Note: "a"},
			answer: Answer{Alerts: []string{"map"}, All: true, Until: day, Note: "n"},
			said:   "2 alerts of shop.example are acknowledged until 2027-01-01 00:00 UTC: AL03, AL07. 3 alerts were accepted before",
			want:   "home accepted a, test accepted a, lint accepted a, down acknowledged n, map acknowledged n",
		},
		"the site of a resolved one": {
			answer: Answer{Alerts: []string{"over"}, All: true, Until: day, Note: "n"},
			said:   "5 alerts of shop.example are acknowledged until 2027-01-01 00:00 UTC: AL01, AL03, AL07, AL09, AL12",
			want:   "home acknowledged n, test acknowledged n, lint acknowledged n, down acknowledged n, map acknowledged n",
		},
		"several, of two sites": {
			answer: Answer{Alerts: []string{"home", "away", "home", "gone"}, Until: day, Note: "n"},
			said:   "2 alerts of 2 sites are acknowledged until 2027-01-01 00:00 UTC: AL01, AL03. 1 alert is already resolved",
			want:   "home acknowledged n, away acknowledged n",
		},
		"one of several is unknown": {
			answer:  Answer{Alerts: []string{"home", "nope"}, Accept: true},
			refused: "-accept home,nope: no such alert. Its ID is in each message",
		},
		"never": {
			answer:  Answer{Alerts: []string{"away"}, All: true, Accept: true},
			refused: "-accept away: robots.txt of away.example could not be fetched, and this is never accepted. Acknowledge the alert to pause it until a day",
		},
		"nothing left": {
			before:  Answer{Alerts: []string{"home"}, All: true, Accept: true, Note: "a"},
			answer:  Answer{Alerts: []string{"home"}, All: true, Accept: true, Note: "n"},
			refused: "-accept home: there is nothing to answer. AL03 of shop.example stays open: a robots.txt that could not be fetched is never accepted. 3 alerts were accepted before",
			want:    "home accepted a, test accepted a, lint accepted a",
		},
		"resolved": {
			answer:  Answer{Alerts: []string{"gone"}, All: true, Until: day},
			refused: "-ack gone: this alert is already resolved",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := alertsFolder(t)
			if c.before.Alerts != nil {
				if _, err := c.before.Enter(t.Context(), filepath.Join(dir, "history"), testNow.Add(-time.Hour)); err != nil {
					t.Fatal(err)
				}
			}
			said, err := c.answer.Enter(t.Context(), filepath.Join(dir, "history"), testNow)
			var refused *Refusal
			switch {
			case c.refused == "" && err != nil, c.refused != "" && (!errors.As(err, &refused) || err.Error() != c.refused):
				t.Errorf("%v", err)
			case c.refused == "" && said != c.said:
				t.Errorf("said %q", said)
			case refused != nil && strings.Contains(refused.Why, "-"):
				t.Errorf("a page would show a flag: %q", refused.Why)
			}
			if got := answers(t, dir); got != c.want {
				t.Errorf("answered: %s; want %s", got, c.want)
			}
		})
	}
}

// TestAnswerFlags: -all is for -ack and -accept, and one sentence is printed.
func TestAnswerFlags(t *testing.T) {
	defer func(was func() time.Time) { Clock = was }(Clock)
	Clock = func() time.Time { return testNow }
	defer func(was *cli.Program) { cli.Current = was }(cli.Current)
	cli.Current = &cli.Program{Name: "robots-audit"}
	dir := alertsFolder(t)
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"-all"}, cli.ExitUsage, "-all needs -ack, -accept or -assign"},
		{[]string{"-all", "-once"}, cli.ExitUsage, "-all needs -ack, -accept or -assign"},
		{[]string{"-owner", "Ann"}, cli.ExitUsage, "-owner needs -assign, -ack or -accept"},
		{[]string{"-owner", "", "-once"}, cli.ExitUsage, "-owner needs -assign, -ack or -accept"},
		{[]string{"-assign", "home"}, cli.ExitUsage, "-assign needs a name"},
		{[]string{"-assign", "home", "-ack", "map", "-owner", "Ann"}, cli.ExitUsage, "exclude each other"},
		{[]string{"-assign", "home", "-owner", "Ann\nBob"}, cli.ExitUsage, "-owner: write a name of at most 100 characters"},
		{[]string{"-assign", "home", "-owner", "-"}, cli.ExitUsage, "-owner: write a name"},
		{[]string{"-assign", "home", "-owner", strings.Repeat("ä", 101)}, cli.ExitUsage, "-owner: write a name"},
		{[]string{"-assign", "home", "-owner", strings.Repeat("ä", 100)}, cli.ExitDone, "AL01 of shop.example is assigned to ä"},
		{[]string{"-assign", "home", "-owner", ""}, cli.ExitDone, "AL01 of shop.example is without an owner"},
		{[]string{"-ack", ""}, cli.ExitUsage, "-ack is empty"},
		{[]string{"-now", ""}, cli.ExitUsage, "-now is empty"},
		{[]string{"-ack", "home", "-all"}, cli.ExitUsage, "-ack needs a date"},
		{[]string{"-accept", "home", "-all"}, cli.ExitDone, "3 alerts of shop.example are accepted as intended: AL01, AL09, AL12. The next run resolves them"},
		{[]string{"-ack", "map", "-all", "-until", "2026-12-31"}, cli.ExitDone, "2 alerts of shop.example are acknowledged until"},
	} {
		var out, errs bytes.Buffer
		code := Run(append([]string{"-config", filepath.Join(dir, "config.toml")}, c.args...), cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}, nil)
		if said := fmt.Sprint(&out, &errs); code != c.code || !strings.Contains(said, c.want) {
			t.Errorf("%q: exit code %d: %s", c.args, code, said)
		}
	}
}
