package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/xuri/excelize/v2"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// kitchenSites are the responses of the cookbook's hosts, by host and path. "→" marks the target of
// a redirect, and "!" an error.
var kitchenSites = map[string]string{
	"www.example.com/robots.txt": `User-agent: *
Disallow: /cart
Disallow: /sale
Disallow: /shop/
Disallow: /assets/
Disallow: /*?sort=
Allow: /books/

User-agent: GPTBot
Disallow: /

Sitemap: https://www.example.com/sitemap.txt
`,
	"www.example.com/sitemap.txt": "https://www.example.com/\nhttps://www.example.com/cart\nhttps://www.example.com/cartography\n" +
		"https://www.example.com/sale\nhttps://www.example.com/shop/sale\nhttps://www.example.com/shop/new\nhttps://www.example.com/about\nhttps://www.example.com/books/crime/?sort=price\n",
	"www.example.com/":               "<!doctype html><title>Shop</title><link rel=stylesheet href=/assets/style.css><a href=/about>About</a>",
	"www.example.com/about":          "<!doctype html><title>About</title>",
	"shop.example.com/robots.txt":    "!",
	"staging.example.com/robots.txt": "User-agent: *\nDisallow: /\n",
	"old.example.com/robots.txt":     "User-agent: *\nDisallow: /c\n",
	"old.example.com/a":              "→https://www.example.com/about",
	"old.example.com/c":              "→https://www.example.com/",
}

// kitchenFaces are other robots.txt that www.example.com serves for a while.
var kitchenFaces = map[string]string{
	"october": "User-agent: *\nDisallow: /cart\n\nSitemap: https://www.example.com/sitemap.txt\n",
	"staging": "User-agent: *\nDisallow: /\n",
}

// kitchenFiles are the files that the commands use.
var kitchenFiles = map[string]string{
	"list.txt":           "www.example.com\nshop.example.com\n",
	"search-console.csv": "url,clicks,impressions\nhttps://www.example.com/sale,120,900\nhttps://www.example.com/about,3,10\n",
	"pages.txt":          "https://www.example.com/\n" + kitchenSites["www.example.com/sitemap.txt"],
	"indexed.csv":        "url\nhttps://www.example.com/shop/new\n",
	"segments.csv":       "name,pattern\nshop,/shop/\ncart,/cart\n",
	"new-robots.txt":     "User-agent: *\nDisallow: /cart\n\nSitemap: https://www.example.com/sitemap.txt\n",
	"robots.txt":         "User-agent: *\nDisalow: /cart\nDisallow: /sale\n",
	"expect.csv":         "url,crawler,expect\nhttps://www.example.com/,Googlebot,allow\nhttps://www.example.com/sale,Googlebot,allow\n",
	"important.csv":      "url\nhttps://www.example.com/sale\n",
	"access.log":         kitchenLog(),
	"access.json":        `{"uri":"/about","ua":"Googlebot/2.1","ts":"2026-04-02T05:00:00Z","code":200,"ip":"66.249.66.1"}` + "\n",
	"map.csv":            "old,new,clicks\nhttps://old.example.com/a,https://www.example.com/about,5\nhttps://old.example.com/c,https://www.example.com/,7\n",
	"config.toml": "[history]\ndir = \"history\"\n\n[[schedule]]\nname = \"shops\"\ncron = \"0 6 * * *\"\ntimezone = \"UTC\"\ndomains = \"list.txt\"\n\n" +
		"[alerts]\nimportant = \"important.csv\"\nconfirm_after = \"0s\"\n\n[[alerts.file]]\npath = \"alerts.jsonl\"\n",
}

// kitchenLog is an access log of www.example.com for the time of [kitchen.watch]. GPTBot reads the
// new robots.txt and does not obey it. Googlebot knows only the old one, and somebody uses its name.
func kitchenLog() string {
	const googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
	const gptbot = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)"
	const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
	var b strings.Builder
	for _, of := range []struct{ time, address, agent, target string }{
		{"02/Apr/2026:05:00:00", "66.249.66.1", googlebot, "/robots.txt"},
		{"02/Apr/2026:05:01:00", "66.249.66.2", googlebot, "/about"},
		{"02/Apr/2026:05:02:00", "66.249.66.1", googlebot, "/search/shoes?page=1"},
		{"02/Apr/2026:05:03:00", "66.249.66.1", googlebot, "/search/shoes?page=2"},
		{"02/Apr/2026:05:04:00", "66.249.66.1", googlebot, "/search/hats"},
		{"05/Apr/2026:07:00:00", "20.171.206.5", gptbot, "/robots.txt"},
		{"06/Apr/2026:12:00:00", "20.171.206.5", gptbot, "/about"},
		{"06/Apr/2026:12:01:00", "66.249.66.1", googlebot, "/sale"},
		{"06/Apr/2026:12:02:00", "198.51.100.7", googlebot, "/about"},
		{"06/Apr/2026:12:03:00", "192.0.2.9", browser, "/about?mail=visitor@example.com&key=secret-of-a-visitor"},
	} {
		fmt.Fprintf(&b, "%s - - [%s +0000] \"GET %s HTTP/1.1\" 200 512 \"-\" \"%s\"\n", of.address, of.time, of.target, of.agent)
	}
	return b.String()
}

