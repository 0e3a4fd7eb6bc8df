package reports

import (
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/xlsx"
)

func TestLastModified(t *testing.T) {
	at := func(s string) float64 {
		v, err := time.Parse("2006-01-02 15:04:05", s)
		if err != nil {
			t.Fatal(err)
		}
		return float64(25569*86400+v.Unix()) / 86400
	}
	for s, want := range map[string]xlsx.Cell{
		"":                              {},
		"2026-01-02":                    {Kind: xlsx.KindNumber, Style: xlsx.StyleDay, Number: at("2026-01-02 00:00:00")},
		"2024-02-29":                    {Kind: xlsx.KindNumber, Style: xlsx.StyleDay, Number: at("2024-02-29 00:00:00")},
		"2026-02-29":                    {Kind: xlsx.KindText, Text: "2026-02-29"},
		"2026-01-02T03:04Z":             {Kind: xlsx.KindNumber, Style: xlsx.StyleTime, Number: at("2026-01-02 03:04:00")},
		"2026-01-02T03:04:05Z":          {Kind: xlsx.KindNumber, Style: xlsx.StyleTime, Number: at("2026-01-02 03:04:05")},
		"2026-01-02T03:04:05.678+02:00": {Kind: xlsx.KindNumber, Style: xlsx.StyleTime, Number: at("2026-01-02 01:04:05")},
		"2026-01-02T03:04:05-0530":      {Kind: xlsx.KindNumber, Style: xlsx.StyleTime, Number: at("2026-01-02 08:34:05")},
		"2026-01-02T01:00:00+02:00":     {Kind: xlsx.KindNumber, Style: xlsx.StyleTime, Number: at("2026-01-01 23:00:00")},
		"2026-01-02T25:00:00Z":          {Kind: xlsx.KindText, Text: "2026-01-02T25:00:00Z"},
		"2026-01":                       {Kind: xlsx.KindText, Text: "2026-01"},
		"1899-01-01":                    {Kind: xlsx.KindText, Text: "1899-01-01"},
		"yesterday":                     {Kind: xlsx.KindText, Text: "yesterday"},
		"2026-01-02T":                   {Kind: xlsx.KindText, Text: "2026-01-02T"},
		"2026-01-02 03:04:05":           {Kind: xlsx.KindNumber, Style: xlsx.StyleTime, Number: at("2026-01-02 03:04:05")},
		"2026-01-02T03:04:05+":          {Kind: xlsx.KindText, Text: "2026-01-02T03:04:05+"},
	} {
		if got := lastModified(s); got != want {
			t.Errorf("lastModified(%q) = %+v, want %+v", s, got, want)
		}
	}
}

func TestTopDirectory(t *testing.T) {
	for loc, want := range map[string]string{
		"https://example.com":            "/",
		"https://example.com/":           "/",
		"https://example.com/a":          "/",
		"https://example.com/a/b/c":      "/a/",
		"https://example.com/a?b=/c/":    "/",
		"https://example.com?a=/b/c":     "/",
		"https://example.com//a/":        "//",
		"no url":                         "/",
		"https://example.com/%D0%B0/b#c": "/%D0%B0/",
	} {
		if got := topDirectory(loc); got != want {
			t.Errorf("topDirectory(%q) = %q, want %q", loc, got, want)
		}
	}
}

// A sentence over several lines makes its row higher, within what a spreadsheet takes.
func TestRowHeight(t *testing.T) {
	tab := lintTable()
	for _, c := range []struct {
		finding engine.Finding
		want    float64
	}{
		{engine.Finding{What: "short"}, 15},
		{engine.Finding{What: strings.Repeat("word ", 30), Why: "short"}, 45},
		{engine.Finding{Text: strings.Repeat("x", 30000)}, 90},
		{engine.Finding{Why: strings.Repeat("x", 30000)}, 405},
	} {
		if got := tab.Height(&lintRow{&audit.Finding{Finding: c.finding}, ""}); got != c.want {
			t.Errorf("%.20s: %v points, want %v", c.finding.What, got, c.want)
		}
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		if got := thousands(n); got != want {
			t.Errorf("thousands(%d) = %s, want %s", n, got, want)
		}
	}
}

func TestLastModifiedTime(t *testing.T) {
	for s, want := range map[string]string{
		"":                                "",
		"2026":                            "2026-01-01T00:00:00Z",
		"2026-03":                         "2026-03-01T00:00:00Z",
		"2026-03-04":                      "2026-03-04T00:00:00Z",
		" 2026-03-04\n":                   "2026-03-04T00:00:00Z",
		"1899-12-31":                      "1899-12-31T00:00:00Z",
		"0001-01-01":                      "0001-01-01T00:00:00Z",
		"0001-01-01T00:00:00+01:00":       "",
		"0000-01-01":                      "",
		"9999-12-31T23:59:59Z":            "9999-12-31T23:59:59Z",
		"9999-12-31T23:59:59-01:00":       "",
		"2026-13-01":                      "",
		"2026-02-30":                      "",
		"2026-00":                         "",
		"202a":                            "",
		"2026-01-02T03:04+01:00":          "2026-01-02T02:04:00Z",
		"2026-01-02T03:04:05Z":            "2026-01-02T03:04:05Z",
		"2026-01-02T03:04:05.6Z":          "2026-01-02T03:04:05.6Z",
		"2026-01-02T03:04:05.6789+02:00":  "2026-01-02T01:04:05.678Z",
		"2026-01-02T00:30:00.5+01:00":     "2026-01-01T23:30:00.5Z",
		"2026-01-02T03:04:05":             "2026-01-02T03:04:05Z",
		"2026-01-02 03:04:05":             "2026-01-02T03:04:05Z",
		"2026-01-02T":                     "",
		"2026-01-02Z":                     "",
		"Fri, 02 Jan 2026 03:04:05 GMT":   "2026-01-02T03:04:05Z",
		"Fri, 02 Jan 2026 03:04:05 +0130": "2026-01-02T01:34:05Z",
		"2 Jan 2026 03:04 UTC":            "2026-01-02T03:04:00Z",
		"Fri, 02 Jan 2026 03:04:05 EST":   "",
		"02/01/2026":                      "",
		"yesterday":                       "",
		"\xff\x00":                        "",
		strings.Repeat("2026-01-02", 7):   "",
	} {
		got := ""
		if at, ok := lastModifiedTime(s); ok {
			got = at.Format(time.RFC3339Nano)
		}
		if got != want {
			t.Errorf("%q is %s, want %s", s, got, want)
		}
	}
}
