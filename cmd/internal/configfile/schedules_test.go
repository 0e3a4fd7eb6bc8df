package configfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"robots-audit/audit/watch/delivery"
)

// folder makes a folder with files, and returns its name.
func folder(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func environ(name string) (string, bool) {
	value, ok := map[string]string{"HOOK": "https://hooks.example.com/a-secret", "EMPTY": ""}[name]
	return value, ok
}

// The file of AGAIN.md, with all keys.
const whole = `crawlers = "Googlebot,Bingbot"

[history]
dir = "history"
base_url = "https://Audit.example:8443/robots audit"
keep_runs = 30

[[schedule]]
name = "shops"
cron = "0 6 * * MON-FRI"
timezone = "Europe/Berlin"
domains = "shops.txt"
catch_up = false

[[schedule]]
name = "all"
cron = "@daily"
first = "summary"
domains = "shops.txt"

[[schedule]]
name = "watch"
kind = "robots"
of = "shops"
cron = "*/5 * * * *"

[alerts]
watch = ["Googlebot", "Bingbot"]
important = "important.csv"
confirm_after = "1m"
share = 2.5

[[alerts.mail]]
smtp = "smtp.example.com:587"
from = "robots-audit <audit@example.com>"
to = ["seo@example.com"]
user = "audit"
password_file = "password"
min = "error"
digest = "0 7 * * *"
summary = "0 8 * * MON"
timezone = "Europe/Berlin"

[[alerts.webhook]]
name = "chat"
url_env = "HOOK"
format = "slack"
secret_file = "password"

[[alerts.webhook]]
url = "https://pager.example.com/v2/alerts"
template = "pager.tmpl"
per_event = true
authorization_file = "password"

[[alerts.file]]
path = "alerts.jsonl"

[[alerts.maintenance]]
name = "release"
cron = "0 22 * * WED"
duration = "2h"
timezone = "America/New_York"
sites = ["*.example.com"]

[health]
listen = "127.0.0.1:7071"
hosts = ["audit.internal"]

[health.ping]
url_env = "HOOK"
internal = true
`

func TestRead(t *testing.T) {
	dir := folder(t, map[string]string{"shops.txt": "a.example\n", "important.csv": "https://a.example/\n", "password": " a-password\n", "pager.tmpl": "{{json .id}}"})
	c, err := ReadSchedules(filepath.Join(dir, "config.toml"), whole, environ)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.History, (History{Dir: filepath.Join(dir, "history"), BaseURL: "https://Audit.example:8443/robots%20audit/", KeepRuns: 30, KeepDays: 400}); got != want {
		t.Errorf("history %+v, want %+v", got, want)
	}
	if got, want := c.Health, (Health{Listen: "127.0.0.1:7071", Hosts: []string{"audit.internal"}, Overdue: time.Hour, Ping: &delivery.Ping{URL: "https://hooks.example.com/a-secret", Internal: true}}); !cmp.Equal(got, want) {
		t.Errorf("health %+v, want %+v", got, want)
	}
	shops, all := c.Plan.Entries[0], c.Plan.Entries[1]
	if shops.Name != "shops" || shops.CatchUp || shops.Domains != filepath.Join(dir, "shops.txt") || shops.Cron.String() != "0 6 * * MON-FRI" || shops.Cron.Zone().String() != "Europe/Berlin" {
		t.Errorf("first entry: %+v", shops)
	}
	if all.Name != "all" || !all.CatchUp || all.Cron.Zone() != time.UTC {
		t.Errorf("second entry: %+v", all)
	}
	if watch := c.Plan.Watches(); len(watch) != 1 || watch[0].Name != "watch" || watch[0].Of != "shops" || len(c.Plan.Audits().Entries) != 2 || len(c.Plan.Lists()) != 2 {
		t.Errorf("watches: %+v", watch)
	}
	w := c.Plan.Windows[0]
	if w.Name != "release" || w.Duration != 2*time.Hour || w.Cron.Zone().String() != "America/New_York" || !cmp.Equal(w.Sites, []string{"*.example.com"}) {
		t.Errorf("window: %+v", w)
	}
	a := c.Alerts
	if !cmp.Equal(a.Watch, []string{"Googlebot", "Bingbot"}) || a.Important != filepath.Join(dir, "important.csv") || a.Confirm != 3 || a.ConfirmAfter != time.Minute || a.Share != 2.5 {
		t.Errorf("alerts: %+v", a)
	}
	mail, hook, pager, file := a.Channels[0].(*delivery.Mail), a.Channels[1].(*delivery.Webhook), a.Channels[2].(*delivery.Webhook), a.Channels[3].(*delivery.File)
	if mail.Digest.String() != "0 7 * * *" || mail.Summary.String() != "0 8 * * MON" || mail.Digest.Zone().String() != "Europe/Berlin" || mail.Summary.Zone().String() != "Europe/Berlin" || !file.Digest.IsZero() || !file.Summary.IsZero() {
		t.Errorf("times of the mail: %v, %v", mail.Digest, mail.Summary)
	}
	if shops.First != "alert" || all.First != "summary" {
		t.Errorf("first: %q, %q", shops.First, all.First)
	}
	if mail.Name != "mail 1" || mail.Min != "high" || mail.TLS != "starttls" || string(mail.Password) != "a-password" || mail.AttachBelow != 5_000_000 {
		t.Errorf("mail: %+v", mail)
	}
	if hook.Name != "chat" || string(hook.URL) != "https://hooks.example.com/a-secret" || hook.Format != "slack" || string(hook.Secret) != "a-password" {
		t.Errorf("webhook: %+v", hook)
	}
	if pager.Name != "webhook 2" || pager.Template == nil || !pager.PerEvent || string(pager.Authorization) != "a-password" {
		t.Errorf("webhook with a template: %+v", pager)
	}
	if file.Name != "file 1" || file.Path != filepath.Join(dir, "alerts.jsonl") {
		t.Errorf("file: %+v", file)
	}
}

// TestMistakes checks that all mistakes of a file are reported at once, with their lines.
func TestMistakes(t *testing.T) {
	dir := folder(t, map[string]string{"shops.txt": "a.example\n", "password": "a-password\n", "empty": "\n", "wrong.tmpl": "{\n{{json .txt}}\n}", "broken.tmpl": "{\n{{json", "long.tmpl": strings.Repeat(" ", 70_000)})
	for _, c := range []struct {
		name, text string
		want       string // one message per line, without the file's name
	}{
		{"nothing", ``, `
1: [history] is missing. Add it with dir = "…", the folder for the runs
1: [[schedule]] is missing. Add one with name, cron and domains`},
		{"no TOML", "[history]\ndir = = 1\n", `2: this line is not TOML. Expected key = value, such as out = "monday"`},
		{"everything", `
[history]
directory = "x"
keep_runs = -1
[[schedule]]
name = "a/b"
cron = "0 25 * * *"
timezone = "Europe/Berln"
domains = "none.txt"
[[schedule]]
name = "b"
cron = "0 6 * *"
domain = "shops.txt"
catch_up = "yes"
[[schedule]]
name = "b"
cron = "*/90 * * * *"
domains = "shops.txt"
# cron = "0 0 0 0 0"
[[schedule]]
name = "c"
cron = "0 6 * * 7"
domains = "."
[alerts]
watch = [1]
confirm = 0
confirm_after = 5
share = "x"
[[alerts.mail]]
smtp = "smtp.example.com"
password = "x"
tls = "startls"
to = "x@example.com"
min = "hgih"
[[alerts.mail]]
smtp = "smtp.example.com:25"
from = "a@example.com"
to = ["b@example.com"]
user = "u"
[[alerts.webhook]]
url = "https://hooks.example.com/"
url_env = "HOOK"
secret_file = "missing"
[[alerts.webhook]]
url_env = "EMPTY"
secret_file = "empty"
[[alerts.webhook]]
secret = "x"
[[alerts.file]]
[[alerts.maintenance]]
cron = "30 2 31 2 *"
[health]
listen = "7071"
overdue = "1s"
[health.ping]
token = "x"
internal = 1
`, `
2: [history] has no dir. Add dir = "…", the folder for the runs
3: unknown setting "directory" in history. It has dir, base_url, keep_runs and keep_days
4: keep_runs = -1: expected 0 to 1,000,000
6: name = "a/b": expected at most 64 letters, digits, spaces and . _ -, with a letter or digit first
7: cron expression "0 25 * * *": hour "25": end of range (25) above maximum (23)
8: timezone: "Europe/Berln" is not a time zone. Write a name such as Europe/Berlin, America/New_York or UTC
9: domains: stat DIR/none.txt: no such file or directory
10: domains is missing
12: cron expression "0 6 * *": it has 4 fields. Write five: minute, hour, day of month, month and day of week, without seconds
13: unknown setting "domain" in schedule. Did you mean domains?
14: catch_up = "yes": expected true or false
16: two schedules have the name "b". Rename one, because the history finds runs by this name
17: cron expression "*/90 * * * *": minute "*/90": a step of 90 is not between 1 and 59
22: cron expression "0 6 * * 7": day of week "7": write 0 or SUN for Sunday
23: domains: DIR is a folder. Name a file
25: watch contains "1": expected texts in quotation marks
26: confirm = 0: expected 1 to 9
27: confirm_after = "5": expected a time in quotation marks, such as "90s", "5m" or "1h30m"
28: share = "x": expected a number
29: from is missing
30: smtp = "smtp.example.com": expected host and port, such as 127.0.0.1:7071
31: password: do not write the secret in this file. Use password_file = "…", the name of a file, or password_env = "NAME", an environment variable
32: tls = "startls". Did you mean starttls?
34: min = "hgih". Did you mean high?
39: user "u" has no password. Add password_file = "…" or password_env = "NAME"
41: url excludes url_file and url_env. Remove one of them
43: secret_file: open DIR/missing: no such file or directory
45: url_env: the environment variable EMPTY is not set
46: secret_file: DIR/empty is empty
47: url is missing. Add url = "https://…", or url_file or url_env if it is a secret
48: secret: do not write the secret in this file. Use secret_file = "…", the name of a file, or secret_env = "NAME", an environment variable
49: path is missing
50: duration is missing
51: cron expression "30 2 31 2 *": this day does not exist
53: listen = "7071": expected host and port, such as 127.0.0.1:7071
54: overdue = "1s": expected 1m0s to 8760h0m0s
55: url is missing. Add url = "https://…", or url_file or url_env if it is a secret
56: unknown setting "token" in ping. It has url, url_file, url_env, internal and ca_cert
57: internal = "1": expected true or false`},
		{"ping", "[history]\ndir = \"h\"\n[[schedule]]\nname = \"a\"\ncron = \"0 6 * * *\"\ndomains = \"shops.txt\"\n[health.ping]\nurl = \"http://hc.example/a-secret\"\n", `
7: url: use https. http is only allowed for a host with internal = true`},
		{"ping with a password", "[history]\ndir = \"h\"\n[[schedule]]\nname = \"a\"\ncron = \"0 6 * * *\"\ndomains = \"shops.txt\"\n[health.ping]\nurl = \"https://ann:a-secret@hc.example/\"\n", `
7: url: it has a user or a password, which are not sent. Remove them`},
		{"ping without a table", "[history]\ndir = \"h\"\n[[schedule]]\nname = \"a\"\ncron = \"0 6 * * *\"\ndomains = \"shops.txt\"\n[health]\nping = \"https://hc.example/a-secret\"\n", `
8: ping: write it as a table, [health.ping], with url, url_file or url_env`},
		{"channels", "[history]\ndir = \"h\"\n[[schedule]]\nname = \"a\"\ncron = \"0 6 * * *\"\ndomains = \"shops.txt\"\n[[alerts.file]]\nname = \"team\"\npath = \"a.jsonl\"\n[[alerts.file]]\nname = \"team\"\npath = \"b.jsonl\"\n", `
11: two channels have the name "team". Rename one`},
		{"watches", "[history]\ndir = \"h\"\n[[schedule]]\nname = \"a\"\ncron = \"0 6 * * *\"\ndomains = \"shops.txt\"\nof = \"b\"\n[[schedule]]\nname = \"b\"\nkind = \"robots\"\nof = \"d\"\ncron = \"*/5 * * * *\"\ndomains = \"shops.txt\"\n[[schedule]]\nname = \"c\"\nkind = \"robot\"\n", `
7: of needs kind = "robots". Add it, or remove of
11: of = "d": there is no schedule of this name that makes audits
13: domains is not for kind = "robots", which uses the sites of the schedule in of. Remove it
14: cron is missing
14: domains is missing
16: kind = "robot". Did you mean robots?`},
		{"watch without a schedule", "[history]\ndir = \"h\"\n[[schedule]]\nname = \"b\"\nkind = \"robots\"\ncron = \"*/5 * * * *\"\n", `
3: of is missing`},
		{"times of channels", "[history]\ndir = \"h\"\n[[schedule]]\nname = \"a\"\ncron = \"0 6 * * *\"\ndomains = \"shops.txt\"\nfirst = \"alerts\"\n[[alerts.file]]\npath = \"a.jsonl\"\ndigest = \"07:00\"\nsummary = 8\n[[alerts.file]]\npath = \"b.jsonl\"\ntimezone = \"UTC\"\n", `
7: first = "alerts". Did you mean alert?
10: cron expression "07:00": it has 1 field. Write five: minute, hour, day of month, month and day of week, without seconds
11: summary = "8": expected text in quotation marks
14: timezone needs digest or summary. Add one of them, or remove timezone`},
		{"values of channels", "[history]\ndir = \"h\"\n[[schedule]]\nname = \"a\"\ncron = \"0 6 * * *\"\ndomains = \"shops.txt\"\n[[alerts.mail]]\nsmtp = \"x:1\"\nfrom = \"a@b\"\npassword_file = \"password\"\nattach_below = -1\n[[alerts.webhook]]\nurl = \"https://x\"\nformat = \"irc\"\n[[alerts.file]]\nname = \"\"\npath = \"\"\n", `
7: to is missing
10: the password has no user. Add user, or remove the password
11: attach_below = -1: expected 0 to 1,073,741,824
14: format = "irc": expected json, slack or teams
16: name is empty. Remove it, or give it a value
17: path is empty. Remove it, or give it a value`},
		{"templates", "[history]\ndir = \"h\"\n[[schedule]]\nname = \"a\"\ncron = \"0 6 * * *\"\ndomains = \"shops.txt\"\n" +
			"[[alerts.webhook]]\nurl = \"https://x\"\ntemplate = \"wrong.tmpl\"\n[[alerts.webhook]]\nurl = \"https://x\"\ntemplate = \"broken.tmpl\"\n[[alerts.webhook]]\nurl = \"https://x\"\ntemplate = \"missing\"\nformat = \"slack\"\n" +
			"[[alerts.webhook]]\nurl = \"https://x\"\nper_event = true\nauthorization = \"x\"\n[[alerts.webhook]]\nurl = \"https://x\"\ntemplate = \"long.tmpl\"\nper_event = true\nsummary = \"@weekly\"\n", `
12: template: DIR/broken.tmpl:2: unclosed action
15: template: stat DIR/missing: no such file or directory
15: template excludes format. Remove one of them
19: per_event needs a template, which writes the request of each event. Add template
20: authorization: do not write the secret in this file. Use authorization_file = "…", the name of a file, or authorization_env = "NAME", an environment variable
23: template: DIR/long.tmpl is too long. A template has at most 64 KB
25: summary is not possible with per_event, because it is about no single alert. Remove one of them`},
		{"a field of a template", "[history]\ndir = \"h\"\n[[schedule]]\nname = \"a\"\ncron = \"0 6 * * *\"\ndomains = \"shops.txt\"\n[[alerts.webhook]]\nurl = \"https://x\"\ntemplate = \"wrong.tmpl\"\n", `
7: template: DIR/wrong.tmpl:2: <.txt>: map has no entry for key "txt"`},
		{"brackets", "[history]\ndir = \"h\"\n[schedule]\nname = \"a\"\n[alerts]\nmail = { smtp = \"x:1\" }\n", `
3: schedule: write [[schedule]] with two brackets, because there can be several
6: mail: write [[alerts.mail]] with two brackets, because there can be several`},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(dir, "config.toml")
			_, err := ReadSchedules(file, c.text, environ)
			if err == nil {
				t.Fatal("no error")
			}
			got := strings.ReplaceAll(strings.ReplaceAll(err.Error(), file+":", ""), dir, "DIR")
			got = strings.ReplaceAll(got, `DIR\`, "DIR/")
			var missing *fs.PathError // in the system's words
			if _, err := os.Stat(filepath.Join(dir, "missing")); errors.As(err, &missing) {
				got = strings.NewReplacer(": "+missing.Err.Error(), ": no such file or directory", missing.Op+" DIR/", "stat DIR/").Replace(got)
			}
			if diff := cmp.Diff(strings.Split(strings.TrimSpace(c.want), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestBaseURL checks which URLs are accepted, and that no message shows a password.
func TestBaseURL(t *testing.T) {
	dir := folder(t, map[string]string{"shops.txt": "a.example\n"})
	read := func(given string) (string, error) {
		c, err := ReadSchedules(filepath.Join(dir, "config.toml"), fmt.Sprintf("[history]\ndir = \"h\"\nbase_url = %q\n[[schedule]]\nname = \"a\"\ncron = \"0 6 * * *\"\ndomains = \"shops.txt\"\n", given), environ)
		return c.History.BaseURL, err
	}
	for given, want := range map[string]string{
		"https://audit.example": "https://audit.example/", "https://audit.example/": "https://audit.example/", "HTTP://127.0.0.1:7070": "http://127.0.0.1:7070/", "https://[2001:db8::1]:8443/x": "https://[2001:db8::1]:8443/x/",
		"https://audit.example/tools/robots-audit/": "https://audit.example/tools/robots-audit/", "https://audit.example/a (b)|<c>*": "https://audit.example/a%20%28b%29%7C%3Cc%3E%2A/", "https://audit.example/%C3%A4/ö": "https://audit.example/%C3%A4/%C3%B6/",
	} {
		if got, err := read(given); got != want || err != nil {
			t.Errorf("%s: %q, want %q: %v", given, got, want, err)
		}
	}
	const form, query, user = "expected the address of the dashboard or of the published folder, such as", "remove everything from ? or # on", "has an @. Remove the user and the password"
	for given, want := range map[string]string{
		"": "is empty", "audit.example": form, "//audit.example/": form, "/var/lib/robots-audit": form, "ftp://audit.example/": form, "file:///var/lib/robots-audit": form, "https:///x": form, "https://audit.example:port/": form, "javascript:alert(1)": form,
		"https://prüfung.example/": form, "https://a|b.example/": form, "https://a(b).example/": form, "https://audit example/": form, "https://audit.example/x//y": form, "https://audit.example/../x": form, "https://audit.example/x/.": form,
		"https://audit.example/x%2fy": form, `https://audit.example/x\y`: form, "https://audit.example/%zz": form, "https://audit.example/index.html": form, "https://audit.example/\n": form, "https://audit.example/" + strings.Repeat("x", 500): form,
		"https://audit.example/?": query, "https://audit.example/#": query, "https://audit.example/?token=x": query, "https://audit.example/#alerts": query,
		"https://ann:s3cret@audit.example/": user, "https://ann:s3cret@audit.example:x/?y": user, "https://s3cret@audit.example/": user,
	} {
		got, err := read(given)
		if err == nil || !strings.Contains(err.Error(), "config.toml:3: base_url") || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "\n") || got != "" {
			t.Errorf("%q: %q, %v, want %s", given, got, err, want)
		}
	}
}

// TestTypes gives each key of whole a value of each type; a wrong one is refused with the key's
// line.
func TestTypes(t *testing.T) {
	dir := folder(t, map[string]string{"shops.txt": "a.example\n", "important.csv": "https://a.example/\n", "password": " a-password\n", "pager.tmpl": "{{json .id}}"})
	file := filepath.Join(dir, "config.toml")
	rows := strings.Split(whole, "\n")
	for i, row := range rows {
		key, value, is := strings.Cut(row, " = ")
		if !is || key == "crawlers" {
			continue
		}
		kinds := map[byte]string{'"': `"`, '[': `"[`, 'f': "t", 't': "t"}[value[0]] // the first characters that a valid value may have
		for _, wrong := range []string{`"x"`, `["x", "y"]`, "true", "3", "0.25", `["x", 3]`, "[3, 4]", `[["x"]]`, "2026-11-26", `{ a = "x" }`, `[{ a = "x" }]`} {
			number := strings.Contains("keep_runs share", key) && wrong[0] >= '0' && wrong[0] <= '9' && len(wrong) < 5
			right := strings.IndexByte(kinds, wrong[0]) >= 0 && (wrong[0] != '[' || wrong == `["x", "y"]`)
			if right || number && (key == "share" || wrong == "3") {
				continue
			}
			changed := slices.Clone(rows)
			changed[i] = key + " = " + wrong
			_, err := ReadSchedules(file, strings.Join(changed, "\n"), environ)
			if want := fmt.Sprintf("%s:%d: ", file, i+1); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s = %s: %v, want %s", key, wrong, err, want)
			}
		}
	}
}