// kitchen is a folder with the files of the documentation, and sites with its host names.
type kitchen struct {
	*namedSites
	face atomic.Value // which of kitchenFaces is served; "" = none
}

func newKitchen(t *testing.T) *kitchen {
	k := &kitchen{}
	k.face.Store("")
	k.namedSites = newNamedSites(t, kitchenFiles, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := kitchenSites[r.Host+r.URL.Path]
		if face := kitchenFaces[k.face.Load().(string)]; face != "" && r.Host+r.URL.Path == "www.example.com/robots.txt" {
			text = face
		}
		to, redirected := strings.CutPrefix(text, "→")
		switch agent := r.UserAgent(); {
		case strings.Contains(agent, "GPTBot/") && r.URL.Path != "/robots.txt", strings.Contains(agent, "Googlebot/") && r.URL.Path == "/sitemap.txt":
			http.Error(w, "Forbidden", http.StatusForbidden) // the firewall knows their names
		case !ok:
			http.NotFound(w, r)
		case redirected:
			http.Redirect(w, r, to, http.StatusMovedPermanently)
		case text == "!":
			http.Error(w, "Service Unavailable", http.StatusServiceUnavailable)
		case filepath.Ext(r.URL.Path) == ".txt":
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			io.WriteString(w, text)
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, text)
		}
	}))
	k.env = append(k.env, "ROBOTS_AUDIT_NO_CACHE=true")
	return k
}

// twoRuns makes two runs, the first of them in October.
func (k *kitchen) twoRuns(t *testing.T, october, november string) {
	t.Helper()
	for _, of := range [][2]string{{"october", october}, {"", november}} {
		k.face.Store(of[0])
		if code, said := k.run(t, "robots-audit -domains list.txt -out "+of[1]); code != cli.ExitDone {
			t.Fatalf("%s: exit code %d: %s", of[1], code, said)
		}
	}
}

// watch makes a history of four runs. The robots.txt of October was in force at the first two.
func (k *kitchen) watch(t *testing.T) {
	t.Helper()
	for _, of := range [][2]string{{"1", "october"}, {"3", "october"}, {"5", ""}, {"7", ""}} {
		k.face.Store(of[1])
		if code, said := k.run(t, "robots-audit schedule -config config.toml -once", "TEST_CLOCK=2026-04-0"+of[0]+"T06:00:10Z"); code != cli.ExitDone {
			t.Fatalf("%s: exit code %d: %s", of[0], code, said)
		}
	}
}

// run runs a command in the folder with a shell, and returns its exit code and output.
func (k *kitchen) run(t *testing.T, command string, env ...string) (code int, said string) {
	t.Helper()
	// check reads no settings from the environment.
	command = strings.Replace(command, "robots-audit check ", "robots-audit check -ca-cert ca.pem -connect-to :443:"+k.address+" ", 1)
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = k.dir, append(slices.Clone(k.env), env...)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode(), string(out)
	} else if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return 0, string(out)
}

// look is where an answer must be: a row of a sheet with these cells, by column. With sheet "" it
// is a file, or the output, with these texts.
type look struct {
	file  string // "" = the output of the command
	sheet string
	row   map[string]string // column and cell
	texts []string
}

// recipe says how a command of the cookbook runs here, and where its answer must be.
type recipe struct {
	before string // the environment of an earlier run in October; "" = none
	env    string // the environment in which it runs
	face   string // of www.example.com during the run
	code   int
	looks  []look
}

var (
	commandLine = regexp.MustCompile(`(?m)^    (\S.*)$`)
	italics     = regexp.MustCompile(`\*([^*\n]+)\*`)
)

// TestCookbook runs every command of the cookbook, and checks the answer at the place that the
// cookbook names.
func TestCookbook(t *testing.T) {
	t.Parallel()
	text := clitest.Read(t, "..", "..", ".github", "docs", "cookbook.md")
	parts := strings.Split(text, "\n## ")
	if len(parts) != 22 {
		t.Errorf("%d questions, want 21", len(parts)-1)
	}
	k := newKitchen(t)
	k.twoRuns(t, "reports/2026-10", "reports/2026-11")
	k.cook(t, parts[1:], recipes)
}

