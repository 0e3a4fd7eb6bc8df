package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// collect decodes all records, with batches of URLs copied out of the
// decoder's buffers and neighbours of one domain joined.
func collect(t testing.TB, wire []byte) ([]Record, error) {
	t.Helper()
	var all []Record
	for rec, err := range Decode(bytes.NewReader(wire)) {
		if err != nil {
			return all, err
		}
		if rec.URLs != nil {
			list := make([]URL, len(rec.URLs.List))
			for i, u := range rec.URLs.List {
				u.Verdicts, u.Lines, u.Hits = clone(u.Verdicts), clone(u.Lines), clone(u.Hits)
				list[i] = u
			}
			if n := len(all) - 1; n >= 0 && all[n].URLs != nil && all[n].Domain == rec.Domain {
				all[n].URLs.List = append(all[n].URLs.List, list...)
				continue
			}
			rec.URLs = &URLs{List: list}
		}
		all = append(all, rec)
	}
	return all, nil
}

// rewritten is a record that was written and read again.
func rewritten(t *testing.T, rec Record) (again Record) {
	t.Helper()
	for read, err := range Decode(bytes.NewReader(Encode(nil, rec))) {
		noError(t, err)
		again = read
	}
	return again
}

func clone[T any](s []T) []T { return append([]T(nil), s...) }

func encodeAll(records []Record) []byte {
	var wire []byte
	for _, r := range records {
		wire = Encode(wire, r)
	}
	return wire
}

