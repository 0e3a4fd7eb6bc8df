package schedule

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// at reads a time in RFC 3339.
func at(t *testing.T, text string) time.Time {
	t.Helper()
	moment, err := time.Parse(time.RFC3339, text)
	noError(t, err)
	return moment
}

func parsed(t *testing.T, expression, zone string) Cron {
	t.Helper()
	c, err := ParseCron(expression, zone)
	noError(t, err)
	return c
}

// TestChanges compares the announced changes of 2027 with the runs of the day, by wall time.
func TestChanges(t *testing.T) {
	for _, c := range []struct {
		expression, zone string
		texts            []string
		days             []string // runs of the days of the changes, from 00:00 to 05:00
	}{
		{"30 2 * * *", "Europe/Berlin", []string{
			"On 2027-03-28 clocks in Europe/Berlin go forward from 02:00 to 03:00: 02:30 does not exist that day, it runs at 03:00.",
			"On 2027-10-31 clocks in Europe/Berlin go back from 03:00 to 02:00: 02:30 comes twice, it runs the first time.",
		}, []string{"03:00 CEST", "02:30 CEST"}},
		{"0 * * * *", "Europe/Berlin", []string{
			"On 2027-03-28 clocks in Europe/Berlin go forward from 02:00 to 03:00: 02:00 does not exist that day and is skipped.",
			"On 2027-10-31 clocks in Europe/Berlin go back from 03:00 to 02:00: 02:00 comes twice, and it runs both times.",
		}, []string{"00:00 CET, 01:00 CET, 03:00 CEST, 04:00 CEST", "00:00 CEST, 01:00 CEST, 02:00 CEST, 02:00 CET, 03:00 CET, 04:00 CET"}},
		{"*/15 2 * * *", "America/New_York", []string{
			"On 2027-03-14 clocks in America/New_York go forward from 02:00 to 03:00: 02:00, 02:15, 02:30 and 02:45 do not exist that day, it runs once for them at 03:00.",
			"On 2027-11-07 clocks in America/New_York go back from 02:00 to 01:00: no run is affected.",
		}, []string{"03:00 EDT", "02:00 EST, 02:15 EST, 02:30 EST, 02:45 EST"}},
		{"*/10 1 * * SUN", "America/New_York", []string{
			"On 2027-03-14 clocks in America/New_York go forward from 02:00 to 03:00: no run is affected.",
			"On 2027-11-07 clocks in America/New_York go back from 02:00 to 01:00: 6 times from 01:00 to 01:50 come twice, it runs the first time.",
		}, []string{"01:00 EST, 01:10 EST, 01:20 EST, 01:30 EST, 01:40 EST, 01:50 EST", "01:00 EDT, 01:10 EDT, 01:20 EDT, 01:30 EDT, 01:40 EDT, 01:50 EDT"}},
		{"30 2 * * *", "Asia/Kolkata", nil, nil},
	} {
		cron := parsed(t, c.expression, c.zone)
		var texts, days []string
		for _, change := range cron.Changes(at(t, "2027-01-01T00:00:00Z"), 2) {
			texts = append(texts, change.Text)
			local := change.At.In(cron.Zone())
			midnight := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, cron.Zone())
			var runs []string
			for run := cron.Next(midnight.Add(-1)); run.Day() == local.Day() && run.Hour() < 5; run = cron.Next(run) {
				runs = append(runs, run.Format("15:04 MST"))
			}
			days = append(days, strings.Join(runs, ", "))
		}
		if diff := cmp.Diff(c.texts, texts); diff != "" {
			t.Errorf("%s in %s: %s", c.expression, c.zone, diff)
		}
		if diff := cmp.Diff(c.days, days); diff != "" {
			t.Errorf("%s in %s: %s", c.expression, c.zone, diff)
		}
	}
}

func TestWrite(t *testing.T) {
	p := Plan{
		Entries: []Entry{{Name: "shops", Cron: parsed(t, "30 2 * * *", "Europe/Berlin"), Domains: "shops.txt", CatchUp: true}, {Name: "leap", Cron: parsed(t, "0 6 29 2 *", ""), Domains: "days.txt"}},
		Windows: []Window{{Name: "release", Cron: parsed(t, "0 22 * * WED", "America/New_York"), Duration: 2 * time.Hour}},
	}
	var text strings.Builder
	noError(t, p.Write(&text, at(t, "2027-03-26T12:00:00Z"), 3))
	want := `schedule shops: 30 2 * * * in Europe/Berlin, sites of shops.txt; missed runs are replaced by one late run
  Sat 2027-03-27 02:30 CET (2027-03-27 01:30 UTC)
  Sun 2027-03-28 03:00 CEST (2027-03-28 01:00 UTC)
  Mon 2027-03-29 02:30 CEST (2027-03-29 00:30 UTC)
  On 2027-03-28 clocks in Europe/Berlin go forward from 02:00 to 03:00: 02:30 does not exist that day, it runs at 03:00.
  On 2027-10-31 clocks in Europe/Berlin go back from 03:00 to 02:00: 02:30 comes twice, it runs the first time.
schedule leap: 0 6 29 2 * in UTC, sites of days.txt; missed runs are skipped
  Tue 2028-02-29 06:00 UTC
  Sun 2032-02-29 06:00 UTC
  Fri 2036-02-29 06:00 UTC
maintenance release: 0 22 * * WED in America/New_York, for 2h0m0s
  Wed 2027-03-31 22:00 EDT to Thu 2027-04-01 00:00 EDT
`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Error(diff)
	}
}

// noError ends the test where there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
