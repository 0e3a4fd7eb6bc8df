package main

import (
	"fmt"
	"io"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// reasons says in words why a group was chosen.
var reasons = map[engine.GroupReason]string{
	engine.Exact:    "it names the crawler by its own product token",
	engine.Fallback: "no group names the crawler's first product token, this one names a later one",
	engine.Global:   "no group names the crawler, so the group of * applies",
	engine.None:     "no group names the crawler and there is none of *: everything is allowed",
	engine.Exempt:   "only the group of * would apply, which this crawler does not obey: everything is allowed",
}

// explainCheck tells how the verdicts came about: who reads and by which
// profile, which group applies and why, for each URL the lines of the file
// that took part, what would be if the deciding line were deleted, and what
// readers by other profiles say.
func explainCheck(w io.Writer, c engine.Crawler, answers *audit.Answers, robots *engine.Robots, urls []string) {
	group := robots.Group(c)
	p := robots.Profile
	fmt.Fprintf(w, "crawler:\t%s (product tokens in order of preference: %s)\n", onOneLine(c.Name), onOneLine(strings.Join(c.Tokens, ", ")))
	fmt.Fprintf(w, "profile:\t%s: %s, %s\n", p.Name, p.Title, p.Dated)
	fmt.Fprintf(w, "access:\t%s (%s)\n", robots.Access, onOneLine(audit.ReadWhy(robots.Why)))
	if ahead := answers.Forecast(0, p, c); len(ahead) > 1 {
		for _, forecast := range ahead {
			fmt.Fprintf(w, "forecast:\t%s\n", forecast)
		}
	}
	if robots.Access == engine.Parsed {
		if group.Line > 0 {
			fmt.Fprintf(w, "group:\tline %d, user-agent: %s (%s): %s\n", group.Line, onOneLine(strings.Join(group.Tokens, ", ")), wording.Plural(len(group.Rules), "rule"), reasons[group.Reason])
		} else {
			fmt.Fprintf(w, "group:\tnone: %s\n", reasons[group.Reason])
		}
	}
	lines := map[int]engine.RawLine{}
	for line := range robots.Lines() {
		lines[line.Number] = line
	}
	var rest []reading
	for _, other := range engine.Profiles() {
		if r := answers.Read(0, other, c); other != p {
			rest = append(rest, reading{r, r.Group(c)})
		}
	}
	partings := partingsOf(c, answers, robots, rest)
	for _, url := range urls {
		e := group.Explain(url)
		fmt.Fprintf(w, "\n%s\t%s\n", e.Verdict, named(url))
		fmt.Fprintf(w, "  why\t%s\n", onOneLine(e.Why))
		if robots.Access == engine.Parsed && e.Path != url && e.Path != "" {
			fmt.Fprintf(w, "  compared\t%s\n", named(e.Path))
		}
		if group.Line > 0 && robots.Access == engine.Parsed {
			printLine(w, lines[group.Line], "begins the group")
		}
		if e.Rule != nil {
			printLine(w, lines[e.Rule.Line], "decides"+weight(p, e.Octets))
		}
		if e.RunnerUp != nil {
			printLine(w, lines[e.RunnerUp.Line], "comes second"+weight(p, e.Octets-e.Margin))
		}
		if e.Rule != nil {
			fmt.Fprintf(w, "  without line %d\t%s\n", e.Rule.Line, without(c, group, &e))
		}
		printOthers(w, rest, url, e.Decision, p)
		printPartings(w, partings, url, e.Verdict, p)
	}
}

// without says what the file says with the deciding line deleted.
func without(c engine.Crawler, group *engine.Group, e *engine.Explanation) string {
	why := group.Reread(e.Rule.Line)
	switch {
	case e.Without == engine.Unknown:
		return "not known: " + why
	case why != "":
		return e.Without.String() + ": " + why
	case e.Join.Line > 0:
		return e.Without.String() + ": " + e.Join.Words(onOneLine(c.Name), e.Rule.String())
	}
	return e.Without.String()
}

// weight is what of a rule counts for precedence, where that is its length.
func weight(p *engine.Profile, octets int) string {
	if p.FirstMatch {
		return ""
	}
	return " (" + wording.Plural(octets, "octet") + ")"
}

// printLine shows a line of the file with its part in the verdict, and says
// where it is only a published parser that takes it for what it is taken for.
func printLine(w io.Writer, line engine.RawLine, part string) {
	fmt.Fprintf(w, "  line %d\t%s\t<- %s%s\n", line.Number, onOneLine(strings.TrimSpace(line.Text)), part, lenient(line))
}

// lenient says so where a line counts only because Google's published parser
// accepts its field, which Google's page does not mention.
func lenient(line engine.RawLine) string {
	text, _, _ := strings.Cut(line.Text, "#")
	switch {
	case !strings.EqualFold(line.Field, string(line.Kind)):
		return fmt.Sprintf(", as Google's published parser takes it: its page knows no field %q", line.Field)
	case !strings.Contains(text, ":"):
		return ", as Google's published parser takes it: its page knows no line without a colon"
	}
	return ""
}

// reading is a file as another profile reads it, and what the crawler obeys
// there.
type reading struct {
	robots *engine.Robots
	group  *engine.Group
}

// printOthers tells what readers by the other profiles say: those that differ by
// name and reason, those that agree by name.
func printOthers(w io.Writer, rest []reading, url string, own engine.Decision, ownProfile *engine.Profile) {
	var same []string
	differ := false // a page of Google's and Google's matcher have different verdicts
	for _, other := range rest {
		p, d := other.robots.Profile, other.group.Verdict(url)
		if d.Verdict == own.Verdict && d.Line() == own.Line() {
			same = append(same, p.Name)
			continue
		}
		why := other.group.Explain(url).Why
		if d.Rule != nil {
			why = fmt.Sprintf("line %d: %s", d.Rule.Line, onOneLine(d.Rule.String()))
		} else if other.robots.Access != engine.Parsed {
			why = onOneLine(audit.ReadWhy(other.robots.Why))
		}
		differ = differ || ownProfile.Name == "google" && p.Name == "google-oss" && d.Verdict != own.Verdict
		fmt.Fprintf(w, "  by %s\t%s\t%s\n", p.Name, d.Verdict, why)
	}
	if len(same) > 0 {
		fmt.Fprintf(w, "  the same by\t%s\n", strings.Join(same, ", "))
	}
	if differ {
		fmt.Fprint(w, "  note\tGoogle's page and Google's published parser (google-oss) part here; the page is followed\n")
	}
}
