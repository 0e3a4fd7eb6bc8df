package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// upgradeSites are the responses of the sites in the files of releases, by host and path. Changes
// must keep the files of earlier releases valid for them.
var upgradeSites = map[string]string{
	"www.example.com/robots.txt":   upgradeFaces[""],
	"www.example.com/sitemap.txt":  "https://www.example.com/\nhttps://www.example.com/cart\nhttps://www.example.com/cartography\nhttps://www.example.com/sale\nhttps://www.example.com/shop/new\nhttps://www.example.com/about\n",
	"www.example.com/":             "<!doctype html><title>Shop</title><a href=/about>About</a><a href=/shop/old>Old</a>",
	"www.example.com/about":        "<!doctype html><meta name=robots content=noindex><title>About</title>",
	"open.example.com/":            "<!doctype html><title>Open</title>",
	"slow.example.com/robots.txt":  "User-agent: *\nDisallow: /a\nSitemap: https://slow.example.com/sitemap.txt\n",
	"slow.example.com/sitemap.txt": "https://slow.example.com/a\nhttps://slow.example.com/b\n",
}

// upgradeFaces are the robots.txt of www.example.com: "" is the first.
var upgradeFaces = map[string]string{
	"":        "User-agent: *\nDisallow: /cart\nDisallow: /shop/\nDisalow: /old\n\nUser-agent: GPTBot\nDisallow: /\n\nSitemap: https://www.example.com/sitemap.txt\n",
	"changed": "User-agent: *\nDisallow: /cart\nDisallow: /sale\n\nUser-agent: GPTBot\nDisallow: /\n\nSitemap: https://www.example.com/sitemap.txt\n",
}

// upgradeFiles are the files that the commands use. The configuration also sends alerts to a file
// in a missing folder, so that a message waits for delivery.
var upgradeFiles = map[string]string{
	"list.txt":      "www.example.com\nopen.example.com\nhttps://down.example.com\n",
	"cut.txt":       "www.example.com\nopen.example.com\nslow.example.com\n",
	"clicks.csv":    "url,clicks,impressions\nhttps://www.example.com/sale,120,900\nhttps://www.example.com/cart,7,10\n",
	"segments.csv":  "name,pattern\nshop,/shop/\ncart,/cart\n",
	"important.csv": "url\nhttps://www.example.com/sale\n",
	"expect.csv":    "url,crawler,expect\nhttps://www.example.com/,Googlebot,allow\nhttps://www.example.com/cart,Googlebot,disallow\n",
	"map.csv":       "old,new,clicks\nhttps://www.example.com/about,https://www.example.com/,5\n",
	"robots.txt":    upgradeFaces[""],
	"questions.jsonl": `{"id":1,"robots":"User-agent: *\nDisallow: /a\nCrawl-delay: 2\nSitemap: https://www.example.com/s.xml","crawler":"Googlebot","urls":["https://www.example.com/a/b","/c"],"explain":true}` + "\n" +
		`{"id":2,"robots":"","token":"Bot","fetch":{"status":503,"unreachable_hours":6},"urls":["/a"]}` + "\n" + `{"id":3,"crawler":"Googlebot"}` + "\n",
	"history.toml": "[history]\ndir = \"history\"\n\n[[schedule]]\nname = \"shops\"\ncron = \"0 6 * * *\"\ntimezone = \"UTC\"\ndomains = \"list.txt\"\n\n" +
		"[alerts]\nimportant = \"important.csv\"\nconfirm_after = \"0s\"\n\n[[alerts.file]]\npath = \"alerts.jsonl\"\n\n[[alerts.file]]\npath = \"outbox/alerts.jsonl\"\n",
}

// upgradeNote is a person's note in the workbook of a release's history.
const upgradeNote = "meant so until spring"

// upgradeBook is the workbook with the note.
const upgradeBook = "history/runs/20261103T060010Z/www.example.com.xlsx"

// upgradeWorld is a folder with the files of the commands, and the sites.
type upgradeWorld struct {
	*namedSites
	program string

	mu    sync.Mutex
	face  string
	slow  chan struct{} // slow.example.com answers once this is closed; nil = at once
	asked []string      // host and path
}

func newUpgradeWorld(t *testing.T, program string) *upgradeWorld {
	t.Helper()
	w := &upgradeWorld{program: program}
	w.namedSites = newNamedSites(t, upgradeFiles, w)
	return w
}

func (w *upgradeWorld) ServeHTTP(to http.ResponseWriter, r *http.Request) {
	at := r.Host + r.URL.Path
	w.mu.Lock()
	w.asked = append(w.asked, at)
	text, ok := upgradeSites[at]
	if at == "www.example.com/robots.txt" {
		text = upgradeFaces[w.face]
	}
	slow := w.slow
	w.mu.Unlock()
	if slow != nil && r.Host == "slow.example.com" {
		select {
		case <-slow:
		case <-r.Context().Done():
		}
	}
	switch {
	case r.Host == "down.example.com":
		panic(http.ErrAbortHandler) // disconnects without a response
	case !ok:
		http.NotFound(to, r)
		return
	case filepath.Ext(at) == ".txt":
		to.Header().Set("Content-Type", "text/plain; charset=utf-8")
	default:
		to.Header().Set("Content-Type", "text/html; charset=utf-8")
	}
	io.WriteString(to, text)
}

// serve sets the robots.txt that www.example.com serves from now on.
func (w *upgradeWorld) serve(face string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.face = face
}

// askedOf are the paths requested from a host.
func (w *upgradeWorld) askedOf(host string) (paths []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, at := range w.asked {
		if path, ok := strings.CutPrefix(at, host+"/"); ok {
			paths = append(paths, "/"+path)
		}
	}
	return paths
}

// command is the program in the folder; args are separated by blanks.
func (w *upgradeWorld) command(args string, env ...string) *exec.Cmd {
	cmd := exec.Command(w.program, strings.Fields(args)...)
	cmd.Dir, cmd.Env = w.dir, append(slices.Clone(w.env), env...)
	return cmd
}

// run runs the program to its end, and returns its exit code and all output.
func (w *upgradeWorld) run(t *testing.T, args string, env ...string) (code int, said string) {
	t.Helper()
	out, err := w.command(args, env...).CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode(), string(out)
	} else if err != nil {
		t.Fatalf("robots-audit %s: %v", args, err)
	}
	return 0, string(out)
}

// must is run for a command that must end with this code.
func (w *upgradeWorld) must(t *testing.T, code int, args string, env ...string) (said string) {
	t.Helper()
	is, said := w.run(t, args, env...)
	if is != code {
		t.Fatalf("robots-audit %s: exit code %d, want %d: %s", args, is, code, said)
	}
	return said
}

// cutOff kills a command once two sites are in its journal; the third one does not answer.
func (w *upgradeWorld) cutOff(t *testing.T, journal, args string, env ...string) {
	t.Helper()
	w.mu.Lock()
	w.slow = make(chan struct{})
	w.mu.Unlock()
	cmd := w.command(args, env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for lines := 0; lines < 2; {
		select {
		case err := <-ended:
			t.Fatalf("robots-audit %s has ended: %v", args, err)
		case <-time.After(20 * time.Millisecond):
			text, _ := os.ReadFile(filepath.Join(w.dir, journal))
			lines = bytes.Count(text, []byte("\n"))
		}
	}
	cmd.Process.Kill()
	<-ended
	w.mu.Lock()
	close(w.slow)
	w.slow, w.asked = nil, nil
	w.mu.Unlock()
}