func sampleRecords() []Record {
	at := time.Date(2026, 2, 3, 4, 5, 6, 789, time.UTC)
	return []Record{
		{Domain: "example.com", Site: &Site{Name: "example.com", Line: 7, Ordinal: 6, Started: at, Logs: &LogPeriod{From: at, To: at},
			Crawlers: []Crawler{{Label: "Googlebot", Name: "Googlebot", Profile: "google", Tokens: []string{"Googlebot"}}}}},
		{Domain: "example.com", Robots: &Robots{Origin: "https://example.com",
			File: crawl.RobotsFile{
				Outcome: crawl.Outcome{URL: "https://example.com/robots.txt", Status: 200, Bytes: 3, Started: at,
					Hops: []crawl.Hop{{URL: "https://example.com/robots.txt", Status: 200, Started: at, Millis: 1.25,
						Header: map[string][]string{"Content-Type": {"text/plain"}}}}},
				Body: []byte("\xff\x00a"),
			},
			Reads:    []Read{{Access: engine.Parsed, GroupLine: 1, GroupTokens: "*", GroupReason: engine.Global, Rules: 1}},
			Rules:    []RuleLine{{Line: 2, Rule: "disallow: /<a>&"}},
			Groups:   []RuleGroup{{Line: 2, Tokens: "*, a"}, {Line: 5}},
			Sitemaps: []SitemapLine{{Line: 3, URL: "/s.xml"}},
			Policy: &Policy{
				Reads: []PolicyRead{{Crawlers: []string{"GPTBot", "ClaudeBot"}, Access: engine.DisallowAll, Why: "HTTP 503", GroupReason: engine.None},
					{Crawlers: []string{"Google-Extended"}, Access: engine.Parsed, Why: "HTTP 200", GroupLine: 1, GroupTokens: []string{"*", "a, b"}, GroupReason: engine.Global}},
				Signals: []Signal{{Line: 2, Text: "Content-Signal: ai-train=no", Tokens: []string{"*"}}},
			}}},
		{Domain: "example.com", URLs: &URLs{List: []URL{
			{Loc: "https://example.com/a?b=\"c\"\\", LastMod: "2026-01-02", Verdicts: []engine.Verdict{engine.Allow}, Lines: []int32{0}},
			{Loc: "https://example.com/\xff\xfe", LastMod: "\x80", Kind: crawl.KindImage, Sitemap: -1, Origin: 2,
				Verdicts: []engine.Verdict{engine.Disallow, engine.Undefined, engine.Unknown}, Lines: []int32{2147483647, 0, -1}},
			{Loc: "https://example.com/п\u2028\x01\t"},
			{Loc: "", Verdicts: []engine.Verdict{engine.Allow}, Lines: nil},
			{Loc: "https://example.com/a", Written: "https://example.com/./a", Verdicts: []engine.Verdict{engine.Allow}, Lines: []int32{2}},
			{Loc: "https://example.com/%FF", Written: "https://example.com/\xff", LastMod: "2026", Verdicts: []engine.Verdict{engine.Allow}, Lines: []int32{0}},
		}}},
		{Domain: "example.org", URLs: &URLs{List: []URL{{Loc: "https://example.org/", Sitemap: 4,
			Verdicts: []engine.Verdict{engine.Allow, engine.Disallow}, Lines: []int32{3, 4}}}}},
		{Domain: "example.com", Sitemap: &Sitemap{SitemapFile: crawl.SitemapFile{Outcome: crawl.Outcome{URL: "https://example.com/s.xml", Status: 200, Started: at}, Parent: -1, URLs: 4},
			Tested: 4, LeftOut: map[string]int64{"too_long": 2}, Blocked: []int64{1}, Self: []engine.Verdict{engine.Undefined}, SelfLines: []int32{3}}},
		{Domain: "example.com", Problem: &Problem{Stage: "sitemap", Code: crawl.CodeTimeout, Detail: "no answer"}},
		{Domain: "example.com", Rules: &Rules{Crawlers: []int{0}, Counts: []RuleCount{{Line: 2, Rule: "disallow: /<a>&", Matched: 9, Decided: 8, Frees: 7, Blocks: 6, Join: engine.Join{Line: 4, Empty: true}},
			{Line: 6, Rule: "disallow: /", Unknown: "<why>"}}}},
		{Domain: "example.com", Page: &Page{URL: "https://example.com/", Depth: 1, Status: 200, Links: 3, Canonical: "https://example.com/c", NoIndex: true}},
		{Domain: "example.com", Findings: &Findings{Origin: 1, List: []Finding{
			{Finding: engine.Finding{ID: "RUL013", Severity: engine.Warning, Profiles: []string{"google"}, Line: 2, Column: 11, EndColumn: 13, Text: "Disallow: /a", What: "<what>", Why: "why", Fix: "fix", Related: []int{3}, More: 4},
				Counted: true, URLs: 5, Samples: []string{"https://example.com/ab?c&d"}},
			{Finding: engine.Finding{ID: "SM006", Profiles: []string{"google"}, What: "no Sitemap line"}},
		}}},
		{Domain: "example.com", Done: &Done{State: Warn, Findings: &Severities{Critical: 1, Error: 2, Warning: 3, Info: 4}, Counts: Counts{URLs: 4, Blocked: []int64{1}}, Finished: at,
			Policy: &PolicyReach{Pages: 4, Reaches: []Reach{{Word: "none", Blocked: 4, Example: "https://example.com/a"}, {Word: "part", Blocked: 1, Line: 2, Rule: "disallow: /<a>&"}}}}},
	}
}

var sameRecords = cmp.Options{cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(URLs{}, Crawler{}, Robots{})}

func TestWireRoundTrip(t *testing.T) {
	want := sampleRecords()
	wire := encodeAll(want)
	got, err := collect(t, wire)
	noError(t, err)
	want[2].URLs.List[3].Lines = []int32{} // fewer lines than verdicts are kept as they are
	checkEqual(t, "decode(encode(x)) differs", got, want, sameRecords)
	if again := encodeAll(got); !bytes.Equal(wire, again) {
		t.Errorf("encode(decode(x)) differs:\n%s\n%s", wire, again)
	}
}

