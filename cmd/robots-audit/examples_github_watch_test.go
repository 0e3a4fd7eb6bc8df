//go:build examples

package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// exampleGH replaces GitHub's program gh. It keeps issues in the file FOLDER/issues.json, and its
// calls in FOLDER/calls. It fails if there is a file FOLDER/down.
const exampleGH = `#!/bin/bash
set -euo pipefail
cd "FOLDER"
[ "$GH_TOKEN $GH_REPO" = "a-token team/site" ] && [ ! -e down ] || exit 4
echo "$*" >>calls
command="$1 $2" number="" force=""
declare -A of=()
shift 2
case $command in "issue edit" | "issue close") number=$1; shift ;; "label create") [ "$1" = robots-audit ]; shift ;; esac
while [ $# -gt 0 ]; do
  case $1 in --force) force=yes; shift ;; --*) of[$1]=$2; shift 2 ;; *) exit 1 ;; esac
done
body() { [ "$(wc -m <"${of[--body-file]}")" -le 65536 ] && jq -Rrs . <"${of[--body-file]}" >body; }
change() { jq --argjson number "${number:-0}" --arg title "${of[--title]:-}" --arg comment "${of[--comment]:-}" --rawfile body body "$1" issues.json >new && mv new issues.json; }
case $command in
  "issue list") jq --arg want "${of[--label]}" "map(select((.labels | index(\$want)) and \"${of[--state]}\" == \"all\") | {${of[--json]}})" issues.json ;;
  "label create") [ "$force" = yes ] && touch label ;;
  "issue create") [ -e label ] && [ "${of[--label]}" = robots-audit ] && body && change '. + [{number: (length + 1), state: "OPEN", labels: ["robots-audit"], $title, $body}]' ;;
  "issue edit") body && change '(.[] | select(.number == $number)) |= . + {$title, $body}' ;;
  "issue close") touch body && change '(.[] | select(.number == $number)) |= . + {state: "CLOSED", $comment}' ;;
  *) exit 1 ;;
esac
`

// exampleIssue is an issue of exampleGH.
type exampleIssue struct {
	Number                      int
	State, Title, Body, Comment string
	Labels                      []string
}

