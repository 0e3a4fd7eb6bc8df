package serve

import (
	"errors"
	"net/url"
	"regexp"
	"strings"
)

// link is the address of something that the dashboard serves, given its path within the dashboard.
func (o *Options) link(path string) string { return o.BasePath + path }

// runLink is the address of a run, without a slash at its end.
func (o *Options) runLink(key string) string { return o.link("/runs/" + url.PathEscape(key)) }

// siteLink is the address of a site of a run, given the name of its files.
func (o *Options) siteLink(key, base string) string {
	return o.runLink(key) + "/sites/" + url.PathEscape(base)
}

// urlLink is the address of a URL of a site.
func (o *Options) urlLink(key, base, loc string) string {
	return o.siteLink(key, base) + "/url?u=" + url.QueryEscape(loc)
}

// pageLink is the address of the page of a site.
func (o *Options) pageLink(key, base string) string {
	return o.runLink(key) + "/report/pages/" + url.PathEscape(base) + ".html"
}

// plainPath is a path that needs no escapes, and that nothing resolves to another one.
var plainPath = regexp.MustCompile(`^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$`)

// CleanBasePath returns a path in the form for Options.BasePath.
func CleanBasePath(path string) (string, error) {
	path = strings.TrimSuffix(path, "/")
	if !plainPath.MatchString(path) {
		return "", errors.New("expected a path such as /robots-audit, with letters, digits and - . _ ~")
	}
	return path, nil
}
