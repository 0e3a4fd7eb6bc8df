package main

import (
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
	"map.csv":            "old,new,clicks\nhttps://old.example.com/a,https://www.example.com/about,5\nhttps://old.example.com/c,https://www.example.com/,7\n",
	"config.toml": "[history]\ndir = \"history\"\n\n[[schedule]]\nname = \"shops\"\ncron = \"0 6 * * *\"\ntimezone = \"UTC\"\ndomains = \"list.txt\"\n\n" +
		"[alerts]\nimportant = \"important.csv\"\nconfirm_after = \"0s\"\n\n[[alerts.file]]\npath = \"alerts.jsonl\"\n",
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
		switch {
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
	known := map[string]bool{}
	for _, part := range parts[1:] {
		question, answer, _ := strings.Cut(part, "\n")
		commands := commandLine.FindAllStringSubmatch(answer, -1)
		if len(commands) == 0 {
			t.Errorf("%s: no command", question)
		}
		looked := map[string]bool{}
		for _, command := range commands {
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
			t.Errorf("not in the cookbook: %s", command)
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