func TestWireForm(t *testing.T) {
	wire := string(encodeAll(sampleRecords()[2:4]))
	want := `{"domain":"example.com","url":{"loc":"https://example.com/a?b=\"c\"\\","sm":0,"lastmod":"2026-01-02","v":"a"}}
{"url":{"loc_b64":"aHR0cHM6Ly9leGFtcGxlLmNvbS///g==","kind":2,"sm":-1,"o":2,"lastmod_b64":"gA==","v":"du?","l":[2147483647,0,-1]}}
{"url":{"loc":"https://example.com/п` + "\u2028" + `\u0001\u0009","sm":0,"v":""}}
{"url":{"loc":"","sm":0,"v":"a","l":[]}}
{"url":{"loc":"https://example.com/a","sm":0,"written":"https://example.com/./a","v":"a","l":[2]}}
{"url":{"loc":"https://example.com/%FF","sm":0,"lastmod":"2026","written_b64":"aHR0cHM6Ly9leGFtcGxlLmNvbS//","v":"a"}}
{"domain":"example.org","url":{"loc":"https://example.org/","sm":4,"v":"ad","l":[3,4]}}
`
	if wire != want {
		t.Errorf("got\n%s\nwant\n%s", wire, want)
	}
}

// Lines may come from other writers: keys in any order, spaces, other batches.
func TestWireForeign(t *testing.T) {
	got, err := collect(t, []byte("\r\n"+`{ "url" : {"v":"ad","sm":2,"loc":"\u0041"}, "domain":"x" }`+"\r\n\n"+
		`{"url":{"loc":"B","sm":1,"v":"a"}}`+"\n"+`{"domain":"y","url":{"loc":"C","sm":1,"v":"a"}}`))
	noError(t, err)
	want := []Record{
		{Domain: "x", URLs: &URLs{List: []URL{
			{Loc: "A", Sitemap: 2, Verdicts: []engine.Verdict{engine.Allow, engine.Disallow}, Lines: []int32{0, 0}},
			{Loc: "B", Sitemap: 1, Verdicts: []engine.Verdict{engine.Allow}, Lines: []int32{0}}}}},
		{Domain: "y", URLs: &URLs{List: []URL{{Loc: "C", Sitemap: 1, Verdicts: []engine.Verdict{engine.Allow}, Lines: []int32{0}}}}},
	}
	checkEqual(t, "records", got, want, sameRecords)
}

func TestWireErrors(t *testing.T) {
	t.Parallel()
	good := `{"url":{"loc":"/","sm":0,"v":"a"}}` + "\n"
	for name, bad := range map[string]string{
		"torn":        `{"url":{"loc":"/","sm":0,"v"`,
		"no record":   `{}`,
		"two records": `{"done":{},"problem":{}}`,
		"too long":    `{"domain":"` + strings.Repeat("a", MaxLine) + `"}`,
		"comma":       `{"url":{"loc":"/","sm":0,"v":"a","l":[1,]}}`,
		"zero":        `{"url":{"loc":"/","sm":00,"v":"a"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			got, err := collect(t, []byte(good+bad))
			if err == nil || !strings.Contains(err.Error(), "line 2") {
				t.Errorf("error %v, want one that names line 2", err)
			}
			if len(got) != 1 {
				t.Errorf("%d records before the error, want the good one", len(got))
			}
		})
	}
}

// TestEncodeRobots compares the line of a robots.txt with the output of encoding/json, even if
// other parts of the record look like the key of its body.
func TestEncodeRobots(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 4, 100_000} {
		for _, trap := range []string{"", `"body":"`, `\"body":"`, `"body":"AA=="`, "body", `{"body":"x"}`} {
			rec := Record{Domain: trap, Robots: &Robots{
				Origin: trap,
				File: crawl.RobotsFile{
					Outcome: crawl.Outcome{URL: trap, Hops: []crawl.Hop{{URL: trap, Header: map[string][]string{"body": {trap}, trap: {trap}}}}},
					Body:    bytes.Repeat([]byte{'a', 0xff, 0}, n)[:n], Cached: []byte(trap),
				},
				Rules: []RuleLine{{Line: 1, Rule: trap}},
			}}
			var want bytes.Buffer
			e := json.NewEncoder(&want)
			e.SetEscapeHTML(false)
			noError(t, e.Encode(rec))
			if got := Encode([]byte("before"), rec); string(got) != "before"+want.String() {
				t.Errorf("%d bytes, %q:\n%.300s\nwant\n%.300s", n, trap, got, want.String())
			}
		}
	}
}

