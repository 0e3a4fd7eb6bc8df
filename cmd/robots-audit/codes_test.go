package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"robots-audit/cmd/internal/clitest"
)

// stableCodes collects the codes for programs from the packages: constants whose names begin with
// Code, Note or Left. It leaves out single words such as timeout, which are also words of
// sentences.
func stableCodes(t *testing.T) *regexp.Regexp {
	t.Helper()
	var codes []string
	for _, dir := range []string{"crawl", "crawl/internal/sitemap", "audit", "reports/internal/site"} {
		files, err := filepath.Glob(filepath.Join("..", "..", dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				spec, ok := n.(*ast.ValueSpec)
				if !ok || len(spec.Values) != 1 || !regexp.MustCompile(`^(Code|Note|Left)[A-Z]`).MatchString(spec.Names[0].Name) {
					return true
				}
				if value, ok := spec.Values[0].(*ast.BasicLit); ok && value.Kind == token.STRING {
					if code, err := strconv.Unquote(value.Value); err == nil && strings.Contains(code, "_") {
						codes = append(codes, regexp.QuoteMeta(code))
					}
				}
				return true
			})
		}
	}
	if len(codes) < 60 {
		t.Fatalf("%d codes", len(codes))
	}
	return regexp.MustCompile(`\b(` + strings.Join(codes, "|") + `)\b`)
}

// faultyWorld has sites that fail in many ways: with http, and with https and a certificate for
// another name.
func faultyWorld(t *testing.T) (plain, secure string) {
	t.Helper()
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := strings.Cut(r.Host, ".")
		robots := r.URL.Path == "/robots.txt"
		switch {
		case host == "hangsup", host == "page" && r.URL.Path == "/hangsup":
			panic(http.ErrAbortHandler)
		case host == "unavailable" && robots:
			w.WriteHeader(http.StatusServiceUnavailable)
		case host == "html" && robots:
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<!doctype html><title>Home</title>")
		case host == "circle" && robots:
			http.Redirect(w, r, "/robots.txt?", http.StatusFound)
		case host == "circle":
			http.Redirect(w, r, "/robots.txt", http.StatusFound)
		case host == "nowhere" && robots:
			http.Redirect(w, r, "gopher://x/", http.StatusFound)
		case host == "private" && robots:
			http.Redirect(w, r, "http://10.1.2.3/robots.txt", http.StatusFound)
		case host == "short" && robots:
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, "User-agent: *\n")
		case host == "packed" && robots:
			w.Header().Set("Content-Encoding", "gzip")
			io.WriteString(w, "no gzip")
		case robots:
			fmt.Fprintf(w, "User-agent: *\nDisallow: /shut\nSitemap: http://%[1]s/gone.xml\nSitemap: http://%[1]s/html.xml\nSitemap: http://%[1]s/broken.xml\nSitemap: http://%[1]s/shut.xml\nSitemap: http://elsewhere.example/a.xml\n", r.Host)
		case r.URL.Path == "/html.xml":
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<!doctype html><title>Home</title>")
		case r.URL.Path == "/broken.xml":
			fmt.Fprintf(w, "  <urlset><url><loc>http://%[1]s/shut</loc><lastmod>soon</lastmod></url><url><loc> /a b?x=1&y=2</loc></url><url><loc>mailto:a</loc></url><url><loc></loc></url><url><loc>http://%[1]s/b</lo", r.Host)
		case r.URL.Path == "/shut.xml":
			fmt.Fprintf(w, "http://%s/shut.xml\nhttp://other.example/x\n", r.Host)
		case r.URL.Path == "/":
			io.WriteString(w, `<a href="/hangsup">a</a><a href="/away">b</a><a href="/c">c</a>`)
		case r.URL.Path == "/away":
			http.Redirect(w, r, "http://other.example/", http.StatusFound)
		default:
			http.NotFound(w, r)
		}
	})
	server, tls := httptest.NewServer(handler), httptest.NewUnstartedServer(handler)
	tls.Config.ErrorLog = log.New(io.Discard, "", 0) // of clients that do not trust the certificate
	tls.StartTLS()
	t.Cleanup(server.Close)
	t.Cleanup(tls.Close)
	return server.Listener.Addr().String(), tls.Listener.Addr().String()
}

var (
	noText   = regexp.MustCompile(`(?s)<script.*?</script>|<style.*?</style>|<code>[a-z_]+</code>`)
	pageRows = regexp.MustCompile(`(?s)<script type="application/json" id="rows">(.*?)</script>`)
)

// TestNoCodes audits sites that fail in many ways, and checks that texts for people have no codes:
// terminal, pages, workbooks, summary.md. Columns named Code may have them.
func TestNoCodes(t *testing.T) {
	t.Parallel()
	codes := stableCodes(t)
	plain, secure := faultyWorld(t)
	var list strings.Builder
	for _, host := range []string{"hangsup", "unavailable", "html", "circle", "nowhere", "private", "short", "packed", "page"} {
		fmt.Fprintf(&list, "http://%s.example\n", host)
	}
	list.WriteString("https://secure.example\nhttp://refused.example:81\nnot a site\n")
	out := filepath.Join(t.TempDir(), "out")
	network := []string{"-retries", "0", "-timeout", "2s", "-connect-to", ":80:" + plain, "-connect-to", ":443:" + secure, "-connect-to", ":81:" + clitest.FreeAddress(t)}
	_, said := callWith(list.String(), append([]string{"-domains", "-", "-out", out, "-no-cache", "-second-look", "-crawl"}, network...)...)
	for site := range strings.FieldsSeq("http://hangsup.example http://unavailable.example http://circle.example http://short.example http://private.example https://secure.example http://refused.example:81") {
		_, explained := call(append([]string{"check", "-explain", site + "/robots.txt", site + "/"}, network...)...)
		_, linted := call(append([]string{"lint", site}, network...)...)
		said += explained + linted
	}
	check := func(where, text string) {
		t.Helper()
		if at := codes.FindStringIndex(text); at != nil {
			t.Errorf("%s has the code %s: …%s…", where, text[at[0]:at[1]], text[max(0, at[0]-60):min(len(text), at[1]+60)])
		}
	}
	check("the terminal", said)
	books, _ := filepath.Glob(filepath.Join(out, "*.xlsx"))
	pages, _ := filepath.Glob(filepath.Join(out, "pages", "*.html"))
	if len(books) != 12 || len(pages) != 11 {
		t.Fatalf("%d workbooks, %d pages: %s", len(books), len(pages), said)
	}
	for _, name := range append(pages, filepath.Join(out, "index.html"), filepath.Join(out, "summary.md")) {
		text := clitest.Read(t, name)
		check(filepath.Base(name), noText.ReplaceAllString(text, ""))
		if rows := pageRows.FindStringSubmatch(text); rows != nil {
			check("the rows of "+filepath.Base(name), rows[1])
		}
	}
	for _, name := range books {
		checkBook(t, name, check)
	}
}

// codeColumns are the columns of workbooks with codes for programs; another column has them in
// words.
var codeColumns = map[string]bool{"Code": true, "Codes": true, "Notes": true, "Reason": true}

// checkBook checks the text of every cell of a workbook, except in codeColumns.
func checkBook(t *testing.T, name string, check func(where, text string)) {
	t.Helper()
	book := openBook(t, name)
	for _, sheet := range book.GetSheetList() {
		rows, err := book.GetRows(sheet)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			for k, cell := range row {
				if k < len(rows[0]) && codeColumns[rows[0][k]] {
					continue
				}
				check(fmt.Sprintf("%s, %s, row %d", filepath.Base(name), sheet, i+1), cell)
			}
		}
	}
}
