package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
)

// This version reads the files of releases, which TestKeepFiles has made. Each test works on
// copies.

// eachRelease runs a test with a copy of the files of each release.
func eachRelease(t *testing.T, test func(t *testing.T, w *upgradeWorld)) {
	releases, err := filepath.Glob(filepath.Join("testdata", "[0-9]*"))
	if err != nil || len(releases) == 0 {
		t.Fatalf("no files of releases: %v", err)
	}
	for _, kept := range releases {
		t.Run(filepath.Base(kept), func(t *testing.T) {
			w := newUpgradeWorld(t, "robots-audit")
			if err := os.CopyFS(filepath.Join(w.dir, "kept"), os.DirFS(kept)); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"run", "cut", "history", "comparison", "migration", "alerts.jsonl"} {
				if err := os.Rename(filepath.Join(w.dir, "kept", name), filepath.Join(w.dir, name)); err != nil {
					t.Fatal(err)
				}
			}
			test(t, w)
		})
	}
}

// summarySites are the sites of a summary, by domain, and its totals.
func summarySites(t *testing.T, text string) (sites map[string]map[string]any, totals map[string]any) {
	t.Helper()
	var of struct {
		Totals map[string]any
		Sites  []map[string]any
	}
	if err := json.Unmarshal([]byte(text), &of); err != nil {
		t.Fatal(err)
	}
	sites = map[string]map[string]any{}
	for _, site := range of.Sites {
		sites[site["domain"].(string)] = site
	}
	return sites, of.Totals
}

// sameVerdicts compares the verdicts of a summary with those of an older one.
func sameVerdicts(t *testing.T, old, now string) {
	t.Helper()
	was, _ := summarySites(t, old)
	is, _ := summarySites(t, now)
	if len(was) == 0 {
		t.Fatal("a summary without sites")
	}
	for domain, of := range was {
		for _, key := range []string{"state", "urls", "blocked_urls", "blocked", "robots"} {
			a, _ := json.Marshal(of[key])
			b, _ := json.Marshal(is[domain][key])
			if string(a) != string(b) {
				t.Errorf("%s: %s was %s, and is %s", domain, key, a, b)
			}
		}
	}
}

// A run's reports are made again as in the release, and no key is missing.
func TestUpgradeReport(t *testing.T) {
	t.Parallel()
	eachRelease(t, func(t *testing.T, w *upgradeWorld) {
		old, csv := w.read(t, "run/summary.json"), w.read(t, "run/www.example.com.csv")
		for _, name := range []string{"summary.json", "www.example.com.csv", "www.example.com.jsonl"} {
			if err := os.Rename(filepath.Join(w.dir, "run", name), filepath.Join(w.dir, "kept", name)); err != nil {
				t.Fatal(err)
			}
		}
		said := w.must(t, cli.ExitDone, "report run")
		if !strings.HasPrefix(said, "3 sites: 1 critical, 0 warnings, 1 unknown, 1 OK\n") {
			t.Errorf("said: %s", said)
		}
		now := w.read(t, "run/summary.json")
		sameVerdicts(t, old, now)
		lacking(t, "summary.json", old, now)
		lacking(t, "jsonl", firstLine(w.read(t, "kept/www.example.com.jsonl")), firstLine(w.read(t, "run/www.example.com.jsonl")))
		made := strings.Split(w.read(t, "run/www.example.com.csv"), "\n")
		words := strings.NewReplacer("the group names its product token", "the group names it", "so the group of * applies", "so * applies")
		for i, row := range strings.Split(words.Replace(csv), "\n") { // new columns come at the end
			if i >= len(made) || !strings.HasPrefix(made[i], strings.TrimSuffix(row, "\r")) {
				t.Errorf("row %d was %s and is not: %q", i, row, made)
			}
		}
	})
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// lacking reports keys of a JSON text that are missing or of another type in a newer one.
func lacking(t *testing.T, name, old, now string) {
	t.Helper()
	was, is := map[string]string{}, map[string]string{}
	for of, text := range map[*map[string]string]string{&was: old, &is: now} {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatalf("%s: %v: %.200s", name, err, text)
		}
		keysOf(v, "", *of)
	}
	for _, key := range slices.Sorted(maps.Keys(was)) {
		if is[key] != was[key] {
			t.Errorf("%s: %s was %s, and is %q", name, key, was[key], is[key])
		}
	}
}

