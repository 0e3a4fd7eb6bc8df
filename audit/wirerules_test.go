package audit

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"

	"robots-audit/engine"
)

// Rules that are written by hand are those that encoding/json writes, to the byte.
func FuzzEncodeRules(f *testing.F) {
	f.Add("a.example", "disallow: /a", int64(3), int64(0), 7, false, "")
	f.Add("", "allow: /<>&\"\\\x00\n\x7f", int64(-1), int64(1<<62), 0, true, "of \xff\xfe")
	f.Add("\u2028", "\u2029é\U0001F600\ufffd", int64(0), int64(0), -4, false, "\t\b\f\r")
	f.Fuzz(func(t *testing.T, domain, rule string, a, b int64, line int, empty bool, unknown string) {
		count := RuleCount{Line: line, Rule: rule, Matched: a, Decided: b, Frees: a + b, Blocks: a - b, Join: engine.Join{Line: line / 2, Empty: empty}, Unknown: unknown}
		for _, rules := range []Rules{
			{}, {Crawlers: []int{}, Counts: []RuleCount{}}, {Origin: line, Crawlers: []int{0}, Counts: []RuleCount{count}},
			{Origin: 1, Crawlers: []int{2, line, 1}, Counts: []RuleCount{{Line: 1, Rule: "disallow: /"}, count, count}},
		} {
			rec := Record{Domain: domain, Rules: &rules}
			var want bytes.Buffer
			enc := json.NewEncoder(&want)
			enc.SetEscapeHTML(false)
			if err := enc.Encode(rec); err != nil {
				t.Fatal(err)
			}
			if got := Encode([]byte("before"), rec); string(got) != "before"+want.String() {
				t.Errorf("%s\nwant\n%s", got, want.String())
			}
		}
	})
}

// BenchmarkEncodeRules writes the rules of a robots.txt of 60 lines.
func BenchmarkEncodeRules(b *testing.B) {
	rules := &Rules{Crawlers: []int{0, 1, 2}}
	for i := range 60 {
		rules.Counts = append(rules.Counts, RuleCount{Line: i, Rule: "disallow: /unused-folder/", Matched: int64(i)})
	}
	rec := Record{Domain: "a.example", Rules: rules}
	b.Run("own", func(b *testing.B) {
		var buf []byte
		for b.Loop() {
			buf = Encode(buf[:0], rec)
		}
	})
	b.Run("encoding/json", func(b *testing.B) {
		for b.Loop() {
			json.NewEncoder(io.Discard).Encode(rec)
		}
	})
}
