// Package configfile reads tables of the configuration file. [history], [[schedule]], [alerts] with
// its channels and maintenance windows, and [health] are for "robots-audit schedule". [fleet] is
// for the commands of a fleet, and its keys are the flags of the same name. The settings of the
// audits are in the same file, above the tables; package audits reads them.
//
// Users want to fix all mistakes at once: each is reported with its line, the value and what was
// probably intended. So the file is decoded into a tree, and each value is checked there; decoding
// into structs would stop at the first mistake.
//
// The file contains no secrets, since it is backed up, committed and mailed. It names a file
// (password_file) or an environment variable (password_env) instead. These are read at once, so
// that a missing one is reported at the start and not by the first alert. Paths are relative to the
// folder of the file.
package configfile

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"robots-audit/audit/watch/delivery"
	"robots-audit/audit/watch/schedule"
)

// Schedules is the content of the file. The process can open its paths as they are.
type Schedules struct {
	File    string // name of the file that was read
	History History
	Plan    schedule.Plan
	Alerts  Alerts
	Health  Health
}

// History is the table [history].
type History struct {
	Dir      string // folder of the history
	BaseURL  string // URL with a final slash where the folder is shown, by the dashboard or as files; "" = nowhere
	KeepRuns int    // run folders that are kept; 0 = all
	KeepDays int    // days for which they are kept; 0 = no limit
}

// Alerts is the table [alerts].
type Alerts struct {
	Watch        []string      // crawlers, as for -crawlers, whose block of "/" is AL01; nil = those of the audit
	Important    string        // file of the URLs of AL02; "" = none
	Confirm      int           // tries that confirm a condition, including the run's own; 1 = no second request
	ConfirmAfter time.Duration // between two of them
	Share        float64       // percentage points by which the blocked share has to change, for AL11
	Channels     []delivery.Channel
}

// Health is the table [health].
type Health struct {
	Listen  string         // address of /healthz and /metrics, as health.Listen takes it; "" = none
	Hosts   []string       // Host names that it accepts, besides IP addresses and localhost
	Overdue time.Duration  // delay of a run after which /healthz returns 503
	Ping    *delivery.Ping // nil = none
}

// Defaults of keys that are not in the file.
const (
	defaultKeepRuns     = 90
	defaultKeepDays     = 400
	defaultConfirm      = 3
	defaultConfirmAfter = 5 * time.Minute
	defaultShare        = 5
	defaultOverdue      = time.Hour
	defaultAttachBelow  = 5_000_000
)

// ScheduleTables are the top-level keys of the file for the schedule.
var ScheduleTables = []string{"history", "schedule", "alerts", "health"}

// IsScheduleKey reports whether a key of a configuration file ("alerts.watch") is for the schedule,
// and not a setting of an audit.
func IsScheduleKey(key string) bool {
	first, _, _ := strings.Cut(key, ".")
	return slices.Contains(ScheduleTables, first)
}

// ReadSchedules reads text, the content of the file name. environ looks up an environment variable.
// The error joins all problems, one per line: "file:line: what".
func ReadSchedules(name, text string, environ func(string) (string, bool)) (Schedules, error) {
	c := Schedules{File: name}
	var tree map[string]any
	if _, err := toml.Decode(text, &tree); err != nil {
		return c, SyntaxError(name, err)
	}
	r := &reader{file: name, folder: filepath.Dir(name), lines: LinesOf(text), environ: environ}
	top := table{reader: r, values: tree}
	c.History = readHistory(top)
	c.Plan.Entries = readEntries(top)
	c.Health = readHealth(top)
	c.Alerts, c.Plan.Windows = readAlerts(top)
	return c, r.err()
}

func readHistory(top table) History {
	t := top.table("history", "dir", "base_url", "keep_runs", "keep_days")
	h := History{Dir: t.path("dir"), BaseURL: t.base("base_url"), KeepRuns: int(t.integer("keep_runs", 0, 1_000_000, defaultKeepRuns)), KeepDays: int(t.integer("keep_days", 0, 100_000, defaultKeepDays))}
	switch {
	case t.values == nil:
		top.wrong("history", `[history] is missing. Add it with dir = "…", the folder for the runs`)
	case h.Dir == "" && !t.has("dir"):
		t.wrong("dir", `[history] has no dir. Add dir = "…", the folder for the runs`)
	}
	return h
}

