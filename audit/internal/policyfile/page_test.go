package policyfile

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadPage(t *testing.T) {
	for name, tt := range map[string]struct {
		header http.Header
		body   string
		want   []string // licences come last
	}{
		"none":                 {nil, "<title>noai</title><p>noai", nil},
		"DeviantArt":           {http.Header{"X-Robots-Tag": {"noai"}}, `<meta name="robots" content="noai, noimageai">`, []string{"header:0 no training", "meta:0 no training", "meta:0 no images"}},
		"several fields":       {http.Header{"X-Robots-Tag": {"noindex, nofollow", "NoAI,noimageai"}}, "", []string{"header:0 no training", "header:0 no images"}},
		"named in the header":  {http.Header{"X-Robots-Tag": {"unavailable_after: 25 Jun 2027 15:00:00 PST, noai, GPTBot: noimageai, noai"}}, "", []string{"header:0 no training", "header:0 no images GPTBot", "header:0 no training GPTBot"}},
		"values are no names":  {http.Header{"X-Robots-Tag": {"max-snippet:-1, Max-Image-Preview:large, max-video-preview:0, noai"}}, "", []string{"header:0 no training"}},
		"named in an element":  {nil, `<META NAME="GPTBot" CONTENT="noindex; NOAI"/>`, []string{"meta:0 no training GPTBot"}},
		"keywords":             {nil, `<meta name="keywords" content="noai, art"><meta property="robots" content="noai">`, nil},
		"not an element":       {nil, `<!-- <meta name="robots" content="noai"> --><script>"<meta name=robots content=noai>"</script><textarea><meta name=robots content=noai></textarea>`, nil},
		"only parts of words":  {http.Header{"X-Robots-Tag": {"noairplane, xnoai"}}, `<meta name="robots" content="noimageairx">`, nil},
		"reservation":          {http.Header{"Tdm-Reservation": {"1"}}, `<meta name="tdm-reservation" content=" 0 ">`, []string{"header:0 no mining", "meta:0 yes mining"}},
		"reservation and URL":  {http.Header{"Tdm-Reservation": {" 1"}, "Tdm-Policy": {"https://a.example/p"}}, `<meta name="TDM-Policy" content="https://a.example/p"><meta name="tdm-reservation" content="1"><meta name="tdm-reservation" content="0">`, []string{"header:0 pay mining", "meta:0 pay mining"}},
		"only a policy":        {http.Header{"Tdm-Policy": {"https://a.example/p"}, "Tdm-Reservation": {"yes", "1"}}, `<meta name="tdm-policy" content="https://a.example/p">`, nil},
		"first field wins":     {http.Header{"Tdm-Reservation": {"1", "0"}}, "", []string{"header:0 no mining"}},
		"spider":               {nil, `<meta name="Baiduspider" content="noai">`, []string{"meta:0 no training Baiduspider"}},
		"licence in capitals":  {http.Header{"Link": {`</l.xml>; REL="License"; TYPE="Application/RSL+XML"`}}, `<link rel=License type="Application/RSL+XML" href="/m.xml">`, []string{"/l.xml", "/m.xml"}},
		"relative policy":      {http.Header{"Tdm-Policy": {"/p"}, "Tdm-Reservation": {"1"}}, "", []string{"header:0 no mining"}},
		"licences":             {http.Header{"Link": {`</a.css>; rel=preload, <https://a.example/l.xml>; rel="license"; type="application/rsl+xml", </b>; rel="next"`}}, `<link rel="stylesheet license" type="Application/RSL+xml" href=" /m.xml "><link rel=license type="application/rsl+xml" href=/m.xml>`, []string{"https://a.example/l.xml", "/m.xml"}},
		"licences for people":  {http.Header{"Link": {`<https://a.example/cc>; rel="license"`, `<https://a.example/x>; rel=author; type="application/rsl+xml"`, `>; rel=license; type=application/rsl+xml`}}, `<link rel="license" href="https://a.example/by"><link type="application/rsl+xml" href="/x">`, nil},
		"three licences":       {nil, strings.Repeat(`<link rel="license" type="application/rsl+xml" href="/a"><link rel="license" type="application/rsl+xml" href="/b"><link rel="license" type="application/rsl+xml" href="/c"><link rel="license" type="application/rsl+xml" href="/d">`, 2), []string{"/a", "/b", "/c"}},
		"broken HTML":          {nil, `<meta name="robots" content="noai"`, nil},
		"invalid UTF-8":        {http.Header{"X-Robots-Tag": {"noai, \xff"}}, "<meta name='\xffbot' content='noai'>", []string{"header:0 no training", "meta:0 no training \\xFFbot"}},
		"first attribute wins": {nil, `<meta name="robots" name="x" content="noai" content="all">`, []string{"meta:0 no training"}},
	} {
		p := ReadPage(tt.header, []byte(tt.body))
		if diff := cmp.Diff(tt.want, append(statements(p.Statements), p.Licences...)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
	p := ReadPage(http.Header{"X-Robots-Tag": {"noindex, GPTBot: noai"}, "Tdm-Reservation": {"1"}, "Tdm-Policy": {"https://a.example/p"}}, []byte(`<meta name="Robots" content="noai">`))
	for i, want := range []string{"X-Robots-Tag: noindex, GPTBot: noai", "tdm-reservation: 1, tdm-policy: https://a.example/p", "Robots: noai"} {
		if got := p.Statements[i].Text; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	p = ReadPage(http.Header{"X-Robots-Tag": {strings.Repeat("noai, ", 10_000)}}, []byte(strings.Repeat(`<meta name="robots" content="noai">`, 40_000)))
	checkBounds(t, &File{Statements: p.Statements})
}

// FuzzReadPage: no page is too much.
func FuzzReadPage(f *testing.F) {
	f.Add("GPTBot: noai, noimageai", `<https://a.example/>; rel="license"; type="application/rsl+xml"`, []byte(`<meta name=robots content=noai><meta name=tdm-reservation content=1><link rel=license type=application/rsl+xml href=/a>`))
	f.Fuzz(func(t *testing.T, directives, link string, body []byte) {
		p := ReadPage(http.Header{"X-Robots-Tag": {directives}, "Link": {link}, "Tdm-Reservation": {"1"}, "Tdm-Policy": {directives}}, body)
		checkBounds(t, &File{Statements: p.Statements})
		if len(p.Licences) > maxLicences {
			t.Errorf("%d licences", len(p.Licences))
		}
	})
}
