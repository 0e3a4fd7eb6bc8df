package book

import (
	"testing"
	"time"

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
