package audit

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"robots-audit/crawl"
)

// TestPolicyFiles: the files of the own origin and at most three licences are requested, each once, if robots.txt
// allows it.
func TestPolicyFiles(t *testing.T) {
	answers := map[string]string{
		"/.well-known/tdmrep.json": `[{"location":"/","tdm-reservation":1}]`,
		"/ai.txt":                  "<!DOCTYPE html><title>Home</title>",
		"/llms.txt":                "# A\n- [a](/a)\n- [b](http://b.example/b)\n",
		"/license.xml":             `<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><prohibits type="usage">ai-train</prohibits></license></content></rsl>`,
	}
	for name, tt := range map[string]struct {
		robots string
		links  []string
		want   []string
		asked  string
	}{
		"no licence": {"User-agent: *\nDisallow: /x\n", nil, []string{
			"tdmrep.json /.well-known/tdmrep.json 200 found, no mining", "ai.txt /ai.txt 200, The server sent an HTML page instead of the file.", "llms.txt /llms.txt 200 found http://a.example/a", "RSL",
		}, "/.well-known/tdmrep.json /ai.txt /llms.txt"},
		"licences": {"License: http://a.example/license.xml # ours\nUser-agent: *\nDisallow: /llms\nlicense: /license.xml\nLicense:\nLicense: http://b.example/l.xml\nLicense: mailto:a\n", []string{"http://a.example/" + strings.Repeat("a", 2000), "http://a.example/gone.xml", "http://a.example/fourth.xml"}, []string{
			"tdmrep.json /.well-known/tdmrep.json 200 found, no mining", "ai.txt /ai.txt 200, The server sent an HTML page instead of the file.", "llms.txt /llms.txt 0 disallowed",
			"RSL /license.xml 200 found line 1, no training", "RSL http://b.example/l.xml 0 off_site line 6 for *", "RSL /gone.xml 404",
		}, "/.well-known/tdmrep.json /ai.txt /license.xml /gone.xml"},
		"licences of groups": {"User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /ai.txt\nLicense: /gone.xml\nUser-agent: ClaudeBot\nAllow: /\nLicense: /gone.xml\nUser-agent: *\nDisallow: /ai.txt\nDisallow: /ll\nDisallow: /.well\nLicense: /license.xml\n", nil, []string{
			"tdmrep.json /.well-known/tdmrep.json 0 disallowed", "ai.txt /ai.txt 0 disallowed", "llms.txt /llms.txt 0 disallowed", "RSL /gone.xml 404 line 4 for GPTBot and CCBot and ClaudeBot", "RSL /license.xml 200 found line 12 for *, no training",
		}, "/gone.xml /license.xml"},
		"a licence of a group and of a page": {"User-agent: *\nDisallow: /a\nDisallow: /ll\nDisallow: /.well\nLicense: /license.xml\n", []string{"http://a.example/license.xml"}, []string{
			"tdmrep.json /.well-known/tdmrep.json 0 disallowed", "ai.txt /ai.txt 0 disallowed", "llms.txt /llms.txt 0 disallowed", "RSL /license.xml 200 found line 5, no training",
		}, "/license.xml"},
		"blocked": {"User-agent: *\nDisallow: /\n", []string{"http://a.example/license.xml"}, []string{
			"tdmrep.json /.well-known/tdmrep.json 0 disallowed", "ai.txt /ai.txt 0 disallowed", "llms.txt /llms.txt 0 disallowed", "RSL /license.xml 0 disallowed",
		}, ""},
	} {
		a := world(t, map[string]string{"a.example/robots.txt": tt.robots})
		s := newSite(t.Context(), a, Domain{Name: "a.example", Host: "a.example", Scheme: "http"}, 0, func(Record) bool { return true })
		file := s.findOrigin()
		s.read(s.origins[0], file)
		var asked []string
		files := s.policyFiles(t.Context(), func(url string) (int, string, []byte) {
			path := strings.TrimPrefix(url, "http://a.example")
			asked = append(asked, path)
			if answers[path] == "" {
				return http.StatusNotFound, "", []byte("User-Agent: *\nDisallow: /\n")
			}
			return http.StatusOK, "", []byte(answers[path])
		}, tt.links)
		var got []string
		for _, f := range files {
			line := f.Kind
			if f.URL != "" {
				line += fmt.Sprintf(" %s %d", strings.TrimPrefix(f.URL, "http://a.example"), f.Status)
			}
			if f.Code != "" {
				line += " " + f.Code
			}
			if f.Found {
				line += " found"
			}
			if f.Line > 0 {
				line += fmt.Sprint(" line ", f.Line)
			}
			if f.Fault != "" {
				line += ", " + f.Fault
			}
			if f.Tokens != nil {
				line += " for " + strings.Join(f.Tokens, " and ")
			}
			for _, of := range f.Statements {
				line += ", " + of.Says + " " + of.Purpose
			}
			if f.Statements == nil {
				line += ", null in JSON"
			}
			got = append(got, strings.Join(append([]string{line}, f.Links...), " "))
		}
		checkEqual(t, name, got, tt.want)
		if order := strings.Join(asked, " "); order != tt.asked {
			t.Errorf("%s: asked %s", name, order)
		}
		if len(s.origins) != 1 {
			t.Errorf("%s: %d origins", name, len(s.origins))
		}
		s.fetch.Close()
	}
}

// TestPolicyFilesFailed: what was not read completely says nothing, and after the end of the time nothing is requested.
func TestPolicyFilesFailed(t *testing.T) {
	a := world(t, map[string]string{"a.example/robots.txt": ""})
	s := newSite(t.Context(), a, Domain{Name: "a.example", Host: "a.example", Scheme: "http"}, 0, func(Record) bool { return true })
	defer s.fetch.Close()
	file := s.findOrigin()
	s.read(s.origins[0], file)
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	files := s.policyFiles(ctx, func(string) (int, string, []byte) {
		if asked++; asked == 2 {
			cancel()
		}
		return http.StatusOK, crawl.CodeTimeout, []byte(`[{"location":"/","tdm-reservation":1}]`)
	}, []string{"http://a.example/l.xml"})
	var codes []string
	for _, f := range files {
		codes = append(codes, f.Code)
		if f.Found || f.Fault != "" || len(f.Statements) > 0 {
			t.Errorf("%+v", f)
		}
	}
	if want := []string{crawl.CodeTimeout, crawl.CodeTimeout, crawl.CodeCancelled, crawl.CodeCancelled}; !slices.Equal(codes, want) || asked != 2 {
		t.Errorf("%q, %d asked", codes, asked)
	}
}

// TestPageLicences: licences of a page are absolute URLs, relative to the page.
func TestPageLicences(t *testing.T) {
	a := &asking{site: &site{}, out: &Asked{}}
	got := &crawl.Answer{
		Header: http.Header{"Link": {`<l.xml>; rel="license"; type="application/rsl+xml"`}, "X-Robots-Tag": {"noai"}},
		Body:   []byte(`<link rel=license type=application/rsl+xml href="mailto:a"><link rel=license type=application/rsl+xml href="https://b.example/m.xml#a"><meta name=robots content=noimageai>`),
	}
	got.URL = "http://a.example/shop/"
	home := AskedURL{Kind: AskedHome}
	a.noteOwn(&home, got)
	if !slices.Equal(a.licences, []string{"http://a.example/shop/l.xml", "", "https://b.example/m.xml"}) {
		t.Errorf("%q", a.licences)
	}
	if got := home.Statements; len(got) != 2 || got[0].Purpose != "training" || got[1].Purpose != "images" {
		t.Errorf("%+v", got)
	}
}
