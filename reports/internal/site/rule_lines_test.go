package site

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"robots-audit/audit"
)

// Rows that are joined for a whole file at once equal those from the counts of each line, put
// together in the simple way.
func TestRuleLines(t *testing.T) {
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 0))
		crawlers := []audit.Crawler{{Label: "A"}, {Label: "B"}, {Label: "C"}}
		s := New(&audit.Site{Crawlers: crawlers}, func(int) []byte { return bytes.Repeat([]byte("x\n"), 100) })
		robots := &audit.Robots{Origin: "https://a.example", Reads: []audit.Read{{GroupTokens: "a"}, {GroupTokens: "*"}, {GroupTokens: "*"}}}
		s.AddRecord(audit.Record{Robots: robots})
		if random.IntN(2) == 0 {
			s.tested = []int64{9}
		}
		for range 1 + random.IntN(4) {
			group := &audit.Rules{Crawlers: [][]int{{0}, {1}, {2}, {2, 0}, {1, 7}, {7}}[random.IntN(6)]}
			for line := 2; line < 100; line += 1 + random.IntN(5) {
				c := audit.RuleCount{Line: line, Rule: "disallow: /" + strconv.Itoa(line)}
				switch random.IntN(6) {
				case 0:
					c.Matched, c.Decided, c.Frees = 3, 2, 1
				case 1:
					c.Matched = int64(random.IntN(2))
				case 2:
					c.Unknown = "of something"
				}
				group.Counts = append(group.Counts, c)
			}
			s.AddRecord(audit.Record{Rules: group})
		}
		want := map[int][]RuleRow{}
		for _, group := range s.rules {
			for _, c := range group.Counts {
				want[c.Line] = joinPlainly(s, want[c.Line], robots, group, c)
			}
		}
		for line, rows := range want {
			if rows == nil {
				delete(want, line)
				continue
			}
			for i := range rows {
				rows[i].Names = s.names(rows[i].Crawlers)
			}
			if diff := cmp.Diff(rows, s.rowsOfLine(originLine{0, line}, 7)); diff != "" {
				t.Fatalf("seed %d, line %d: %s", seed, line, diff)
			}
		}
		for range 2 { // also those from before
			if got := s.RuleLinesOf(s.Robots(0), 7); len(got)+len(want) > 0 {
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("seed %d: %s", seed, diff)
				}
			}
			s.FileLines(7, func(*FileLine) {})
		}
	}
}

func joinPlainly(s *Site, rows []RuleRow, robots *audit.Robots, group *audit.Rules, c audit.RuleCount) []RuleRow {
	var crawlers []int
	for _, i := range group.Crawlers {
		if i >= 0 && i < len(s.Crawlers) {
			crawlers = append(crawlers, i)
		}
	}
	if len(crawlers) == 0 {
		return rows
	}
	for i := range rows {
		if rows[i].RuleCount == c {
			rows[i].Crawlers = append(rows[i].Crawlers, crawlers...)
			return rows
		}
	}
	return append(rows, RuleRow{
		RuleCount: c, Origin: robots.Origin, Crawlers: crawlers, Group: Read(robots, crawlers[0]).GroupTokens, Tested: s.TestedOn(0) > 0,
		Effect: RuleEffect(c, min(7, s.TestedOn(0))),
	})
}

// TestSentencesOfOne: sentences about all of a number of things are also correct for one.
func TestSentencesOfOne(t *testing.T) {
	for got, want := range map[string]string{
		RuleEffect(audit.RuleCount{Matched: 1}, 5): "decides nothing: a stronger rule decides the only URL that it matches",
		RuleEffect(audit.RuleCount{Matched: 2}, 5): "decides nothing: a stronger rule decides each of the 2 URLs that it matches",
		RuleEffect(audit.RuleCount{}, 1):           "decides nothing: does not match the only URL",
		RuleEffect(audit.RuleCount{}, 2):           "decides nothing: matches none of the 2 URLs",
		everyOne(1):                                "the only URL",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
