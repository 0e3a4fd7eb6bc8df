package page

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestPolicyRows: each policy has the reason that is its own, though rows that follow each other
// share one cell, whatever they are for.
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