// TestExample checks that the commented tables in config.toml are valid.
func TestExample(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "config.toml"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n# --- robots-audit schedule")
	_, section, _ = strings.Cut(section, "\n\n")     // its first lines are a comment
	section, _, _ = strings.Cut(section, "\n# --- ") // another one follows
	if !found || strings.Count(section, "\n#[") != 9 {
		t.Fatalf("config.toml has no such section, or not all tables: %s", section)
	}
	dir := folder(t, map[string]string{"shops.txt": "a.example\n", "important.csv": "https://a.example/\n", "smtp-password": "x\n", "webhook-secret": "y\n", "token": "Bearer z\n"})
	c, err := ReadSchedules(filepath.Join(dir, "config.toml"), strings.ReplaceAll("\n"+section, "\n#", "\n"), environ)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Plan.Entries) != 2 || len(c.Plan.Windows) != 1 || len(c.Alerts.Channels) != 3 || c.Health.Listen == "" || c.Health.Ping == nil || c.History.KeepDays != 400 {
		t.Errorf("%+v", c)
	}
}

// TestTemplateExamples checks that the settings in the comments of the templates for services are
// valid, and that the templates are right.
func TestTemplateExamples(t *testing.T) {
	examples := filepath.Join("..", "..", "..", ".github", "examples")
	names, err := filepath.Glob(filepath.Join(examples, "alerts-*.tmpl"))
	if err != nil || len(names) != 5 {
		t.Fatalf("%q %v", names, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		comment, _, _ := strings.Cut(string(text), "*/")
		_, settings, _ := strings.Cut(comment, "\n\n")
		dir := folder(t, map[string]string{
			"shops.txt": "a.example\n", filepath.Base(name): string(text), "pagerduty-key": "k\n", "opsgenie-key": "GenieKey k\n",
			"discord-url": "https://discord.com/api/webhooks/1/x\n", "google-chat-url": "https://chat.googleapis.com/v1/spaces/x\n", "telegram-url": "https://api.telegram.org/bot1:x/sendMessage\n",
		})
		c, err := ReadSchedules(filepath.Join(dir, "config.toml"), "[history]\ndir = \"h\"\n[[schedule]]\nname = \"a\"\ncron = \"@daily\"\ndomains = \"shops.txt\"\n"+settings, environ)
		if err != nil || len(c.Alerts.Channels) != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
