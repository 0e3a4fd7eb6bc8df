package engine

import (
	"bytes"
	"fmt"
	"testing"

	"robots-audit/engine/internal/match/matchtest"
)

// BenchmarkParseShapes reads 500 KiB: the limit of Google, and the minimum that RFC
// 9309 requires.
func BenchmarkParseShapes(b *testing.B) {
	for _, shape := range []struct{ name, line string }{
		{"rules", "Disallow: /section-%d/page\n"},
		{"long", "Disallow: /section-%d/*/page/which/goes/on/and/on?with=query&and=more # and a comment\n"},
		{"groups", "User-agent: bot-%d\nDisallow: /\n\n"},
		{"cr", "Disallow: /section-%d/page\r"},
		{"comments", "# %d\n"},
	} {
		var body bytes.Buffer
		body.WriteString("User-agent: *\n")
		for i := 0; body.Len() < 500<<10; i++ {
			fmt.Fprintf(&body, shape.line, i)
		}
		for _, name := range []string{"google", "yandex-2016"} {
			p := *mustProfile(b, name)
			p.Limit = -1
			b.Run(shape.name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(body.Len()))
				b.ReportAllocs()
				for b.Loop() {
					p.Parse(body.Bytes())
				}
			})
		}
	}
}

// BenchmarkGroup makes the group of 10,000 rules ready for verdicts.
func BenchmarkGroup(b *testing.B) {
	rules, _ := matchtest.Default(10000).Draw(0)
	r := mustProfile(b, "google").Parse(benchBody(rules))
	c := token("bot")
	b.ReportAllocs()
	for b.Loop() {
		r.Group(c)
	}
}
