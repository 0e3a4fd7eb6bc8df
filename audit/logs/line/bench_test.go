package line

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
)

// BenchmarkParse measures lines a second on one core. LOG_SAMPLE names a file of combined lines to
// measure instead of those made here.
func BenchmarkParse(b *testing.B) {
	agents := []string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/118.0.0.0 Safari/537.36",
		"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
	}
	sets := map[string]*strings.Builder{}
	add := func(set, format string, args ...any) string {
		if sets[set] == nil {
			sets[set] = &strings.Builder{}
		}
		line := fmt.Sprintf(format, args...)
		sets[set].WriteString(line + "\n")
		return line
	}
	for i := range 4000 {
		text := add("combined", "192.0.2.%d - - [17/May/2015:10:%02d:%02d +0000] \"GET /presentations/2013/images/kibana-%d.png?id=%d HTTP/1.1\" 200 %d \"http://example.com/presentations/2013/\" %q",
			i%250, i/60%60, i%60, i, i*7, 1000+i, agents[i%2])
		add("NDJSON", `{"ClientIP":"192.0.2.%d","ClientRequestHost":"example.com","ClientRequestMethod":"GET","ClientRequestURI":"/presentations/2013/images/kibana-%d.png?id=%d","ClientRequestUserAgent":%q,"EdgeEndTimestamp":"2026-05-17T10:%02d:%02dZ","EdgeResponseBytes":%d,"EdgeResponseStatus":200,"EdgeStartTimestamp":"2026-05-17T10:%02d:%02dZ","RayID":"8c1f0a%010d","ParentRayID":"00","ClientRequestScheme":"https"}`,
			i%250, i, i*7, agents[i%2], i/60%60, i%60, 1000+i, i/60%60, i%60, i)
		add("syslog", "Oct 11 22:14:15 web1 nginx: %s", text)
		add("Docker", `{"log":"%s\n","stream":"stdout","time":"2024-10-10T13:55:36.1Z"}`, strings.ReplaceAll(text, `"`, `\"`))
		add("garbage", "%s", strings.ReplaceAll(text, "[", " \"- "))
	}
	if name := os.Getenv("LOG_SAMPLE"); name != "" {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		sets = map[string]*strings.Builder{}
		add("combined", "%s", text)
	}
	for name, text := range sets {
		b.Run(name, func(b *testing.B) {
			data := []byte(text.String())
			block := Block{Data: data, First: 1, format: recognise(data)}
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			var c Counts
			for b.Loop() {
				block.Parse(&c, func(*Request) {})
			}
			b.ReportMetric(float64(bytes.Count(data, []byte("\n")))*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
			if c.Requests != c.Lines && name != "garbage" && os.Getenv("LOG_SAMPLE") == "" {
				b.Errorf("%d of %d lines are requests", c.Requests, c.Lines)
			}
		})
	}
}
