package compare

import (
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
)

// askedURLs are those of askedAs, in its order.
var askedURLs = []audit.AskedURL{
	{URL: "https://example.com/robots.txt", Kind: audit.AskedRobots}, {URL: "https://example.com/", Kind: audit.AskedHome},
	{URL: "https://example.com/b", Kind: audit.AskedPage, Template: "/*"}, {URL: "https://example.com/c/d", Kind: audit.AskedPage, Template: "/c/*"},
	{URL: "https://example.com/e.css", Kind: audit.AskedStyleSheet},
}

// askedReplies are the answers by the letter of askedAs.
var askedReplies = map[rune]audit.Reply{
	'l': {Treatment: audit.LetIn, Status: 200}, 'r': {Treatment: audit.Refused, Why: audit.WhyStatus, Status: 403}, 'n': {Treatment: audit.Refused, Why: audit.WhyNoAnswer},
	'c': {Treatment: audit.Challenged, Why: audit.WhyChallenge, Status: 503}, 'p': {Treatment: audit.AskedToPay, Why: audit.WhyPayment, Status: 402},
	'o': {Treatment: audit.Otherwise, Why: audit.WhyNoIndex, Status: 200}, 'u': {Treatment: audit.Unclear, Why: audit.WhyUnstable, Status: 200}, '-': {Treatment: audit.Unclear, Why: audit.WhyNotAsked},
}

// askedAs are the answers to crawlers, each a letter for each of askedURLs: "Googlebot llll, GPTBot llrr".
func askedAs(list string) *audit.Asked {
	a := &audit.Asked{}
	for of := range strings.SplitSeq(list, ", ") {
		name, letters, _ := strings.Cut(of, " ")
		c := audit.AskedCrawler{Name: name, Purpose: "AI training", UserAgent: name + "/1"}
		if name == "Googlebot" {
			c.Purpose = "search"
		}
		for _, l := range letters {
			c.Replies = append(c.Replies, askedReplies[l])
		}
		if strings.Contains(letters, "-") {
			a.Limits = []audit.AskedLimit{audit.AskedLimitOwn}
		}
		a.URLs, a.Crawlers = askedURLs[:len(c.Replies)], append(a.Crawlers, c)
	}
	return a
}

// late are answers for which the time was over.
func late(a *audit.Asked) *audit.Asked {
	a.Limits = []audit.AskedLimit{audit.AskedLimitTime}
	return a
}

// TestUnclearTreatments looks up in earlier runs how a crawler was treated before its answers were unclear.
func TestUnclearTreatments(t *testing.T) {
	for _, test := range []struct {
		name    string
		old     string
		earlier []string // newest first; "" = no answers, "none" = not asked for
		want    string
	}{
		{"let in before", "GPTBot uuuu", []string{"GPTBot llll"}, "GPTBot: refused"},
		{"let in long before", "GPTBot luul", []string{"GPTBot uuuu", "", "GPTBot llll"}, "GPTBot: refused"},
		{"refused before", "GPTBot uuuu", []string{"GPTBot lrrr", "GPTBot llll"}, ""},
		{"no answers before", "", []string{"GPTBot llll"}, "GPTBot: refused"},
		{"not asked for before", "GPTBot uuuu", []string{"none", "GPTBot llll"}, ""},
		{"never clear", "GPTBot uuuu", slices.Repeat([]string{"GPTBot uuuu"}, 20), ""},
		{"clear too long before", "GPTBot uuuu", append(slices.Repeat([]string{"GPTBot uuuu"}, maxUnclear), "GPTBot llll"), ""},
		{"a new part of the site", "GPTBot l", []string{"GPTBot llll"}, ""},
	} {
		w := world{answer: answer{body: base}, urls: pages}
		side := func(text string) world {
			w.askAs, w.asked = []string{"GPTBot"}, nil
			if text != "" {
				w.asked = askedAs(text)
			}
			return w
		}
		o := Options{Temp: t.TempDir(), Earlier: func(_ string, newer bool) (list []EarlierRun) {
			for _, of := range test.earlier {
				list = append(list, EarlierRun{Asked: func() (*audit.Asked, []string) {
					switch of {
					case "none":
						return nil, nil
					case "":
						return nil, []string{"GPTBot"}
					}
					return askedAs(of), []string{"GPTBot"}
				}})
			}
			return list
		}}
		var got []string
		for item, err := range Sides(side(test.old).records(t), side("GPTBot lrrr").records(t), o) {
			noError(t, err)
			if item.Site != nil {
				for _, ch := range item.Site.Changes {
					got = append(got, ch.Subjects...)
				}
			}
		}
		if got := strings.Join(got, ", "); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestTreatmentOver checks when the end of a treatment is proved.
func TestTreatmentOver(t *testing.T) {
	for _, test := range []struct {
		name     string
		old, new *audit.Asked // old nil = not asked for
		want     bool
	}{
		{"let in", askedAs("GPTBot llll"), askedAs("GPTBot llll"), true},
		{"as before", askedAs("GPTBot lrrr"), askedAs("GPTBot llrr"), true},
		{"otherwise than before", askedAs("GPTBot llrr"), askedAs("GPTBot llcr"), false},
		{"refused, and unclear before", askedAs("GPTBot uuuu"), askedAs("GPTBot lrrr"), false},
		{"a part is unclear", askedAs("GPTBot llll"), askedAs("GPTBot lllu"), false},
		{"it was unclear before, too", askedAs("GPTBot lllu"), askedAs("GPTBot lllu"), false},
		{"robots.txt blocks us there", askedAs("GPTBot lll-"), askedAs("GPTBot lll-"), true},
		{"robots.txt blocks us there now", askedAs("GPTBot llll"), askedAs("GPTBot lll-"), false},
		{"too many differences to ask for all", nil, func() *audit.Asked { a := askedAs("GPTBot lll-"); a.Limits = nil; return a }(), false},
		{"the time was over", nil, late(askedAs("GPTBot lll-")), false},
		{"the time was over before a part was found", askedAs("GPTBot llll"), late(askedAs("GPTBot lll")), false},
		{"a part is gone", askedAs("GPTBot llll"), askedAs("GPTBot lll"), true},
		{"robots.txt blocks it everywhere", nil, askedAs("GPTBot lrrr"), true}, // else it is a change
		{"nothing is clear", nil, askedAs("GPTBot ----"), false},
		{"another crawler", askedAs("GPTBot llll"), askedAs("Googlebot llll"), false},
		{"no answers", askedAs("GPTBot llll"), nil, false},
	} {
		s := &Site{Old: &Side{Asked: test.old}, New: &Side{Asked: test.new}}
		if test.old != nil {
			s.Old.AskAs = []string{"GPTBot"}
		}
		if got := s.TreatmentOver("GPTBot"); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
