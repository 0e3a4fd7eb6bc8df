package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/crawl"
)

// TestCacheBetweenRuns counts requests: with a cache, the second run within a day requests no
// robots.txt.
func TestCacheBetweenRuns(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		asked.Add(1)
		io.WriteString(w, "User-agent: *\nDisallow: /private/\n")
	}))
	defer server.Close()
	dir := t.TempDir()
	led, file := ":80:"+server.Listener.Addr().String(), filepath.Join(dir, "cache.db")
	usual, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	for i, run := range []struct {
		flags []string
		list  string
		asks  int32
		usual bool // the default file exists afterwards
		warns string
	}{
		{[]string{"-cache", file, "-connect-to", led}, "http://a.example", 1, false, ""},
		{[]string{"-cache", file, "-connect-to", led}, "http://a.example", 0, false, ""},
		{[]string{"-no-cache", "-connect-to", led}, "http://a.example", 1, false, ""},
		{[]string{"-connect-to", led}, "http://a.example", 1, false, ""},
		{[]string{"-connect-to", led}, "http://a.example", 1, false, ""},
		{nil, server.URL, 1, true, ""},
		{nil, server.URL, 0, true, ""},
		{[]string{"-no-cache"}, server.URL, 1, true, ""},
		{[]string{"-cache", file + "/x"}, server.URL, 0, true, "-cache: "},
		{[]string{"-cache", file, "-no-cache"}, server.URL, 0, true, "exclude each other"},
	} {
		asked.Store(0)
		out := filepath.Join(dir, "out", strings.Repeat("x", i+1))
		_, said := callWith(run.list, append([]string{"-domains", "-", "-out", out}, run.flags...)...)
		if asked.Load() != run.asks {
			t.Errorf("run %d: asked for %d times, want %d: %s", i, asked.Load(), run.asks, said)
		}
		if _, err := os.Stat(filepath.Join(usual, "robots-audit", "cache.db")); (err == nil) != run.usual {
			t.Errorf("run %d: the usual file: %v", i, err)
		}
		if !strings.Contains(said, run.warns) {
			t.Errorf("run %d: %q is not said: %s", i, run.warns, said)
		}
	}
}

// A damaged cache, or one that another run uses, stops no run. Log and reports say so.
func TestCacheThatCannotBeHad(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, "User-agent: *\nAllow: /\n")
	}))
	defer server.Close()
	for name, tt := range map[string]struct {
		before func(file string) (release func() error, err error)
		logged string
		remark string
	}{
		"another run's": {func(file string) (func() error, error) {
			other, err := crawl.OpenCache(file)
			return other.Close, err
		}, "in use by another run", audits.CacheBusy},
		"damaged": {func(file string) (func() error, error) {
			return func() error { return nil }, os.WriteFile(file, make([]byte, 64<<10), 0o600)
		}, ".corrupt-", audits.CacheDamaged},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file, out := filepath.Join(dir, "cache.db"), filepath.Join(dir, "out")
			release, err := tt.before(file)
			if err != nil {
				t.Fatal(err)
			}
			code, said := callWith("http://a.example", "-domains", "-", "-out", out, "-cache", file, "-connect-to", ":80:"+server.Listener.Addr().String())
			if err := release(); err != nil {
				t.Fatal(err)
			}
			if code != cli.ExitDone || !strings.Contains(said, tt.logged) {
				t.Errorf("exit code %d: %s", code, said)
			}
			for _, report := range []string{"run.json", "summary.json", "summary.md", "index.html"} {
				if text, err := os.ReadFile(filepath.Join(out, report)); err != nil || !strings.Contains(string(text), tt.remark) {
					t.Errorf("%s does not say so: %v", report, err)
				}
			}
		})
	}
}
