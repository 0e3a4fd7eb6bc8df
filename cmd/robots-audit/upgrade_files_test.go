package main

import (
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// everyTable is a configuration with every table that 0.1.0 knew.
const everyTable = `
crawlers = "Googlebot,GPTBot"
max-urls = 1000

[lint]
severity = { SM006 = "warning" }
ignore = [ { id = "RUL022", reason = "these paths are no secret" } ]

[history]
dir = "history"
keep_runs = 90
keep_days = 400

[[schedule]]
name = "shops"
cron = "0 6 * * MON-FRI"
timezone = "Europe/Berlin"
domains = "list.txt"
fleet = false
catch_up = true

[alerts]
watch = ["Googlebot", "Bingbot"]
important = "important.csv"
confirm = 3
confirm_after = "5m"
share = 5

[[alerts.mail]]
smtp = "smtp.example.com:587"
tls = "starttls"
from = "robots-audit <audit@example.com>"
to = ["seo@example.com"]
user = "audit"
password_env = "SMTP_PASSWORD"
attach_below = 5_000_000
min = "high"

[[alerts.webhook]]
url = "https://hooks.example.com/x"
format = "json"
secret_env = "WEBHOOK_SECRET"
internal = false

[[alerts.file]]
path = "alerts.jsonl"

[[alerts.maintenance]]
cron = "0 22 * * WED"
duration = "2h"
timezone = "Europe/Berlin"
sites = ["*.example.com"]

[health]
listen = "127.0.0.1:7071"
hosts = ["audit.example.com"]
overdue = "1h"

[fleet]
servers = ["tls://n1.example.com:4222"]
bucket = "file:///srv/audits"
secrets = "/etc/robots-audit/fleet"
region = "default"
`

// Configurations of a release can be read: its own config.toml, and one with every table.
func TestUpgradeConfig(t *testing.T) {
	t.Parallel()
	eachRelease(t, func(t *testing.T, w *upgradeWorld) {
		w.write(t, "every.toml", everyTable)
		secrets := []string{"SMTP_PASSWORD=a", "WEBHOOK_SECRET=b"}
		for _, config := range []string{"kept/config.toml", "every.toml"} {
			w.must(t, cli.ExitUnknown, "-config "+config+" -domains list.txt -no-cache -reports none -out out-"+filepath.Base(config), secrets...)
			w.must(t, cli.ExitFindings, "lint -config "+config+" robots.txt")
		}
		said := w.must(t, cli.ExitDone, "schedule -config every.toml -plan", append(secrets, clitest.ClockOfTest+"=2026-11-05T06:00:10Z")...)
		if !strings.Contains(said, "shops") || !strings.Contains(said, "Fri") {
			t.Errorf("the plan: %s", said)
		}
	})
}

// Earlier output of lint works as a baseline: lint.baseline, JSON and SARIF.
func TestUpgradeBaseline(t *testing.T) {
	t.Parallel()
	eachRelease(t, func(t *testing.T, w *upgradeWorld) {
		for _, name := range []string{"lint.baseline", "lint.jsonl", "lint.sarif"} {
			w.must(t, cli.ExitDone, "lint -fail-on info -baseline kept/"+name+" robots.txt")
		}
		w.must(t, cli.ExitFindings, "lint -fail-on info robots.txt")
		_, now := w.run(t, "lint -json robots.txt")
		lacking(t, "lint -json", firstLine(w.read(t, "kept/lint.jsonl")), firstLine(now))
	})
}

// Answers of check -jsonl have the same keys and values as before.
func TestUpgradeAnswers(t *testing.T) {
	t.Parallel()
	eachRelease(t, func(t *testing.T, w *upgradeWorld) {
		cmd := w.command("check -jsonl")
		cmd.Stdin = strings.NewReader(w.read(t, "kept/questions.jsonl"))
		now, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		was, is := strings.Split(w.read(t, "kept/answers.jsonl"), "\n"), strings.Split(string(now), "\n")
		if len(was) != len(is) || len(was) < 3 {
			t.Fatalf("%d answers, and were %d", len(is), len(was))
		}
		for i, line := range was[:len(was)-1] {
			var old, new any
			if err := json.Unmarshal([]byte(line), &old); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(is[i]), &new); err != nil {
				t.Fatal(err)
			}
			differing(t, old, new, "")
		}
	})
}

// differing reports values of a JSON text that a newer one has changed. Texts for people may
// change.
func differing(t *testing.T, old, new any, path string) {
	t.Helper()
	switch old := old.(type) {
	case map[string]any:
		of, _ := new.(map[string]any)
		for key, value := range old {
			differing(t, value, of[key], path+"."+key)
		}
	case []any:
		of, _ := new.([]any)
		if len(of) != len(old) {
			t.Errorf("%s: %v, and was %v", path, new, old)
			return
		}
		for i, value := range old {
			differing(t, value, of[i], path+"[]")
		}
	default:
		if forPeople := strings.HasSuffix(path, ".why") || strings.HasSuffix(path, ".error"); forPeople && new != nil {
			return
		}
		if old != new {
			t.Errorf("%s: %v, and was %v", path, new, old)
		}
	}
}

// A migration check of a release is continued: none of its URLs is requested again.
func TestUpgradeMigration(t *testing.T) {
	t.Parallel()
	eachRelease(t, func(t *testing.T, w *upgradeWorld) {
		address := w.address
		w.must(t, cli.ExitFindings, "migrate -map map.csv -out migration -resume -ca-cert ca.pem -connect-to ::"+address)
		if asked := w.askedOf("www.example.com"); slices.Contains(asked, "/about") { // robots.txt may be requested
			t.Errorf("asked again: %q", asked)
		}
		if text := w.read(t, "migration/changes.md"); !strings.Contains(text, "https://www.example.com/about") {
			t.Errorf("changes.md: %s", text)
		}
	})
}

// serve shows the runs and the history of a release.
func TestUpgradeServe(t *testing.T) {
	t.Parallel()
	eachRelease(t, func(t *testing.T, w *upgradeWorld) {
		base, _ := startServe(t, filepath.Join(w.dir, "history"), filepath.Join(w.dir, "run"))
		for path, want := range map[string]string{
			"/":       "20261103T060010Z",
			"/alerts": "AL02",
			"/runs/run/sites/www.example.com/url?u=https://www.example.com/cartography": "Disallow: /cart",
			"/runs/20261103T060010Z/sites/www.example.com/versions":                     "Disallow: /sale",
			"/runs/20261103T060010Z/sites/www.example.com/edit":                         "Disallow: /sale",
		} {
			code, page := got(t, base+path)
			if code != http.StatusOK || !strings.Contains(page, want) {
				t.Errorf("%s: status %d, no %s in %.3000s", path, code, want, page)
			}
		}
	})
}

func got(t *testing.T, url string) (code int, text string) {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}