// keysOf collects the keys of a JSON value with the types of their values.
func keysOf(v any, path string, into map[string]string) {
	switch v := v.(type) {
	case map[string]any:
		into[path] = "object"
		for key, of := range v {
			keysOf(of, path+"."+key, into)
		}
	case []any:
		into[path] = "list"
		for _, of := range v {
			keysOf(of, path+"[]", into)
		}
	case string:
		into[path] = "text"
	case float64:
		into[path] = "number"
	case bool:
		into[path] = "boolean"
	}
}

// An interrupted run is continued: complete sites are not requested again, and run.json has both
// versions.
func TestUpgradeResume(t *testing.T) {
	t.Parallel()
	eachRelease(t, func(t *testing.T, w *upgradeWorld) {
		said := w.must(t, cli.ExitDone, "-domains cut.txt -out cut -reports evidence -resume")
		if !strings.HasPrefix(said, "3 sites: ") {
			t.Errorf("said: %s", said)
		}
		for host, want := range map[string]bool{"www.example.com": false, "open.example.com": false, "slow.example.com": true} {
			if asked := w.askedOf(host); len(asked) > 0 != want {
				t.Errorf("%s was asked for %q", host, asked)
			}
		}
		sites, _ := summarySites(t, w.read(t, "cut/summary.json"))
		for host, blocked := range map[string]float64{"www.example.com": 3, "open.example.com": 0, "slow.example.com": 1} {
			if sites[host]["blocked_urls"] != blocked {
				t.Errorf("%s: %v blocked URLs, want %v", host, sites[host]["blocked_urls"], blocked)
			}
		}
		if text := w.read(t, "cut/run.json"); !strings.Contains(text, `"Version `+filepath.Base(t.Name())+` began this run, and version `+cli.Version+` went on with it."`) || !strings.Contains(text, `"version": "`+cli.Version+`"`) {
			t.Errorf("run.json: %s", text)
		}
		if text := w.read(t, "cut/summary.md"); !strings.Contains(text, "began this run") {
			t.Errorf("summary.md: %s", text)
		}
	})
}

// Runs and files of a release can be compared, simulated and verified.
func TestUpgradeStored(t *testing.T) {
	t.Parallel()
	eachRelease(t, func(t *testing.T, w *upgradeWorld) {
		w.serve("changed")
		w.must(t, cli.ExitUnknown, "-domains list.txt -out now -reports none -crawl -crawlers Googlebot,Bingbot,GPTBot -urls clicks.csv -no-cache")
		w.must(t, cli.ExitDone, "compare -out again history/runs/20261102T060010Z history/runs/20261103T060010Z")
		lacking(t, "changes.json", w.read(t, "comparison/changes.json"), w.read(t, "again/changes.json"))
		w.must(t, cli.ExitFindings, "compare -fail-on newly-blocked -out sites run/records/www.example.com.jsonl.zst now/records/www.example.com.jsonl.zst")
		w.must(t, cli.ExitDone, "compare -out comparison run now -site www.example.com") // overwrites a comparison of the release
		text := w.read(t, "comparison/changes.json")
		for _, want := range []string{`"newly_blocked":1`, `Disallow: /sale`, `Disallow: /shop/`} {
			if !strings.Contains(strings.ReplaceAll(text, ": ", ":"), strings.ReplaceAll(want, ": ", ":")) {
				t.Errorf("no %s in %s", want, text)
			}
		}
		w.write(t, "proposed.txt", "User-agent: *\nDisallow: /cart\n")
		if said := w.must(t, cli.ExitFindings, "simulate -robots proposed.txt -site www.example.com -out simulated -fail-on flip run"); !strings.Contains(said, "allowed") {
			t.Errorf("simulate: %s", said)
		}
		if said := w.must(t, cli.ExitDone, "verify -expect expect.csv -run run"); !strings.Contains(said, "2 ") {
			t.Errorf("verify: %s", said)
		}
		w.must(t, cli.ExitDone, "report run -site www.example.com")
		if _, err := os.Stat(filepath.Join(w.dir, "run", "www.example.com.xlsx")); err != nil {
			t.Error(err)
		}
	})
}