func readHealth(top table) Health {
	t := top.table("health", "listen", "hosts", "overdue", "ping")
	h := Health{Listen: t.text("listen"), Hosts: t.texts("hosts"), Overdue: t.duration("overdue", time.Minute, 365*24*time.Hour, defaultOverdue)}
	if h.Listen != "" {
		t.address("listen", h.Listen)
	}
	switch _, text := t.values["ping"].(string); {
	case text: // a secret, which no message quotes
		t.wrong("ping", "ping: write it as a table, [health.ping], with url, url_file or url_env")
	case t.has("ping"):
		h.Ping = readPing(t.table("ping", "url", "url_file", "url_env", "internal", "ca_cert"))
	}
	return h
}

// readPing reads keys that a webhook has, too.
func readPing(t table) *delivery.Ping {
	w := readWebhook(t, 0)
	p := &delivery.Ping{URL: w.URL, Internal: w.Internal, Roots: w.Roots}
	if len(t.problems) == t.before {
		if err := p.Check(); err != nil {
			t.wrong("", "%v", err)
		}
	}
	return p
}

func readEntries(top table) (entries []schedule.Entry) {
	list := top.tables("schedule", "name", "cron", "timezone", "kind", "of", "domains", "fleet", "first", "catch_up")
	if len(list) == 0 && !top.has("schedule") {
		top.wrong("schedule", `[[schedule]] is missing. Add one with name, cron and domains`)
	}
	for _, t := range list {
		e := schedule.Entry{Name: t.name("name"), Cron: t.cron(), Domains: t.file("domains"), Fleet: t.boolean("fleet", false),
			First: schedule.First(t.one("first", string(schedule.FirstAlert), string(schedule.FirstAlert), string(schedule.FirstSummary), string(schedule.FirstNone))), CatchUp: t.boolean("catch_up", true)}
		robots := t.one("kind", "audit", "audit", "robots") == "robots"
		needed := []string{"name", "domains"}
		if e.Of = t.text("of"); robots {
			needed = []string{"name", "of"}
			for _, key := range []string{"domains", "fleet", "first", "catch_up"} {
				if t.has(key) {
					t.wrong(key, `%s is not for kind = "robots", which uses the sites of the schedule in of. Remove it`, key)
				}
			}
		} else if t.has("of") {
			t.wrong("of", `of needs kind = "robots". Add it, or remove of`)
			e.Of = ""
		}
		for _, key := range needed {
			t.needs(key)
		}
		if e.Fleet {
			t.needsFleet(top)
		}
		if slices.ContainsFunc(entries, func(o schedule.Entry) bool { return o.Name == e.Name && e.Name != "" }) {
			t.wrong("name", "two schedules have the name %q. Rename one, because the history finds runs by this name", e.Name)
		}
		entries = append(entries, e)
	}
	for i, e := range entries {
		if e.Of != "" && !slices.ContainsFunc(entries, func(o schedule.Entry) bool { return o.Name == e.Of && o.Of == "" }) {
			list[i].wrong("of", "of = %q: there is no schedule of this name that makes audits", e.Of)
		}
	}
	return entries
}

// needsFleet reports what is missing for an entry that uses a fleet: the table [fleet].
// FillFleet reports problems in the table.
func (t table) needsFleet(top table) {
	if !top.has(FleetTable) {
		t.wrong("fleet", "fleet = true needs the table [fleet]. Add it with servers and bucket")
		return
	}
	values, _ := top.values[FleetTable].(map[string]any)
	of := table{top.reader, FleetTable, values, 0}
	for _, key := range []string{"servers", "bucket"} {
		if values != nil && !of.has(key) {
			of.wrong("", "[fleet] has no %s. A schedule with fleet = true needs it", key)
		}
	}
}