func TestEncodeNaN(t *testing.T) {
	for _, rec := range []Record{
		{Domain: "example.com", Sitemap: &Sitemap{SitemapFile: crawl.SitemapFile{Outcome: crawl.Outcome{Millis: nan()}}}},
		{Domain: "example.com", Robots: &Robots{File: crawl.RobotsFile{Body: []byte("User-agent: *"), UnreachableHours: nan()}}},
	} {
		wire := string(Encode([]byte("before\n"), rec))
		if !strings.HasPrefix(wire, "before\n{\"domain\":\"example.com\",\"problem\":") || !strings.Contains(wire, "NaN") {
			t.Errorf("got %q", wire)
		}
	}
}

func nan() float64 { z := 0.0; return z / z }

// TestDecodeStops leaves the loop at every record in turn.
func TestDecodeStops(t *testing.T) {
	wire := encodeAll(sampleRecords())
	for stop := range 11 {
		n := 0
		for range Decode(bytes.NewReader(wire)) {
			if n++; n > stop {
				break
			}
		}
		if n != min(stop+1, 10) {
			t.Errorf("stop at %d: %d records", stop, n)
		}
	}
}

func FuzzWireURL(f *testing.F) {
	f.Add("https://example.com/", "2026-01-02", uint8(0), 0, 0, []byte{1, 2}, int32(3))
	f.Add("\xff\"\\\n", "\x00", uint8(4), -1, 7, []byte{0, 3, 9}, int32(-1))
	f.Fuzz(func(t *testing.T, loc, lastMod string, kind uint8, sitemap, origin int, verdicts []byte, line int32) {
		u := URL{Loc: loc, LastMod: lastMod, Kind: crawl.Kind(kind), Sitemap: sitemap, Origin: origin}
		for i, v := range verdicts {
			u.Verdicts = append(u.Verdicts, engine.Verdict(v%4))
			u.Lines = append(u.Lines, line*int32(i))
		}
		want := []Record{{Domain: "d", URLs: &URLs{List: []URL{u, u}}}}
		wire := encodeAll(want)
		got, err := collect(t, wire)
		if err != nil {
			t.Fatalf("%v\n%s", err, wire)
		}
		if diff := cmp.Diff(want, got, sameRecords); diff != "" {
			t.Fatalf("%s\n%s", diff, wire)
		}
	})
}

// FuzzDecode gives Decode any bytes: records that it reads must be the same after Encode and the
// fast path of Decode.
func FuzzDecode(f *testing.F) {
	for _, r := range sampleRecords() {
		f.Add(Encode(nil, r))
	}
	f.Add([]byte(`{"url":{"loc":"/","sm":0,"v":"a","l":[1,]}}`))
	f.Add([]byte(`{"url":{"sm":1},"domain":"\ud800"}`))
	f.Fuzz(func(t *testing.T, wire []byte) {
		first, _ := collect(t, wire)
		again, err := collect(t, encodeAll(first))
		noError(t, err)
		if diff := cmp.Diff(first, again, sameRecords); diff != "" {
			t.Fatal(diff)
		}
	})
}

func benchmarkURLs() *URLs {
	urls := &URLs{}
	for i := range batchSize {
		urls.List = append(urls.List, URL{Loc: fmt.Sprintf("https://www.example.com/products/category-%d/item-%d.html", i%17, i*7919),
			LastMod: "2026-03-04", Sitemap: 3, Verdicts: []engine.Verdict{engine.Allow, engine.Disallow, engine.Disallow}, Lines: []int32{0, 14, 14}})
	}
	return urls
}

func BenchmarkEncode(b *testing.B) {
	rec := Record{URLs: benchmarkURLs()}
	var wire []byte
	b.ReportAllocs()
	for b.Loop() {
		wire = Encode(wire[:0], rec)
	}
	b.SetBytes(int64(len(wire)))
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batchSize), "ns/URL")
}

func BenchmarkDecode(b *testing.B) {
	var wire []byte
	for range 40 {
		wire = Encode(wire, Record{URLs: benchmarkURLs()})
	}
	b.ReportAllocs()
	b.SetBytes(int64(len(wire)))
	for b.Loop() {
		for _, err := range Decode(bytes.NewReader(wire)) {
			noError(b, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*40*batchSize), "ns/URL")
}
