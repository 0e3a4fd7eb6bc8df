package main

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// Lines with a name and a password, with typical mistakes.
var secretLines = []string{
	"http://n4me:s3cr3t@guarded.example/path?q#f", // the valid one
	"http://n4me:s3cr3t@bad host",
	"http://n4me:s3cr3t@guarded.example:99999",
	"http://n4me:s3cr3t@",
	"http://n4me:s3cr3t@[::1",
	"http://n4me:s3cr3t@a..example",
	"http://n4me:s3cr3t/n4me@guarded.example",
	"http://n4me:s3cr3t#n4me@guarded.example",
	"http://n4me:s3cr3t #n4me@guarded.example",
	"http://n4me:s3cr3t n4me@guarded.example",
	"http://n4me:s3cr3t\\n4me@guarded.example",
	"http://n4me:s3cr3t%40guarded.example",
	"http://n4me:s3cr3t\uFF20guarded.example",
	"http://n4me:s3cr3t%00@guarded.example",
	"http:\\\\n4me:s3cr3t@guarded.example",
	"http//n4me:s3cr3t@guarded.example",
	"http:/n4me:s3cr3t@guarded.example",
	"ht tp://n4me:s3cr3t@guarded.example",
	"gopher://n4me:s3cr3t@guarded.example",
	"ftp://n4me:s3cr3t@guarded.example",
	"n4me:s3cr3t@guarded.example",
	"n4me:s3cr3t://x@guarded.example",
	"https://http://n4me:s3cr3t@guarded.example",
	"\"http://n4me:s3cr3t@guarded.example\"",
	"shop,http://n4me:s3cr3t@guarded.example,5",
	"http://n4me:s3cr3t\xff@guarded.example",
	"http://n4me:other-s3cr3t@guarded.example", // a second one for the same site
	"http://n4me:s3cr3t@guarded.example " + strings.Repeat("x", 300),
	"http://n4me:s3cr3t@" + strings.Repeat("x", 70_000),
}

func holdsSecret(text []byte) bool {
	for _, secret := range []string{"n4me", "s3cr3t", base64.StdEncoding.EncodeToString([]byte("n4me:s3cr3t"))} {
		if bytes.Contains(text, []byte(secret)) {
			return true
		}
	}
	return false
}

// searchFolder looks for a secret in every file, including parts of workbooks, compressed files and
// the values of Parquet.
func searchFolder(t *testing.T, dir string, holds func(text []byte) bool) {
	t.Helper()
	files := eachText(t, dir, func(name string, text []byte) {
		if holds(text) {
			t.Errorf("%s holds a secret", name)
		}
	})
	if files < 8 {
		t.Errorf("%d files", files)
	}
}

