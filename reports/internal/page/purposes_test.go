package page

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/site"
)

// TestPolicyRows: each policy has its own reason, though adjacent rows share one cell, whatever
// their purpose.
func TestPolicyRows(t *testing.T) {
	row := regexp.MustCompile(`\n<tr>(?:<th( rowspan="\d+")?>([^<]*)<span class="sub">[^<]*</span>)?<td class="policy [^"]*"><span aria-hidden="true"></span> <td class="names">([^<\n]*)(?:<td(?: rowspan="(\d+)")?>([^<\n]*))?`)
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 0))
		v := &siteView{}
		var want []string
		for i := range random.IntN(6) {
			of := viewPurpose{Purpose: fmt.Sprint("purpose ", i)}
			for k := range random.IntN(4) {
				p := viewPolicy{Why: fmt.Sprint("why ", random.IntN(2)), Crawlers: []string{fmt.Sprint("A", i, k), "B"}}
				want = append(want, p.Crawlers[0]+", B: "+p.Why)
				of.Policies = append(of.Policies, p)
			}
			v.Purposes = append(v.Purposes, of)
		}
		var m markup
		m.policy(v)
		var got []string
		left, why := 0, ""
		for _, found := range row.FindAllStringSubmatch(string(m.buf), -1) {
			if left == 0 {
				left, why = 1, found[5]
				if found[4] != "" {
					left, _ = strconv.Atoi(found[4])
				}
			} else if found[5] != "" {
				t.Errorf("a cell too many: %q", found[0])
			}
			left--
			got = append(got, found[3]+": "+why)
		}
		if strings.Join(got, "; ") != strings.Join(want, "; ") || left != 0 {
			t.Errorf("%q, want %q, %d rows left\n%s", got, want, left, m.buf)
		}
	}
}

// TestPolicyWords: a count of all URLs is not called a sample, and all blocking lines are named.
func TestPolicyWords(t *testing.T) {
	for _, c := range []struct {
		reach       audit.Reach
		tested, all int64
		want, why   string
	}{
		{audit.Reach{Word: site.ReachPart, Blocked: 1, Line: 2, Rule: "disallow: /a"}, 106, 106, "1 of 106 URLs is blocked", "; line 2, disallow: /a"},
		{audit.Reach{Word: site.ReachAll}, 500, 2500, "0 of 500 URLs sampled from 2,500 are blocked", ""},
		{audit.Reach{Word: site.ReachPart}, 500, 2500, "few URLs are blocked: 0 of 500 URLs sampled from 2,500 are blocked", ""},
		{audit.Reach{Word: site.ReachPart, Blocked: 7}, 500, 0, "7 of 500 URLs sampled are blocked", ""}, // recorded by an earlier version
		{audit.Reach{Word: site.ReachUnknown}, 500, 500, "", ""},
		{audit.Reach{Word: site.ReachAll}, 0, 0, "", ""},
		{audit.Reach{Word: site.ReachPart, Blocked: 9, Line: 3, Rule: "disallow: /c", Rules: []audit.RuleLine{{Line: 4, Rule: "disallow: /d"}, {Line: 3, Rule: "disallow: /c"}}, MoreRules: 5},
			9, 9, "9 of 9 URLs are blocked", "; line 4, disallow: /d; line 3, disallow: /c; and 5 more"},
	} {
		got := newPolicy(&site.Policy{Pages: c.tested, All: c.all}, &site.PolicyCrawler{Crawler: &engine.Crawler{}, Read: &audit.PolicyRead{Access: engine.Parsed}, Reach: c.reach, Tested: c.tested})
		if got.Tested != c.want || !strings.HasSuffix(got.Why, c.why) {
			t.Errorf("%q and %q, want %q and %q", got.Tested, got.Why, c.want, c.why)
		}
	}
}
