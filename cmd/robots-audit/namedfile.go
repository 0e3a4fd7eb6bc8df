package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"robots-audit/audit"
	"robots-audit/crawl/errno"
	"robots-audit/engine"
)

// Bounds of files that are named by a person and read whole.
const (
	maxConfig      = 1 << 20
	maxBaseline    = 64 << 20
	maxAuthorities = 16 << 20 // those of a whole system take a quarter of a megabyte
)

// readBounded reads a file that a person names, which may be a pipe, up to a
// bound: of /dev/zero there is no end.
func readBounded(name string, limit int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("%s: longer than %d bytes", name, limit)
	}
	return text, nil
}

// noFile says what is wrong with the name of a file that is none, and what was probably
// meant; nil = it is one, or standard input or the URL of a site.
func noFile(name string) error {
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		if _, ok := engine.RobotsURL(name); !ok {
			return fmt.Errorf("%s is no URL of a site", name)
		}
		return nil
	}
	if name == "-" {
		return nil
	}
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		if inside := filepath.Join(name, "robots.txt"); noFile(inside) == nil {
			return fmt.Errorf("%s is a folder: name the file, %s", name, inside)
		}
		return fmt.Errorf("%s is a folder, and has no robots.txt", name)
	case err == nil, !errors.Is(err, fs.ErrNotExist) && !errno.NoName(err):
		return nil // what else is wrong with it shows when it is read
	case strings.ContainsAny(name, "*?["):
		return fmt.Errorf("no file matches %s", name)
	case isSite(name):
		return fmt.Errorf("there is no file %s; a site is asked by its URL, https://%s/", name, strings.SplitN(name, "/", 2)[0])
	}
	return fmt.Errorf("there is no file %s", name)
}

// isSite reports whether a name that is no file is probably that of a site.
func isSite(name string) bool {
	host, _, _ := strings.Cut(name, "/")
	_, why := audit.ParseDomain(host)
	return why == "" && strings.Contains(strings.Trim(host, "."), ".") && !strings.HasSuffix(host, ".txt")
}