// eachText calls look with the content of each file of a folder, and with what is packed in it. It
// returns the number of files.
func eachText(t *testing.T, dir string, look func(name string, text []byte)) (files int) {
	t.Helper()
	unpack := func(name string, r io.Reader) {
		text, err := io.ReadAll(r)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		look(name, text)
	}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		look(name, text)
		switch filepath.Ext(name) {
		case ".xlsx":
			book, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
			if err != nil {
				return err
			}
			for _, part := range book.File {
				r, err := part.Open()
				if err != nil {
					return err
				}
				unpack(name+" "+part.Name, r)
			}
		case ".zst":
			r, err := zstd.NewReader(bytes.NewReader(text))
			if err != nil {
				return err
			}
			unpack(name, r)
			r.Close()
		case ".parquet":
			file, err := parquet.OpenFile(bytes.NewReader(text), int64(len(text)))
			if err != nil {
				return err
			}
			rows := parquet.NewReader(file)
			var values strings.Builder
			buf := make([]parquet.Row, 100)
			for n := -1; n != 0; {
				n, _ = rows.ReadRows(buf)
				for _, row := range buf[:n] {
					for _, value := range row {
						fmt.Fprintln(&values, value)
					}
				}
			}
			look(name, []byte(values.String()))
			return rows.Close()
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return files
}

// guardedWorld is a site that needs the right name and password. Its robots.txt, sitemap and pages
// lead to other hosts and ports. It records which of these got an Authorization header.
func guardedWorld(t *testing.T) (address string, asked func(host string) (with, without int)) {
	var mu sync.Mutex
	seen := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen[fmt.Sprint(r.Host, r.Header.Get("Authorization") != "")]++
		mu.Unlock()
		if user, password, _ := r.BasicAuth(); r.Host == "guarded.example" && (user != "n4me" || password != "s3cr3t") {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		switch r.Host + r.URL.Path {
		case "guarded.example/robots.txt":
			http.Redirect(w, r, "http://www.guarded.example/robots.txt", http.StatusFound)
		case "www.guarded.example/robots.txt":
			io.WriteString(w, "User-agent: *\nDisallow: /x\nSitemap: http://guarded.example/a.xml\nSitemap: http://cdn.example/b.xml\nSitemap: http://guarded.example:8080/c.xml\n")
		case "guarded.example/a.xml":
			http.Redirect(w, r, "http://other.example/a.xml", http.StatusFound)
		case "guarded.example/":
			io.WriteString(w, `<!doctype html><a href="/page">page</a><a href="http://other.example/">other</a>`)
		case "guarded.example/page":
			http.Redirect(w, r, "http://www.guarded.example/page", http.StatusFound)
		case "cdn.example/b.xml", "other.example/a.xml", "guarded.example:8080/c.xml":
			fmt.Fprintf(w, "http://guarded.example/x/%s\nhttp://third.example/\n", r.Host)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String(), func(host string) (with, without int) {
		mu.Lock()
		defer mu.Unlock()
		return seen[host+"true"], seen[host+"false"]
	}
}

// TestCredentials audits a site with a name and a password, among misspelt lines. They are sent
// only to their exact origin. Neither output nor files show them, also for a resumed run and for
// rebuilt reports.
func TestCredentials(t *testing.T) {
	address, asked := guardedWorld(t)
	out := filepath.Join(t.TempDir(), "out")
	list := strings.Join(secretLines, "\n") + "\n"
	known := filepath.Join(t.TempDir(), "urls.txt")
	clitest.WriteFile(t, known, "http://n4me:s3cr3t@guarded.example/known\nhttp://n4me:s3cr3t@elsewhere.example/\n")
	flags := []string{"-domains", "-", "-out", out, "-cache", filepath.Join(out+"-cache", "cache.db"), "-retries", "0", "-crawl", "-second-look", "-urls", known,
		"-rows", "all", "-format", "csv,jsonl", "-connect-to", ":80:" + address, "-connect-to", ":8080:" + address, "-connect-to", ":443:127.0.0.1:1"}
	code, said := callWith(list, flags...)
	if code != cli.ExitUnknown {
		t.Errorf("exit code %d: %s", code, said)
	}
	if n := strings.Count(said, "the list of sites: line"); n != len(secretLines)-1 {
		t.Errorf("%d lines are told as misspelt, want %d", n, len(secretLines)-1)
	}
	if with, without := asked("guarded.example"); with < 4 || without > 0 {
		t.Errorf("the site was asked %d times with its password and %d times without", with, without)
	}
	for _, host := range []string{"www.guarded.example", "guarded.example:8080", "cdn.example", "other.example", "third.example"} {
		if with, without := asked(host); with > 0 || without == 0 {
			t.Errorf("%s was asked %d times with the site's password and %d times without", host, with, without)
		}
	}
	searchFolder(t, out, holdsSecret)
	summary, err := os.ReadFile(filepath.Join(out, "pages", "guarded.example.html"))
	if err != nil || !bytes.Contains(summary, []byte("FET012")) {
		t.Errorf("the report does not say that the site was asked with a name and a password: %v", err)
	}

	code, resumed := callWith(list, append(flags, "-resume")...)
	if code != cli.ExitUnknown {
		t.Errorf("resumed: exit code %d: %s", code, resumed)
	}
	code, reported := call("report", out)
	if code != cli.ExitDone {
		t.Errorf("report: exit code %d: %s", code, reported)
	}
	searchFolder(t, out, holdsSecret)
	if said += resumed + reported; holdsSecret([]byte(said)) {
		t.Errorf("the streams hold the name or the password: %.3000s", said)
	}

	// A response to the password is not used without it.
	without := filepath.Join(t.TempDir(), "out")
	flags[3] = without
	if code, said := callWith("http://guarded.example", flags...); code != cli.ExitDone {
		t.Errorf("without a password: exit code %d: %s", code, said)
	}
	if _, n := asked("guarded.example"); n == 0 {
		t.Error("without a password the site was not asked: its answer came from the cache")
	}
}

// TestCredentialsInMessages gives URLs with a password where none is allowed, and to commands that
// fetch a single robots.txt.
func TestCredentialsInMessages(t *testing.T) {
	t.Chdir(t.TempDir()) // if a run starts by mistake, its folder is created here
	address, asked := guardedWorld(t)
	const url = "http://n4me:s3cr3t@guarded.example/robots.txt"
	to := []string{"-retries", "0", "-connect-to", ":80:" + address}
	for _, args := range [][]string{
		{url}, {"-domains", url}, {"-domains", "n4me:s3cr3t@guarded.example"}, {"-config", url}, {"-urls", url, "-domains", os.DevNull}, {"-rate", url}, {"-rows", url},
		{"-crawlers", url, "-domains", os.DevNull}, {"-connect-to", "n4me:s3cr3t@guarded.example:80:a:80"}, {"-connect-to", url}, {"-ca-cert", url}, {"-format", url},
		{"report", url}, {"help", url}, {"demo", url}, {"demo", "-domains", url}, {"check", "-crawler", url, "x", "y"}, {"check", "http://n4me:s3cr3t@bad host/robots.txt", "/"}, {"lint", "n4me:s3cr3t@guarded.example"},
		append(append([]string{"check"}, to...), url, "http://n4me:s3cr3t@guarded.example/x", "http://n4me:s3cr3t@guarded.example:8080/x"),
		append(append([]string{"check", "-explain"}, to...), url, "http://n4me:s3cr3t@guarded.example/x"),
		append(append([]string{"lint"}, to...), url, "http://n4me:s3cr3t@guarded.example"),
		append(append([]string{"lint", "-json"}, to...), url, "http://n4me:s3cr3t@bad host/"), append(append([]string{"lint", "-sarif"}, to...), url),
	} {
		if _, said := call(args...); holdsSecret([]byte(said)) || said == "" {
			t.Errorf("%q: %s", args, said)
		}
	}
	if with, without := asked("guarded.example"); with == 0 || without > 0 {
		t.Errorf("check and lint asked %d times with the password and %d times without", with, without)
	}
	if with, _ := asked("www.guarded.example"); with > 0 {
		t.Error("the password went where the site's redirect leads")
	}
}
