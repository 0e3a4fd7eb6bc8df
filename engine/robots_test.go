package engine

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// token makes a crawler with only product tokens.
func token(tokens ...string) Crawler { return Crawler{Name: tokens[0], Tokens: tokens} }

// TestReader compares the results of a Reader, one file after the other, with Profile.Read.
func TestReader(t *testing.T) {
	var many strings.Builder
	many.WriteString("User-agent: *\n")
	for i := range keptRules + 1 {
		fmt.Fprintf(&many, "Disallow: /%d\n", i)
	}
	files := []File{
		{Status: 200, Body: []byte("User-agent: *\nDisallow: /a\nAllow: /a/b\n\nUser-agent: bingbot\nDisallow: /\nSitemap: https://a.example/s\nHost: a.example\nClean-param: s\nCrawl-delay: 3")},
		{Status: 200}, {Status: 404}, {Status: 503, Cached: []byte("User-agent: *\nDisallow: /c")},
		{Status: 200, Body: []byte("Disallow: /a")},
		{Status: 200, Body: []byte("User-agent: a\n\nUser-agent: *\r\n\nDisallow: /\r\rDisallow: /b\n" + strings.Repeat("Allow: /x\n", 99))},
		{Status: 200, Body: []byte(many.String())},
		{Status: 200, Body: []byte("User-agent: *\nDisallow: /z")},
	}
	var reader Reader
	for _, p := range Profiles() {
		for i, f := range files {
			got, want := reader.Read(p, f), p.Read(f)
			if len(want.rules) == 0 {
				got.rules, want.rules = nil, nil // nil or empty
			}
			if len(want.runs) == 0 {
				got.agents, want.agents, got.runs, want.runs = nil, nil, nil, nil
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, file %d:\n%+v\nwant\n%+v", p.Name, i, got, want)
			}
			if cap(reader.rules) > keptRules || cap(reader.agents) > keptAgents || cap(reader.runs) > keptAgents {
				t.Fatalf("the memory of %d rules, %d user-agent lines and %d groups is kept", cap(reader.rules), cap(reader.agents), cap(reader.runs))
			}
		}
	}
	body := []byte(strings.Repeat("User-agent: a\nDisallow: /a\n", 1000))
	p := mustProfile(t, "google")
	reader.Read(p, File{Status: 200, Body: body})
	if allocs := testing.AllocsPerRun(10, func() { reader.Read(p, File{Status: 200, Body: body}) }); allocs > 4 {
		t.Errorf("%v allocations", allocs)
	}
}