// TestExampleGitHubWatch runs the workflow that watches a site, day by day.
func TestExampleGitHubWatch(t *testing.T) {
	g := &githubRunner{exampleWorld: newExampleWorld(t), cache: map[string]string{}}
	g.api.start(t)
	releases := map[string]string{}
	g.server = serveFiles(t, releases)
	var example, watch githubWorkflow
	readExample(t, "github-watch.yml", &example)
	readExample(t, filepath.Join("..", "workflows", "watch.yml"), &watch)
	call, inputs := example.Jobs["watch"], watch.On.Call.Inputs
	if !strings.HasSuffix(call.Uses, "/.github/workflows/watch.yml@v"+strings.TrimSuffix(cli.NextVersion, "-dev")) {
		t.Errorf("%s is not the workflow of this version", call.Uses)
	}
	values := map[string]string{
		"github.repository": "team/site", "github.run_attempt": "1", "runner.temp": filepath.Join(g.dir, "temp"), "secrets.token || github.token": "a-token",
		"job.workflow_repository": "tools/robots-audit", "job.workflow_sha": "sha", "job.workflow_ref": "tools/robots-audit/.github/workflows/watch.yml@refs/tags/v9.9.9",
	}
	for name, input := range inputs {
		if values["inputs."+name] = input.Default; input.Description == "" {
			t.Errorf("input %s: no description", name)
		}
	}
	for name, value := range call.With {
		if _, known := inputs[name]; !known {
			t.Errorf("the workflow has no input %s", name)
		}
		values["inputs."+name] = value
	}
	values["inputs.site"], values["inputs.audit-flags"] = g.values()["SITE"], g.values()["AUDIT_FLAGS"]

	hub := filepath.Join(g.dir, "hub")
	if err := os.MkdirAll(hub, 0o777); err != nil {
		t.Fatal(err)
	}
	// An issue of somebody else, and one with our marker but without our label.
	clitest.Write(t, hub, map[string]string{
		"issues.json": `[{"number": 1, "state": "OPEN", "title": "", "body": "About robots.txt", "labels": ["robots-audit"]}, {"number": 2, "state": "OPEN", "title": "", "body": "<!-- robots-audit watch: http://shop.example x -->", "labels": []}]`,
		"gh":          strings.ReplaceAll(exampleGH, "FOLDER", hub),
	})
	if err := os.Chmod(filepath.Join(hub, "gh"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", hub+":"+os.Getenv("PATH"))
	issues := func() (list []exampleIssue) {
		if err := json.Unmarshal([]byte(clitest.Read(t, hub, "issues.json")), &list); err != nil {
			t.Fatal(err)
		}
		if list[0].State != "OPEN" || list[1].State != "OPEN" || list[0].Title+list[1].Title != "" {
			t.Fatalf("issues of others: %+v", list)
		}
		return list[2:]
	}
	day := 100
	// today runs the workflow on a site, and returns the issues as they are then.
	today := func(failed, robots string, states ...string) []exampleIssue {
		t.Helper()
		day++
		values["github.run_id"] = strconv.Itoa(day)
		if g.files != nil && robots != "" {
			g.files["/robots.txt"] = robots
		}
		calls, kept := clitest.Read(t, hub, "issues.json"), maps.Clone(g.cache)
		got := g.run(t, watch.Jobs["watch"].Steps, filepath.Join(g.dir, "workspace"), githubEvent{values: values})
		list := issues()
		var are []string
		for _, issue := range list {
			are = append(are, issue.State)
		}
		if got.failed != failed || strings.Join(are, " ") != strings.Join(states, " ") {
			t.Fatalf("day %d: failed %q, want %q; %+v", day, got.failed, failed, list)
		}
		if failed != "" && (calls != clitest.Read(t, hub, "issues.json") || !maps.Equal(kept, g.cache)) {
			t.Errorf("day %d: a site that is unknown changed something", day)
		}
		if got.built != (day == 101) {
			t.Errorf("day %d: built %v", day, got.built)
		}
		return list
	}
	blocking, more := exampleRobots+"Disallow: /products/\n", exampleRobots+"Disallow: /\n"

	// There is no release, so the first run builds the program. The next ones download it.
	today("", exampleRobots)
	release, _ := exampleRelease(t, "tools/robots-audit", "9.9.9", clitest.Read(t, g.dir, "temp", "robots-audit-program", "robots-audit"))
	maps.Copy(releases, release)
	today("", exampleRobots)

	// URLs become blocked: an issue is opened, and updated.
	list := today("", blocking, "OPEN")
	if list[0].Title != "http://shop.example: 2 URLs newly blocked" {
		t.Errorf("title %q", list[0].Title)
	}
	hasTexts(t, "issue", list[0].Body, "<!-- robots-audit watch: http://shop.example ", "-->\n\n2 URLs are newly blocked", "Disallow: /products/", "To accept the changes, close it", g.server.URL+"/team/site/actions/runs/42")
	list = today("", more, "OPEN")
	hasTexts(t, "issue", list[0].Title+list[0].Body, "http://shop.example: 3 URLs newly blocked", "/about")

	// The site does not answer, then it has no URLs, then other URLs, then gh fails: nothing changes.
	files := g.files
	g.files = nil
	today("Watch", "", "OPEN")
	g.files = maps.Clone(files)
	delete(g.files, "/sitemap.xml")
	today("Watch", strings.Split(exampleRobots, "Sitemap")[0], "OPEN")
	g.files["/sitemap.xml"] = strings.NewReplacer("/products/", "/new/", "/about", "/new").Replace(exampleSitemap)
	today("Watch", exampleRobots, "OPEN")
	hasTexts(t, "log", g.said, "could not be compared with its last run")
	g.files = files

	// The blocked URLs leave the sitemap: they are still blocked.
	g.files["/sitemap.xml"] = strings.ReplaceAll(exampleSitemap, "/products/", "/new/")
	list = today("", blocking, "OPEN")
	hasTexts(t, "issue", list[0].Title+list[0].Body, "http://shop.example: 2 URLs newly blocked", "-->\n\nThe site no longer lists some of these URLs. They count, because crawlers still know them.\n\n- ❌ `newly-blocked`: 1 site fails: shop.example (2 URLs newly blocked)", "Disallow: /products/")
	g.files["/sitemap.xml"] = exampleSitemap
	clitest.Write(t, hub, map[string]string{"down": ""})
	today("Watch", exampleRobots, "OPEN")
	os.Remove(filepath.Join(hub, "down"))

	// The URLs are allowed again: it is closed. The next trouble gets an issue of its own.
	list = today("", exampleRobots, "CLOSED")
	hasTexts(t, "comment", list[0].Comment, "Resolved: ")
	g.files = nil
	today("Watch", "", "CLOSED")
	g.files = files
	today("", exampleRobots, "CLOSED")
	today("", blocking, "CLOSED", "OPEN")

	// A person accepts the change. What is blocked meanwhile is still reported.
	text := regexp.MustCompile(`"OPEN"(,\s+"labels": \[\s+"robots-audit"\s+\],\s+"title": "http:)`).ReplaceAllString(clitest.Read(t, hub, "issues.json"), `"CLOSED"$1`)
	clitest.Write(t, hub, map[string]string{"issues.json": text})
	list = today("", more, "CLOSED", "CLOSED", "OPEN")
	if list[2].Title != "http://shop.example: 1 URL newly blocked" {
		t.Errorf("title %q", list[2].Title)
	}
	today("", blocking, "CLOSED", "CLOSED", "CLOSED")
	g.files["/sitemap.xml"] = strings.ReplaceAll(exampleSitemap, "/products/", "/new/")
	today("", blocking, "CLOSED", "CLOSED", "CLOSED")
	g.files["/sitemap.xml"] = exampleSitemap
	today("", blocking, "CLOSED", "CLOSED", "CLOSED")

	// The cache is lost: an issue that compares with a run of it stays open, and no other is opened.
	today("", more, "CLOSED", "CLOSED", "CLOSED", "OPEN")
	clear(g.cache)
	g.files = nil
	today("Watch", "", "CLOSED", "CLOSED", "CLOSED", "OPEN")
	g.files = files
	today("", more, "CLOSED", "CLOSED", "CLOSED", "OPEN")
	today("", more, "CLOSED", "CLOSED", "CLOSED", "OPEN")
	hasTexts(t, "log", g.said, "Close the issue if it is resolved")

	// Inputs without a meaning are refused.
	for name, value := range map[string]string{"inputs.site": "--help", "inputs.fail-on": "never"} {
		before := values[name]
		values[name] = value
		today("Watch", more, "CLOSED", "CLOSED", "CLOSED", "OPEN")
		values[name] = before
	}
}
