package audit

import (
	"context"
	"slices"
	"strings"

	"robots-audit/audit/internal/policyfile"
	"robots-audit/crawl"
)

// Bounds of the RSL licences of a site.
const (
	maxLicences   = 3
	maxLicenceURL = 2000 // bytes
)

// policyFiles requests the policy files of the site's own origin, and the RSL licences that its robots.txt or
// links name. links are absolute URLs, or "". ask requests a URL, and returns more than policyfile.MaxBytes of a
// body that is longer.
func (s *site) policyFiles(ctx context.Context, ask func(url string) (status int, code string, body []byte), links []string) []PolicyFile {
	own := s.origins[0].name
	files := append([]PolicyFile{
		{Kind: FileTDMRep, URL: own + "/.well-known/tdmrep.json"}, {Kind: FileAI, URL: own + "/ai.txt"}, {Kind: FileLLMs, URL: own + "/llms.txt"},
	}, s.licences(links)...)
	for i := range files {
		f := &files[i]
		f.Statements = []PolicyStatement{}
		if f.URL == "" {
			continue
		}
		if f.Code = s.policyBarred(ctx, f); f.Code != "" {
			continue
		}
		var body []byte
		if f.Status, f.Code, body = ask(f.URL); f.Code != "" || f.Status/100 != 2 {
			continue
		}
		read := policyfile.Read(f.Kind, body, own+"/")
		f.Found, f.Fault, f.Links, f.More = read.Found, read.Fault, read.Links, read.More
		f.Statements = append(f.Statements, read.Statements...)
	}
	return files
}

// policyBarred is the code for a file that may not be requested; "" = it may. A licence may be on another host,
// whose robots.txt is no part of this audit: it is not read.
func (s *site) policyBarred(ctx context.Context, f *PolicyFile) string {
	head, _, _ := split([]byte(f.URL))
	switch {
	case ctx.Err() != nil:
		return crawl.CodeCancelled
	case f.Kind == FileRSL && !s.isOwn(head):
		return crawl.CodeOffSite
	case !s.mayFetch(f.URL):
		return crawl.CodeDisallowed
	}
	return ""
}

// licences are the RSL licences that robots.txt or links name; without one, an entry without a URL. One in a group
// is for the crawlers of this group, and replaces those outside of groups for them, as parsers of RSL 1.0 read it.
// The guide at https://rslstandard.org/guide/robots-txt has only lines outside of groups, and calls them global.
func (s *site) licences(links []string) (list []PolicyFile) {
	add := func(raw string, line int, tokens []string) {
		url := s.resolved(raw, s.origins[0].name+"/")
		switch at := slices.IndexFunc(list, func(f PolicyFile) bool { return f.URL == url }); {
		case url == "":
		case at >= 0 && (list[at].Tokens == nil || tokens == nil):
			list[at].Tokens = nil // it is for every crawler
		case at >= 0:
			list[at].Tokens = append(list[at].Tokens, tokens...)
		case len(list) < maxLicences:
			list = append(list, PolicyFile{Kind: FileRSL, URL: url, Line: line, Tokens: tokens})
		}
	}
	for _, line := range linesOf(s.answers.Read(0, rfc9309, self), "license") {
		_, value, _ := strings.Cut(line.Text, ": ")
		add(value, line.Line, line.Tokens)
	}
	for _, url := range links {
		add(url, 0, nil)
	}
	if list == nil {
		list = []PolicyFile{{Kind: FileRSL}}
	}
	return list
}

// resolved is a URL as this program requests it; "" = it is none, or too long.
func (s *site) resolved(raw, base string) string {
	if raw == "" || len(raw) > maxLicenceURL {
		return ""
	}
	url, _, err := s.resolver.Resolve([]byte(raw), base)
	if err != nil {
		return ""
	}
	return string(url)
}
