package crawl

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// pageOf asks for one page, http://example.test/dir/page.
func pageOf(t *testing.T, header http.Header, html string) Page {
	t.Helper()
	s := led(serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		for k, v := range header {
			w.Header()[k] = v
		}
		io.WriteString(w, html)
	})).Site()
	defer s.Close()
	for p := range s.Links(t.Context(), []string{"http://example.test/dir/page"}, LinkBudget{Pages: 1}, func(string) bool { return true }) {
		return p
	}
	t.Fatal("no page")
	return Page{}
}

// short writes URLs without the test's origin.
func short(url string) string { return strings.TrimPrefix(url, "http://example.test") }

func TestResources(t *testing.T) {
	for name, tt := range map[string]struct {
		html string
		want string
	}{
		"style sheets":    {`<link rel="StyleSheet alternate" href=a.css><link rel=preload as=style href=/b.css>`, "css /dir/a.css, css /b.css"},
		"scripts":         {`<script src="a.js?v=1#x"></script><script>inline()</script><link rel=modulepreload href=m.js><link rel=preload as=script href=p.js>`, "js /dir/a.js?v=1, js /dir/m.js, js /dir/p.js"},
		"images":          {`<img src=a.png alt=x><img src="data:image/png;base64,xx"><input type=image src=b.png><link rel="shortcut icon" href=/favicon.ico><svg><image href=s.svg /></svg>`, "image /dir/a.png, image /dir/b.png, image /favicon.ico, image /dir/s.svg"},
		"srcset":          {`<img srcset="a.png, b,c.png 2x,d.png 100w , e.png"><picture><source srcset="f.webp 1x"><img src=g.png></picture>`, "image /dir/a.png, image /dir/b,c.png, image /dir/d.png, image /dir/e.png, image /dir/f.webp, image /dir/g.png"},
		"media":           {`<video src=v.mp4 poster=p.jpg><source src=w.webm><track src=t.vtt></video><audio src=a.mp3></audio>`, "media /dir/v.mp4, image /dir/p.jpg, media /dir/w.webm, media /dir/t.vtt, media /dir/a.mp3"},
		"frames":          {`<iframe src="//other.test/f"></iframe><embed src=e.swf><object data=o.pdf></object>`, "frame http://other.test/f, frame /dir/e.swf, frame /dir/o.pdf"},
		"style element":   {`<style>@import "i.css"; @import url(j.css) screen; @font-face { font-family: x; src: url('f.woff2') format("woff2"), url(g.woff) } body { background: URL( "b.png" ) } /* url(no.png) */ p::after { content: "url(no)"; }</style>`, "css /dir/i.css, css /dir/j.css, font /dir/f.woff2, font /dir/g.woff, image /dir/b.png"},
		"style attribute": {`<p style="background:url(b.png)"><p style="color:red">`, "image /dir/b.png"},
		"base":            {`<base href=/other/><img src=a.png>`, "image /other/a.png"},
		"each once":       {`<img src=a.png><img src="./a.png"><img src=a.png#x>`, "image /dir/a.png"},
		"nothing":         {`<img src=""><script src=" "></script><link rel=stylesheet><link rel=preload href=x><link rel=prefetch href=y><img srcset=" , "><style></style>`, ""},
		"template":        {`<template><img src=no.png></template><img src=a.png>`, "image /dir/a.png"},
		"broken CSS":      {`<style>@import url(a.css; } @font-face { src: url("f.woff</style><style>/* url(x)</style><style>"</style><style>url(</style>`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, r := range pageOf(t, nil, tt.html).Resources {
				got = append(got, r.Kind.String()+" "+short(r.URL))
			}
			if got := strings.Join(got, ", "); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestRelations(t *testing.T) {
	for name, tt := range map[string]struct {
		header    []string
		html      string
		canonical string
		alternate string
	}{
		"in the page":          {nil, `<link rel=canonical href=c><link rel=alternate hreflang=de href=/de><link rel=alternate hreflang=x-default href=/><link rel=alternate type=application/rss+xml href=/feed>`, "/dir/c", "[{de /de} {x-default /}]"},
		"in the header":        {[]string{`<c>; rel="canonical", </de?a=1,2>; rel=alternate; hreflang="de-AT"`, `<http://example.test/fr>;hreflang=fr ; Rel="x alternate"`}, "", "/dir/c", "[{de-AT /de?a=1,2} {fr /fr}]"},
		"the page goes first":  {[]string{`</h>; rel=canonical`}, `<link rel=canonical href=/p>`, "/p", "[]"},
		"not by the base":      {[]string{`<c>; rel=canonical`}, `<base href=/other/>`, "/dir/c", "[]"},
		"headers out of shape": {[]string{`c; rel=canonical`, `<`, `<c`, `<c>`, `<c>;`, `<c>; rel`, `<c>; rel=`, `<c>; rel="canonical`, `<c d>; rel=stylesheet`, `<%zz>; rel=canonical`, `<javascript:x>; rel=canonical`}, "", "/dir/c", "[]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := pageOf(t, http.Header{"Link": tt.header}, tt.html)
			var alternates []Alternate
			for _, a := range p.Alternates {
				alternates = append(alternates, Alternate{a.Lang, short(a.URL)})
			}
			if got := fmt.Sprint(alternates); short(p.Canonical) != tt.canonical || got != tt.alternate {
				t.Errorf("got canonical %q, alternates %s", p.Canonical, got)
			}
		})
	}
	if p := pageOf(t, http.Header{"Content-Type": {"application/pdf"}, "Link": {`</c>; rel=canonical`}}, ""); short(p.Canonical) != "/c" {
		t.Errorf("a PDF's canonical: %q", p.Canonical)
	}
}

func TestDirectives(t *testing.T) {
	p := pageOf(t, http.Header{"X-Robots-Tag": {
		"noarchive, max-snippet: 5, googlebot: noindex, nofollow, bingbot: none",
		"unavailable_after: 25 Jun 2027 15:00:00 PST",
		"otherbot: ",
	}}, `<meta name=Robots content=" nofollow "><meta name="YandexBot" content="noindex"><meta name=description content=none><meta name=googlebot content="">`)
	want := []RobotsMeta{
		{"", "noarchive, max-snippet: 5", true}, {"googlebot", "noindex, nofollow", true}, {"bingbot", "none", true},
		{"", "unavailable_after: 25 Jun 2027 15:00:00 PST", true}, {"", "nofollow", false}, {"yandexbot", "noindex", false},
	}
	if diff := cmp.Diff(want, p.Directives); diff != "" {
		t.Error(diff)
	}
	for agent, want := range map[string]bool{"Googlebot": true, "bingbot": true, "YandexBot": true, "Applebot": false, "": false} {
		if p.NoIndexFor(agent) != want {
			t.Errorf("noindex for %q: %v", agent, !want)
		}
	}
	if p.NoIndex {
		t.Error("noindex for everyone")
	}
	if p := pageOf(t, nil, `<meta name=robots content=none>`); !p.NoIndex || !p.NoIndexFor("Applebot") {
		t.Error("none is not noindex")
	}
}

// noindex without a comma after it does not count, and is reported as
// undefined.
func TestLacksComma(t *testing.T) {
	for rules, want := range map[string]bool{
		"noindex nofollow": true, "NOINDEX  NoFollow": true, "noindex;nofollow": true, "noarchive, none nosnippet": true, "noindex follow, noarchive": true,
		"noindex, nofollow": false, "noindex,nofollow": false, "noindex": false, "noindex,": false, "nofollow noarchive": false,
		"max-snippet: 5 noindex": false, "noindex this page": false, "unavailable_after: 25 Jun 2027 15:00:00 PST": false,
	} {
		if m := (&RobotsMeta{Rules: rules}); m.LacksComma() != want || want && m.SaysNoIndex() {
			t.Errorf("%q: lacks a comma %v, noindex %v", rules, m.LacksComma(), m.SaysNoIndex())
		}
	}
}

// Pages of millions of elements take bounded memory and time, and report which
// lists were cut.
func TestPageBounds(t *testing.T) {
	var b strings.Builder
	for i := range 12_000 {
		fmt.Fprintf(&b, "<img src=/%d><link rel=alternate hreflang=a href=/%d><meta name=robots content=noarchive><a href=/%d></a>", i, i, i)
	}
	p := pageOf(t, nil, b.String())
	if len(p.Resources) != MaxResources || len(p.Alternates) != MaxAlternates || len(p.Directives) != maxDirectives || len(p.Links) != MaxLinks {
		t.Errorf("got %d resources, %d alternates, %d directives, %d links", len(p.Resources), len(p.Alternates), len(p.Directives), len(p.Links))
	}
	if diff := cmp.Diff(map[string]bool{"links": true, "alternates": true, "resources": true, "directives": true}, p.Cut); diff != "" {
		t.Error(diff)
	}
	hard := "<style>" + strings.Repeat("url(", 200_000) + "</style><style>" + strings.Repeat("/*", 200_000) + "</style><style>" + strings.Repeat(`"`, 199_999) + "</style><style>" + strings.Repeat(`url("a" `, 200_000) + "</style><img srcset='" + strings.Repeat(",", 200_000) + "'>"
	var took time.Duration
	for range 3 { // really slow code is slow each time, whatever else the process does
		start := processorTime(t)
		p = pageOf(t, http.Header{"Link": {strings.Repeat("<", 50_000), strings.Repeat(";", 50_000)}}, hard)
		if p.Code != "" || p.Cut != nil {
			t.Errorf("got code %q, cut %v", p.Code, p.Cut)
		}
		if took = processorTime(t) - start; took < 10*time.Second {
			return
		}
	}
	t.Errorf("took %v", took)
}

// FuzzCSS looks for style sheets that are read forever or past their end.
func FuzzCSS(f *testing.F) {
	for _, s := range []string{`@import "a"; url(b)`, `@font-face{src:url('c')}`, "/*", `url("`, "@import", `'`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, css string) {
		n := 0
		for url := range cssURLs(css) {
			if n += len(url); n > len(css) {
				t.Fatalf("more came out of %q than went in", css)
			}
		}
	})
}
