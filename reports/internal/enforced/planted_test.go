package enforced

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
)

// planted are the values of the six sources, one of each for a world with GPTBot.
var planted = [6][]string{
	{"allow", "block", "partly", "own group", "unread"},
	{"", "yes", "no", "no for /p1"},
	{"", "no"},
	{"", "tdmrep no", "tdmrep yes", "ai.txt no to GPTBot", "ai.txt no to ClaudeBot", "RSL pay", "RSL yes", "tdmrep no for /p2"},
	{"let in", "403", "challenge 403", "402", "other 200", "unclear"},
	{"", "all 403", "all 200", "200, disobeys", "403, disobeys", "old 403", "403 from anywhere", "404"},
}

// plant makes the world of values.
func plant(v [6]string) *world {
	signal := map[string]string{"": "", "yes": "Content-Signal: ai-train=yes\n", "no": "Content-Signal: search=yes, ai-train=no\n", "no for /p1": "Content-Usage: /p1 train-ai=n\n"}[v[1]]
	w := newWorld(map[string]string{
		"allow": "User-agent: *\n" + signal + "Allow: /\n", "block": "User-agent: *\n" + signal + "Disallow: /\n", "partly": "User-agent: *\n" + signal + "Disallow: /p1\n",
		"own group": "User-agent: GPTBot\nAllow: /\n\nUser-agent: *\n" + signal + "Disallow: /x\n", "unread": "",
	}[v[0]], "GPTBot")
	if v[2] == "no" {
		w.page(audit.PolicyStatement{Source: "meta", Text: "noai", Purpose: "training", Says: "no"})
	}
	switch v[3] {
	case "tdmrep no":
		w.file(0, audit.PolicyStatement{Purpose: "mining", Says: "no"})
	case "tdmrep no for /p2":
		w.file(0, audit.PolicyStatement{Purpose: "mining", Says: "no", Path: "/p2"})
	case "tdmrep yes":
		w.file(0, audit.PolicyStatement{Purpose: "mining", Says: "yes", Path: "/"})
	case "ai.txt no to GPTBot":
		w.file(1, audit.PolicyStatement{Purpose: "training", Says: "no", Token: "gptbot"}, audit.PolicyStatement{Purpose: "training", Says: "yes"})
	case "ai.txt no to ClaudeBot":
		w.file(1, audit.PolicyStatement{Purpose: "training", Says: "no", Token: "ClaudeBot"})
	case "RSL pay":
		w.file(3, audit.PolicyStatement{Purpose: "training", Says: "pay"})
	case "RSL yes":
		w.file(3, audit.PolicyStatement{Purpose: "all", Says: "yes"})
	}
	w.answer(0, map[string]audit.Reply{
		"let in": {Treatment: audit.LetIn, Status: 200}, "403": {Treatment: audit.Refused, Why: audit.WhyStatus, Status: 403}, "challenge 403": {Treatment: audit.Challenged, Why: audit.WhyChallenge, Status: 403},
		"402": {Treatment: audit.AskedToPay, Why: audit.WhyPayment, Status: 402}, "other 200": {Treatment: audit.Otherwise, Why: audit.WhyTitle, Status: 200}, "unclear": {Treatment: audit.Unclear, Why: audit.WhyRefusesUs, Status: 403},
	}[v[4]])
	n, none := audit.LogTally{Requests: 97}, audit.LogTally{}
	switch v[5] {
	case "all 403", "old 403":
		w.log("GPTBot", n, none, audit.LogCount{Name: "403", Requests: 97})
	case "all 200":
		w.log("GPTBot", n, none, audit.LogCount{Name: "200", Requests: 97})
	case "200, disobeys":
		w.log("GPTBot", audit.LogTally{Requests: 97, Disobeyed: 10}, none, audit.LogCount{Name: "200", Requests: 97})
	case "403, disobeys":
		w.log("GPTBot", audit.LogTally{Requests: 97, Disobeyed: 97}, none, audit.LogCount{Name: "403", Requests: 97})
	case "403 from anywhere":
		w.log("GPTBot", none, n, audit.LogCount{Name: "403", Requests: 97})
	case "404":
		w.log("GPTBot", n, none, audit.LogCount{Name: "404", Requests: 97})
	}
	if v[5] == "old 403" {
		w.logs.To = today.AddDate(0, -2, 0)
	}
	return w
}

