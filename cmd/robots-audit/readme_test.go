package main

import (
	"database/sql"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// readmeCommand says how a command of README.md or a guide is tested: by a shell in a kitchen, or
// by another test or step.
type readmeCommand struct {
	begins string // the command's beginning
	first  string // command that the shell runs before it
	code   int
	looks  []look
	test   string // another test that runs it; "" = none
	step   string // a line of .ci/run that runs it; "" = none
}

// readmeCommands are tried in this order: longer beginnings come first.
var readmeCommands = []readmeCommand{
	{begins: "go run ./cmd/robots-audit demo", step: "go run ./cmd/robots-audit demo"},
	{begins: "go test ./...", step: "go test ./..."},
	{begins: "sha256sum", test: "TestReleaseInstall"},
	{begins: "sudo apt install ./robots-audit", test: "TestReleaseInstall"},
	{begins: "sudo rpm -i robots-audit", test: "TestReleaseInstall"},
	{begins: "tar -x", test: "TestReleaseInstall"},
	{begins: "docker build", test: "TestExampleContainer"},
	{begins: "docker run", test: "TestExampleContainer"},
	{begins: "go install", step: "go run ./cmd/robots-audit demo"},
	{begins: "source <(robots-audit completion", test: "TestCompletionBash"},
	{begins: "robots-audit man", looks: []look{{file: "robots-audit.1", texts: []string{".TH "}}}},
	{begins: "robots-audit www.example.com -ask-as Googlebot,Bingbot,GPTBot,ClaudeBot", looks: askedLooks("let-in")},
	{begins: "robots-audit www.example.com -ask-as Googlebot,Bingbot -out", looks: askedLooks("firewall")},
	{begins: "robots-audit www.example.com -ask-as", looks: prints("1 site: ")},
	{begins: "robots-audit example.com shop.example.com -crawl", looks: prints("2 sites: ")},
	{begins: "robots-audit -domains list.txt -reports brief", looks: append(prints("2 sites: "), look{file: "client/briefs/www.example.com.html", texts: []string{"Example Agency", "data:image/svg"}})},
	{begins: "robots-audit report reports/2026-11-21 -reports brief", looks: []look{{file: "reports/2026-11-21/briefs/www.example.com.html", texts: []string{"Example Agency"}}}},
	{begins: "robots-audit report reports/2026-11-21 -site www.example.com -reports brief", looks: prints("www/briefs/www.example.com.html")},
	{begins: "robots-audit -domains list.txt -crawlers", looks: prints("2 sites: ")},
	{begins: "robots-audit -domains list.txt -crawl", looks: prints("2 sites: ")},
	{begins: "robots-audit -domains list.txt -out \"reports/$(date +%F)\"", looks: []look{{file: "told", texts: []string{"shop.example.com"}}}},
	{begins: "robots-audit -domains list.txt -out reports/2026-11-21 -resume", looks: prints("2 sites: ")},
	{begins: "robots-audit -domains list.txt -connect-to", looks: prints("2 sites: ")},
	{begins: "robots-audit -domains list.txt", looks: prints("2 sites: ")},
	{begins: "robots-audit serve", test: "TestServeTry"},
	{begins: "robots-audit lint -write-baseline", looks: []look{{file: "lint.baseline", texts: []string{"DIR"}}}},
	{begins: "robots-audit lint -baseline", looks: []look{{file: "robots.sarif", texts: []string{`"baselineState": "unchanged"`}}}},
	{begins: "robots-audit lint -fix", test: "TestScripts"},
	{begins: "robots-audit lint robots.txt", code: cli.ExitFindings, looks: prints("robots.txt:2:1")},
	{begins: "robots-audit check -crawler Googlebot -explain proposed-robots.txt", looks: prints("allow")},
	{begins: "robots-audit check -crawler Googlebot -explain https://", looks: prints("parsed (HTTP 200", "/some/page")},
	{begins: "robots-audit schedule -config config.toml -plan", looks: prints("shops")},
	{begins: "robots-audit schedule -config config.toml -once", looks: []look{{file: "history/history.db", texts: []string{"SQLite format 3"}}}},
	{begins: "robots-audit schedule -config config.toml -test", looks: prints("file 1: accepted by alerts.jsonl")},
	{begins: "robots-audit schedule -config config.toml -now", looks: []look{{file: "history/history.db", texts: []string{"SQLite format 3"}}}},
	{begins: "robots-audit schedule -config config.toml -ack", test: "TestScheduleAcknowledged"},
	{begins: "robots-audit schedule -config config.toml -accept", test: "TestScheduleAccept"},
	{begins: "robots-audit schedule -reindex", looks: []look{{file: "history/history.db", texts: []string{"SQLite format 3"}}}},
	{begins: "robots-audit schedule -config config.toml", test: "TestScheduleTerminated"},
	{begins: "robots-audit mcp", test: "TestMCPEnds"},
	{begins: "robots-audit help history", looks: prints("SELECT")},
	{begins: "sqlite3 ", test: "TestReadmeCommands"}, // this test runs its query with the driver
	{begins: "set -- ", test: "TestReadmeCommands"},  // before the command that follows
	{begins: "robots-audit compare", first: `rm -rf "reports/$(date +%F)"`, code: cli.ExitFindings, looks: prints("newly blocked")},
	{begins: "robots-audit simulate reports/2026-11-21 -site www.example.com -robots", looks: prints("newly allowed")},
	{begins: "robots-audit simulate reports/2026-11-21 -site www.example.com -free", looks: prints("Insert after line", "changes no other verdict")},
	{begins: "robots-audit simulate reports/2026-11-21 -site www.example.com -block", looks: prints("User-agent: ClaudeBot")},
	{begins: "robots-audit verify -run reports/2026-11-21 -robots www.example.com=robots.txt -fail-on-flips", looks: []look{{texts: []string{"5 URLs newly allowed"}}}},
	{begins: "robots-audit verify", code: cli.ExitFindings, looks: []look{{file: "comment.md", texts: []string{"https://www.example.com/sale"}}, {file: "verify.sarif", texts: []string{"sarif"}}}},
	{begins: "robots-audit migrate", code: cli.ExitFindings, looks: prints("2 pairs: ")},
}

// askedLooks look for what the firewall of www.example.com refuses to Googlebot's name.
func askedLooks(folder string) []look {
	const refused = "sked as Googlebot from here, the server refuses the sitemap https://www.example.com/sitemap.txt (HTTP 403 Forbidden)"
	return append(prints("1 site: "), look{file: folder + "/pages/www.example.com.html", texts: []string{refused, "let verified bots in"}})
}

// readmePrograms match the lines that are commands and not the text of a file.
var readmePrograms = regexp.MustCompile(`^(robots-audit|go|source|sqlite3|set|curl|wget|sh|bash|tar|sha256sum|docker|podman|brew|apt|npm|npx|git|cd|export|sudo|chmod|mv|cp|mkdir) `)

// guides returns README.md and the pages of .github/docs, by their names from the top level.
func guides(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{"README.md": clitest.Read(t, "..", "..", "README.md")}
	names, _ := filepath.Glob("../../.github/docs/*.md")
	for _, name := range names {
		pages[filepath.ToSlash(name)[len("../../"):]] = clitest.Read(t, name)
	}
	if len(pages) < 15 {
		t.Fatalf("%d pages, expected 15 or more", len(pages))
	}
	return pages
}

// TestReadmeCommands runs every command of README.md and the guides, or checks that a test or step
// runs it. TestCookbook and TestLogsGuide run those of two guides, and TestReadmeFleet those of the fleet.
func TestReadmeCommands(t *testing.T) {
	t.Parallel()
	read := func(names ...string) string {
		text := clitest.Read(t, names...)
		return text
	}
	steps, pages := read("..", "..", ".ci", "run"), guides(t)
	delete(pages, ".github/docs/cookbook.md")
	delete(pages, ".github/docs/logs.md")
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		text.WriteString(pages[name])
	}
	readme := text.String()
	var tests strings.Builder
	files, _ := filepath.Glob("../*/*_test.go")
	for _, name := range files {
		tests.WriteString(read(name))
	}
	next := strings.TrimSuffix(cli.NextVersion, "-dev")
	for _, named := range regexp.MustCompile(`robots-audit(?:_|@v)([0-9]+\.[0-9.]*[0-9])`).FindAllStringSubmatch(readme, -1) {
		if named[1] != next {
			t.Errorf("%s is not of the next release, %s", named[0], next)
		}
	}
	k := newKitchen(t)
	k.twoRuns(t, "reports/2026-11-20", "reports/2026-11-21")
	k.write(t, "proposed-robots.txt", kitchenFiles["new-robots.txt"])
	k.write(t, "logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n")
	k.write(t, "urls.txt", "https://www.example.com/about\n")
	k.write(t, "visits.csv", "Seite;Besuche\nhttps://www.example.com/\xea\xe0\xf4\xe5;7\n")
	k.write(t, "staging-ca.pem", read(k.dir, "ca.pem"))
	for _, made := range []string{"mkdir bin public; cp robots.txt public", `printf '#!/bin/sh\ncp "$1" told\n' >bin/mail-the-team; chmod +x bin/mail-the-team`} {
		if code, said := k.run(t, made); code != cli.ExitDone {
			t.Fatal(said)
		}
	}
	path := "PATH=" + filepath.Join(k.dir, "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	here := strings.NewReplacer("/usr/local/share/man/man1/", "", "/var/lib/robots-audit", "history", "/etc/robots-audit/fleet", "fleet", "10.1.2.3:8443", k.address+" -connect-to ::"+k.address)
	before, found := "", 0
	for _, line := range commandLine.FindAllStringSubmatch(readme, -1) {
		command, _, _ := strings.Cut(line[1], "  #")
		command = strings.TrimSpace(command)
		if !readmePrograms.MatchString(command) {
			continue
		}
		found++
		var c *readmeCommand
		for i := range readmeCommands {
			if strings.HasPrefix(command, readmeCommands[i].begins) {
				c = &readmeCommands[i]
				break
			}
		}
		if c == nil || len(c.looks) == 0 && c.test == "" && c.step == "" {
			t.Errorf("no test runs: %s", command)
			continue
		}
		if c.test != "" && !strings.Contains(tests.String(), "\nfunc "+c.test+"(t *testing.T)") || !strings.Contains(steps, c.step) {
			t.Errorf("%s: there is no %s%s", command, c.test, c.step)
		}
		if _, query, ok := strings.Cut(command, `history.db "`); ok {
			askHistory(t, filepath.Join(k.dir, "history", "history.db"), strings.TrimSuffix(query, `"`))
		}
		if strings.HasPrefix(command, "set -- ") {
			before = command + "\n"
		}
		if len(c.looks) == 0 {
			continue
		}
		code, said := k.run(t, c.first+"\n"+before+here.Replace(command), path)
		before = ""
		if code != c.code {
			t.Errorf("%s: exit code %d, want %d: %.1500s", command, code, c.code, said)
		}
		for _, l := range c.looks {
			if err := k.look(t, l, said); err != nil {
				t.Errorf("%s: %v", command, err)
			}
		}
	}
	if found < 30 {
		t.Errorf("%d commands, expected more", found)
	}
}

// askHistory runs a query of the documentation on a history.
func askHistory(t *testing.T, file, query string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(query)
	if err != nil {
		t.Errorf("%s: %v", query, err)
		return
	}
	defer rows.Close()
	if columns, err := rows.Columns(); err != nil || len(columns) == 0 {
		t.Errorf("%s: %d columns, %v", query, len(columns), err)
	}
}