// TestLogsGuide does the same with the guide to access logs.
func TestLogsGuide(t *testing.T) {
	t.Parallel()
	parts := strings.Split(clitest.Read(t, "..", "..", ".github", "docs", "logs.md"), "\n## ")
	k := newKitchen(t)
	k.watch(t)
	k.cook(t, slices.DeleteFunc(parts, func(part string) bool { return !strings.Contains(part, "\n    robots-audit ") }), logRecipes)
	k.noVisitors(t, "crawlers", "by-file", "with-logs")
}

// noVisitors checks that no file of these folders has anything of the visitor in the access log, or
// an address or a query value of anybody.
func (k *kitchen) noVisitors(t *testing.T, folders ...string) {
	t.Helper()
	for _, folder := range folders {
		files := eachText(t, filepath.Join(k.dir, folder), func(name string, text []byte) {
			for _, private := range []string{"192.0.2.9", "Firefox", "198.51.100.7", "66.249.66.1", "20.171.206.5", "visitor@example.com", "secret-of-a-visitor", "page=1"} {
				if bytes.Contains(text, []byte(private)) {
					t.Errorf("%s has %s", name, private)
				}
			}
		})
		if files < 3 {
			t.Errorf("%s has %d files", folder, files)
		}
	}
}

// cook runs every command of parts, which begin with a question, and checks the answers.
func (k *kitchen) cook(t *testing.T, parts []string, recipes map[string]recipe) {
	t.Helper()
	known := map[string]bool{}
	for _, part := range parts {
		question, answer, _ := strings.Cut(part, "\n")
		commands := commandLine.FindAllStringSubmatch(answer, -1)
		if len(commands) == 0 {
			t.Errorf("%s: no command", question)
		}
		looked := map[string]bool{}
		for _, command := range commands {
			if !readmePrograms.MatchString(command[1]) {
				continue // text of a file
			}
			r, ok := recipes[command[1]]
			if !ok || len(r.looks) == 0 {
				t.Errorf("%s: no look at the answer of: %s", question, command[1])
				continue
			}
			known[command[1]] = true
			if r.before != "" {
				k.face.Store("october")
				if code, said := k.run(t, command[1], r.before); code != cli.ExitDone {
					t.Fatalf("%s: exit code %d: %s", command[1], code, said)
				}
			}
			k.face.Store(r.face)
			code, said := k.run(t, strings.ReplaceAll(command[1], "10.1.2.3:8443", k.address), r.env)
			if code != r.code {
				t.Errorf("%s: exit code %d, want %d: %s", command[1], code, r.code, said)
			}
			for _, l := range r.looks {
				if err := k.look(t, l, said); err != nil {
					t.Errorf("%s: %v", command[1], err)
				}
				for name := range l.row {
					looked[name] = true
				}
				looked[l.sheet] = true
				if name := filepath.Base(l.file); l.file != "" && !strings.Contains(answer, name) {
					t.Errorf("%s: the answer does not name %s", question, name)
				}
			}
		}
		for _, name := range italics.FindAllStringSubmatch(commandLine.ReplaceAllString(answer, ""), -1) {
			if !looked[name[1]] {
				t.Errorf("%s: no look at *%s*", question, name[1])
			}
			delete(looked, name[1])
		}
		delete(looked, "")
		for name := range looked {
			if !strings.Contains(answer, "*"+name+"*") {
				t.Errorf("%s: the answer does not name *%s*", question, name)
			}
		}
	}
	for command := range recipes {
		if !known[command] {
			t.Errorf("in no question: %s", command)
		}
	}
}

// look returns an error if the answer is missing.
func (k *kitchen) look(t *testing.T, l look, said string) error {
	t.Helper()
	if l.sheet == "" {
		if l.file != "" {
			text, err := os.ReadFile(filepath.Join(k.dir, l.file))
			if err != nil {
				return err
			}
			said = string(text)
		}
		for _, text := range l.texts {
			if !strings.Contains(said, text) {
				return fmt.Errorf("%s: no %q in %.3000s", l.file, text, said)
			}
		}
		return nil
	}
	book, err := excelize.OpenFile(filepath.Join(k.dir, l.file))
	if err != nil {
		return err
	}
	defer book.Close()
	var columns []string
	for column := range l.row {
		columns = append(columns, column)
	}
	if len(columns) == 0 {
		return errors.New("no column is looked at")
	}
	rows := sheetRows(t, book, l.sheet, columns...)
	for _, row := range rows {
		if !slices.ContainsFunc(columns, func(c string) bool {
			return !strings.Contains(row[slices.Index(columns, c)], l.row[c])
		}) {
			return nil
		}
	}
	all, _ := book.GetRows(l.sheet)
	return fmt.Errorf("%s: sheet %s has no row %q but %q; sheets: %q", l.file, l.sheet, l.row, all[:min(6, len(all))], book.GetSheetList())
}