// expected is the specification, written without the code: each line is a contradiction with the values that make it.
// A value is one of several with "|" between them; "!" before it means none of them; "" = any.
var expected = []struct {
	want   string
	values [6]string
}{
	// Allowed, but denied when asked. Logs from proved addresses make it worse, or explain it.
	{"allowed_refused GPTBot warning", [6]string{"allow|partly|own group", "", "", "", "403", "!all 403|all 200|200, disobeys"}},
	{"allowed_challenged GPTBot warning", [6]string{"allow|partly|own group", "", "", "", "challenge 403", "!all 403|all 200|200, disobeys"}},
	{"allowed_asked_to_pay GPTBot warning", [6]string{"allow|partly|own group", "", "", "!RSL pay|RSL yes", "402", "!all 403|all 200|200, disobeys"}},
	{"asked_to_pay GPTBot info", [6]string{"allow|partly|own group", "", "", "RSL pay|RSL yes", "402", "!all 403|all 200|200, disobeys"}},
	{"allowed_something_else GPTBot warning", [6]string{"allow|partly|own group", "", "", "", "other 200", ""}},
	{"allowed_refused GPTBot error", [6]string{"allow|partly|own group", "", "", "", "403", "all 403"}},
	{"allowed_challenged GPTBot error", [6]string{"allow|partly|own group", "", "", "", "challenge 403", "all 403"}},
	{"allowed_asked_to_pay GPTBot error", [6]string{"allow|partly|own group", "", "", "", "402", "all 403"}},
	{"genuine_served GPTBot info", [6]string{"allow|partly|own group", "", "", "", "403|challenge 403|402", "all 200|200, disobeys"}},
	{"allowed_refused_in_logs GPTBot error", [6]string{"allow|partly|own group", "", "", "", "let in|unclear", "all 403"}},
	// Blocked, but fetched. A server that refuses all of it enforces the rules.
	{"blocked_fetched GPTBot warning", [6]string{"", "", "", "", "", "200, disobeys"}},
	// A source says no, and nothing enforces it.
	{"said_no_let_in GPTBot warning signal", [6]string{"allow|partly", "no", "", "", "let in", ""}},
	{"said_no_let_in GPTBot warning signal", [6]string{"allow", "no for /p1", "", "", "let in", ""}},
	{"said_no_let_in GPTBot info page", [6]string{"allow|partly|own group", "", "no", "", "let in", ""}},
	{"said_no_let_in GPTBot warning file", [6]string{"allow|partly|own group", "", "", "tdmrep no|tdmrep no for /p2|ai.txt no to GPTBot", "let in", ""}},
	// A source says yes, and robots.txt blocks all of it.
	{"said_yes_blocked GPTBot warning signal", [6]string{"block", "yes", "", "", "", ""}},
	{"said_yes_blocked GPTBot warning file", [6]string{"block", "", "", "tdmrep yes|RSL yes", "", ""}},
	// Payment.
	{"pay_let_in GPTBot info", [6]string{"allow|partly|own group", "", "", "RSL pay", "let in", ""}},
	// Sources say yes and no to the same, whoever is asked. Without robots.txt there is no signal.
	{"statements_disagree  warning", [6]string{"!unread", "yes", "", "tdmrep no|tdmrep no for /p2", "", ""}},
	{"statements_disagree  warning", [6]string{"!unread", "no|no for /p1", "", "tdmrep yes|RSL yes|ai.txt no to GPTBot", "", ""}},
	{"statements_disagree  info", [6]string{"!unread", "yes", "no", "", "", ""}},
	{"statements_disagree  info", [6]string{"", "", "no", "tdmrep yes|RSL yes|ai.txt no to GPTBot", "", ""}},
}

// is reports whether a value is one of those wanted.
func is(value, wanted string) bool {
	rest, not := strings.CutPrefix(wanted, "!")
	return wanted == "" || slices.Contains(strings.Split(rest, "|"), value) != not
}

// everyWorld is the number of combinations for one that is tried. It has no factor in common with the number of values
// of a source, so that all values meet; with 1, all are tried.
const everyWorld = 7

// TestPlanted plants combinations of values in the six sources. All contradictions are found, and none is invented.
func TestPlanted(t *testing.T) {
	worlds, silent := 0, 0
	for i := 0; i < len(planted[0])*len(planted[1])*len(planted[2])*len(planted[3])*len(planted[4])*len(planted[5]); i += everyWorld {
		var v [6]string
		for k, rest := 0, i; k < 6; k++ {
			v[k], rest = planted[k][rest%len(planted[k])], rest/len(planted[k])
		}
		want := map[string]bool{}
		for _, e := range expected {
			if !slices.ContainsFunc([]int{0, 1, 2, 3, 4, 5}, func(k int) bool { return !is(v[k], e.values[k]) }) {
				want[e.want] = true
			}
		}
		s := plant(v).join()
		got := map[string]bool{}
		for _, c := range slices.Concat(s.Contradictions, s.Notes) {
			key := fmt.Sprintf("%s %s %s", c.Code, c.Crawler, c.Severity)
			if c.Code == "said_no_let_in" || c.Code == "said_yes_blocked" {
				key += " " + c.Sources[1]
			}
			got[key] = true
		}
		if !maps.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", v, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
		}
		if worlds++; len(want) == 0 {
			silent++
		}
	}
	t.Logf("%d worlds, %d of them without a contradiction", worlds, silent)
}
