package audit

import (
	"context"
	"net/http"
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
// links name. links are absolute URLs, see pageLicences. ask requests a URL, and returns more than
// policyfile.MaxBytes of a body that is longer.
func (s *site) policyFiles(ctx context.Context, ask func(url string) (status int, code string, header http.Header, body []byte), links []string) []PolicyFile {
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
		if f.Status, f.Code, _, body = ask(f.URL); f.Code != "" || f.Status/100 != 2 {
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

// licences are the RSL licences that robots.txt or links name; without one, an entry without a URL.
func (s *site) licences(links []string) (list []PolicyFile) {
	seen := map[string]bool{}
	add := func(raw string, line int) {
		url := s.resolved(raw, s.origins[0].name+"/")
		if url != "" && !seen[url] && len(list) < maxLicences {
			seen[url] = true
			list = append(list, PolicyFile{Kind: FileRSL, URL: url, Line: line})
		}
	}
	for line := range s.answers.Read(0, rfc9309, self).Lines() {
		if strings.EqualFold(line.Field, "license") && line.Value != "" {
			add(line.Value, line.Number)
		}
	}
	for _, url := range links {
		add(url, 0)
	}
	if list == nil {
		list = []PolicyFile{{Kind: FileRSL}}
	}
	return list
}

// pageStatements are the statements of a page to AI, in its header and in the start of its body.
func pageStatements(header http.Header, body []byte) []PolicyStatement {
	return policyfile.ReadPage(header, body).Statements
}

// pageLicences are the RSL licences that a page names, as absolute URLs.
func (s *site) pageLicences(page string, header http.Header, body []byte) (list []string) {
	for _, raw := range policyfile.ReadPage(header, body).Licences {
		if url := s.resolved(raw, page); url != "" {
			list = append(list, url)
		}
	}
	return list
}

// resolved is a URL as this program requests it; "" = it is none, or too long.
func (s *site) resolved(raw, base string) string {
	if len(raw) > maxLicenceURL {
		return ""
	}
	url, _, err := s.resolver.Resolve([]byte(raw), base)
	if err != nil {
		return ""
	}
	return string(url)
}
