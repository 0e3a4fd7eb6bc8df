package engine

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"robots-audit/engine/escape"
)

// yandexReports are the findings that stand for the reports of Yandex's
// parser, by its numbers.
var yandexReports = map[int][]string{
	1:  {"RUL001", "RUL002"}, // neither "/" nor "*" in front
	2:  {"GRP011"},           // several "User-agent: *"
	3:  {"YA006"},            // several Host lines
	4:  {"FMT006"},           // too much
	5:  {"GRP001"},           // a rule before any user-agent
	6:  {"FMT008"},           // a rule too long
	7:  {"YA003"},            // bad Host
	8:  {"FMT010"},           // a line without a colon
	9:  {"SM001", "YA009"},   // bad sitemap
	10: {"DIR008"},           // bad Crawl-delay
	11: {"DIR009"},           // second Crawl-delay
	12: {"YA004", "YA005"},   // bad Clean-param
	30: {"RUL003"},           // a rule without a path
	31: {"YA010", "RUL010"},  // an unusual sign
	33: {"DIR001", "DIR003"}, // an unknown field
}

// yandexElsewhere are rows that the parser reports and the lint does not, or
// otherwise, with the reason.
var yandexElsewhere = map[string]string{
	"sitemap-09": "ftp is a URL of a sitemap to other readers",
	"sitemap-10": "an underscore in a host is no concern of other readers",
	"sitemap-11": "user info is no concern of other readers",
	"sitemap-15": "a URL of 1,016 bytes is one to other readers",
	"lint-33":    "a file that holds nothing else is no robots.txt: FET006",
}

// TestLintYandex compares findings with what Yandex's parser, as published in
// 2022 and 2023, reported. Upper case in a rule (34), of which it warned too,
// is no finding: help does not speak of it.
func TestLintYandex(t *testing.T) {
	type row struct {
		ID, Kind, Robots string
		Base64           []byte `json:"robots_b64"`
		Gen              any    `json:"robots_gen"`
		Expected         json.RawMessage
		Errors           [][2]int
	}
	profiles := []*Profile{mustProfile(t, "yandex"), mustProfile(t, "yandex-2016")}
	checked, used := map[int]int{}, map[string]bool{}
	readRows(t, "yandex_cases.jsonl.gz", func(line []byte) error {
		var r row
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		reports := r.Errors
		if r.Kind == "lint" {
			var list []struct{ ID, Line int }
			if err := json.Unmarshal(r.Expected, &list); err != nil {
				return err
			}
			for _, e := range list {
				reports = append(reports, [2]int{e.ID, e.Line})
			}
		}
		if r.Gen != nil || len(reports) == 0 {
			return nil
		}
		found := Lint([]byte(r.Robots), LintOptions{Profiles: profiles})
		for _, report := range reports {
			ids, at := yandexReports[report[0]], report[1]
			there := slices.ContainsFunc(ids, func(id string) bool { return has(found, id, at) })
			switch reason := yandexElsewhere[r.ID]; {
			case report[0] == 34:
			case !there && reason == "":
				t.Errorf("%s: report %d of line %d is none of %v: %v\n%s", r.ID, report[0], at, ids, idsOf(found), escape.Prefix(r.Robots, 300))
			case !there:
				used[r.ID] = true
			default:
				checked[report[0]]++
			}
		}
		return nil
	})
	for id := range yandexReports {
		if checked[id] == 0 && id != 4 {
			t.Errorf("report %d was never checked", id)
		}
	}
	for id, reason := range yandexElsewhere {
		if !used[id] {
			t.Errorf("%s is no exception any more: %s", id, reason)
		}
	}
}

func idsOf(findings []Finding) string {
	var list []string
	for _, f := range findings {
		list = append(list, fmt.Sprintf("%s:%d", f.ID, f.Line))
	}
	return strings.Join(list, " ")
}

// TestLintQuirks holds the findings about Yandex's parser to the cases in
// which it is known to have done otherwise than its help says.
func TestLintQuirks(t *testing.T) {
	quirks := map[string]string{"glob": "PRS001", "ualen": "PRS002", "empty2": "PRS003", "crblank": "PRS004"}
	readRows(t, "yandex_cases.jsonl.gz", func(line []byte) error {
		var r struct{ ID, Robots, Quirk string }
		if err := json.Unmarshal(line, &r); err != nil || r.Quirk == "" {
			return err
		}
		for quirk := range strings.SplitSeq(r.Quirk, ",") {
			if id := quirks[quirk]; id == "" || !has(Lint([]byte(r.Robots), LintOptions{Profiles: []*Profile{mustProfile(t, "yandex")}}), id, 0) {
				t.Errorf("%s: %s is not found in %q", r.ID, quirk, r.Robots)
			}
		}
		return nil
	})
}
