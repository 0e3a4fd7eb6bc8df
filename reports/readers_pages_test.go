//go:build readers

package reports

import (
	"encoding/json"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine"
)

// readerFile is a file in the folder that .ci/install-readers has filled.
func readerFile(t testing.TB, parts ...string) string {
	t.Helper()
	dir := os.Getenv("ROBOTS_AUDIT_READERS")
	if dir == "" {
		t.Fatal("ROBOTS_AUDIT_READERS does not name the folder that .ci/install-readers has filled")
	}
	name := filepath.Join(append([]string{dir}, parts...)...)
	if _, err := os.Stat(name); err != nil {
		t.Fatal(err)
	}
	return name
}

// nuMessage is a message of the Nu HTML checker on a file.
type nuMessage struct{ URL, Type, SubType, Message, Extract string }

// nu runs the Nu HTML checker on files, and returns all its messages.
func nu(t *testing.T, args ...string) []nuMessage {
	t.Helper()
	command := exec.Command("java", append([]string{"-Dnu.validator.servlet.allow-forbidden-hosts=true", "-jar", readerFile(t, "node_modules", "vnu-jar", "build", "dist", "vnu.jar"), "--stdout", "--exit-zero-always", "--format", "json"}, args...)...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	noError(t, err)
	var said struct{ Messages []nuMessage }
	if err := json.Unmarshal(out, &said); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return said.Messages
}

// htmlFiles are the pages of a run.
func htmlFiles(t *testing.T, dir string) []string {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join(dir, "pages", "*.html"))
	noError(t, err)
	return append(pages, filepath.Join(dir, "index.html"))
}

// The Nu HTML checker has no message on any page: those of the demo, of sites of every state and of
// a hostile one, and of a run without sites; nor on their style and picture.
func TestPagesByNu(t *testing.T) {
	t.Parallel()
	demo := t.TempDir()
	command := exec.Command("go", "run", "../cmd/robots-audit", "demo", "-quiet", "-rows", "all", "-out", filepath.Join(demo, "run"))
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	pages := htmlFiles(t, filepath.Join(demo, "run"))
	if len(pages) != 9 {
		t.Errorf("the demo has %d pages, want 9", len(pages))
	}
	pages = append(pages, htmlFiles(t, straightRun(t))...)

	marked := openRun(t, testOptions(t.TempDir()))
	for i, text := range markupTexts {
		writeAll(t, marked, markedRecords("hostile"+strconv.Itoa(i)+".example", text, 30))
	}
	writeAll(t, marked, append([]audit.Record{{Problem: &audit.Problem{Stage: "list", Code: "bad_line", Detail: strings.Join(markupTexts, " ")}}}, shutRecords("shut.example", 99)...))
	closeRun(t, marked)
	pages = append(pages, htmlFiles(t, marked.Dir)...)
	for _, dir := range []string{hostileRun(t).Dir, askedRun(t)} {
		pages = append(append(pages, htmlFiles(t, dir)...), withMatrix(t, dir))
	}

	for _, body := range []string{"", "\x00\xff\xfe<html>", "user-agent: *\ndisallow: /" + strings.Join(markupTexts, "\ndisallow: /") + "\n"} {
		r := openRun(t, testOptions(t.TempDir()))
		records := judged(t, "Googlebot,GPTBot,Googlebot@rep-1994", engine.File{Status: 200, Body: []byte(body)}, "/", `/"><script>`, "/\u202e\u009b\xff", "/img/'a")
		r.Crawlers = records[0].Site.Crawlers
		writeAll(t, r, records)
		closeRun(t, r)
		pages = append(pages, htmlFiles(t, r.Dir)...)
	}
	empty := openRun(t, testOptions(t.TempDir()))
	closeRun(t, empty)
	pages = append(pages, htmlFiles(t, empty.Dir)...)

	compared := []iter.Seq2[compare.Item, error]{comparedSite("a.example", 0, false, ""), comparedSite("b.example", 40, true, "")}
	for i, text := range markupTexts {
		compared = append(compared, comparedSite("hostile"+strconv.Itoa(i)+".example", 8, i%2 == 0, strings.NewReplacer("\n", "", "\r", "").Replace(text)))
	}
	pages = append(pages, htmlFiles(t, comparison(t, compared...))...)
	pages = append(pages, htmlFiles(t, comparison(t))...)
	for _, text := range append([]string{""}, markupTexts...) {
		pages = append(pages, htmlFiles(t, checkedMap(t, 2, text))...)
	}
	pages = append(pages, htmlFiles(t, checkedMap(t, 0, ""))...)

	// Over HTTP, since for the checker 'self' in a policy includes no file; the browser's tests open files.
	server := httptest.NewServer(http.FileServer(http.Dir("/")))
	defer server.Close()
	args := []string{"--no-langdetect"} // a site may use any language
	for _, page := range pages {
		page, err := filepath.Abs(page)
		noError(t, err)
		args = append(args, server.URL+strings.Replace(page, "/index.html", "/", 1))
	}
	for _, m := range nu(t, args...) {
		t.Errorf("%s: %s %s: %s: %.200s", m.URL, m.Type, m.SubType, m.Message, m.Extract)
	}
	text := readText(t, demo, "run", "index.html")
	picture, err := url.PathUnescape(regexp.MustCompile(`href="data:image/svg\+xml,([^"]*)"`).FindStringSubmatch(text)[1])
	noError(t, err)
	icon := filepath.Join(t.TempDir(), "icon.svg")
	noError(t, os.WriteFile(icon, []byte(picture), 0o644))
	// A checker that finds nothing would pass all of the above, and the styles and the picture.
	broken := map[string]bool{}
	args = []string{"--also-check-css", "--also-check-svg", icon}
	for name, text := range map[string]string{"page.html": strings.Replace(text, "%20", " ", 1), "page.css": "a { colr: red }", "icon.svg": strings.Replace(picture, "<svg ", "<svg colr='red' ", 1)} {
		name = filepath.Join(t.TempDir(), name)
		noError(t, os.WriteFile(name, []byte(text), 0o644))
		broken["file:"+name] = true
		args = append(args, name)
	}
	for _, m := range nu(t, append(args, filepath.Join("internal", "layout", "templates", "page.css"), filepath.Join("changes", "internal", "page", "templates", "page.css"), filepath.Join("migration", "templates", "page.css"))...) {
		if _, known := broken[m.URL]; known {
			broken[m.URL] = false
			continue
		}
		t.Errorf("%s: %s: %s", m.URL, m.Type, m.Message)
	}
	for name, unseen := range broken {
		if unseen {
			t.Errorf("the checker sees no fault in %s", name)
		}
	}
	t.Logf("%d pages", len(pages))
}

// markupTexts would run, or break out of their context, if they were not escaped.
var markupTexts = []string{
	"", "plain /a", `<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`, "a&amp;b&", "`x` + y", "\x00\x01\x7f\xff\xfe",
	"right \u202e left \u2066", "new\nline\r\ttab", "ünïcödé 漢字 \U0001F600", "]]> --> </style></script>", "{{.Name}}", "\u2028\u2029\ufeff", strings.Repeat("<", 300),
}
