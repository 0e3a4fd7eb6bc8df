package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"robots-audit/audit"
	"robots-audit/crawl/errno"
	"robots-audit/engine"
)

// noFile explains why a name is no file, and what was probably intended; nil = it is a file,
// standard input or the URL of a site.
func noFile(name string) error {
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		if _, ok := engine.RobotsURL(name); !ok {
			return fmt.Errorf("%s is not the URL of a site. Expected https://HOST/", name)
		}
		return nil
	}
	if name == "-" {
		return nil
	}
	info, err := os.Stat(name)
	switch {
	case name == "":
		return errors.New("the name of a file is empty. Expected a robots.txt")
	case err == nil && info.IsDir():
		if inside := filepath.Join(name, "robots.txt"); noFile(inside) == nil {
			return fmt.Errorf("%s: this is a folder. Name its file: %s", name, inside)
		}
		return fmt.Errorf("%s: this is a folder without a robots.txt. Name a file", name)
	case err == nil, !errors.Is(err, fs.ErrNotExist) && !errno.NoName(err):
		return nil // reading it will show any other error
	case strings.ContainsAny(name, "*?["):
		return fmt.Errorf("%s: no file matches. Check the name", name)
	case isSite(name):
		return fmt.Errorf("%s: no such file. For the site, use its URL: https://%s/", name, strings.SplitN(name, "/", 2)[0])
	}
	return fmt.Errorf("%s: no such file. Expected a robots.txt", name)
}

// isSite reports whether a name that is no file is probably a site.
func isSite(name string) bool {
	host, _, _ := strings.Cut(name, "/")
	_, why := audit.ParseDomain(host)
	return why == "" && strings.Contains(strings.Trim(host, "."), ".") && !strings.HasSuffix(host, ".txt")
}
