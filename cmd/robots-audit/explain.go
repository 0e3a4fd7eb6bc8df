package main

import (
	"fmt"
	"io"
	"strings"

	"robots-audit/audit"
	"robots-audit/cmd/internal/cli"
	"robots-audit/engine"
)

// explainCheck explains the verdicts: the crawler and its profile, the group that applies and why.
// For each URL it shows the lines that took part, the verdict without the deciding line, and the
// verdicts of readers with other profiles.
func explainCheck(w io.Writer, c engine.Crawler, answers *audit.Answers, robots *engine.Robots, urls []string) {
	reader := engine.NewExplainer(c, robots)
	p := robots.Profile
	fmt.Fprintf(w, "crawler:\t%s (product tokens in order of preference: %s)\n", cli.OnOneLine(c.Name), cli.OnOneLine(strings.Join(c.Tokens, ", ")))
	fmt.Fprintf(w, "profile:\t%s: %s, %s\n", p.Name, p.Title, p.Dated)
	fmt.Fprintf(w, "access:\t%s (%s)\n", robots.Access, cli.OnOneLine(audit.ReadWhy(robots.Why)))
	if ahead := answers.Forecast(0, p, c); len(ahead) > 1 {
		for _, forecast := range ahead {
			fmt.Fprintf(w, "forecast:\t%s\n", forecast)
		}
	}
	if robots.Access == engine.Parsed {
		fmt.Fprintf(w, "group:\t%s\n", cli.OnOneLine(reader.GroupWords()))
	}
	var rest []audit.Reader
	for _, other := range engine.Profiles() {
		if other != p {
			rest = append(rest, answers.Reader(0, other, c))
		}
	}
	partings := partingsOf(c, answers, robots, rest)
	for _, url := range urls {
		e := reader.Explain(url)
		fmt.Fprintf(w, "\n%s\t%s\n", e.Verdict, cli.Named(url))
		fmt.Fprintf(w, "  why\t%s\n", cli.OnOneLine(e.Why))
		if robots.Access == engine.Parsed && e.Path != url && e.Path != "" {
			fmt.Fprintf(w, "  compared\t%s\n", cli.Named(e.Path))
		}
		for _, line := range e.Lines {
			printLine(w, line)
		}
		if e.Rule != nil {
			fmt.Fprintf(w, "  without line %d\t%s\n", e.Rule.Line, cli.OnOneLine(e.Deleted))
		}
		printOthers(w, rest, url, e.Decision, p)
		printPartings(w, partings, url, e.Verdict, p)
	}
}

// printLine prints a line of the file with its part in the verdict.
func printLine(w io.Writer, line engine.ExplainedLine) {
	fmt.Fprintf(w, "  line %d\t%s\t<- %s\n", line.Number, cli.OnOneLine(line.Text), cli.OnOneLine(line.Part))
}

// printOthers prints the verdicts of readers with other profiles. Those that differ come with name
// and reason, those that agree only with their name.
func printOthers(w io.Writer, rest []audit.Reader, url string, own engine.Decision, ownProfile *engine.Profile) {
	var same []string
	differ := false // the profiles of Google's documentation and of Google's parser have different verdicts
	for _, other := range rest {
		p, d := other.Robots.Profile, other.Group.Verdict(url)
		if d.Verdict == own.Verdict && d.Line() == own.Line() {
			same = append(same, p.Name)
			continue
		}
		why := other.Group.Explain(url).Why
		if d.Rule != nil {
			why = fmt.Sprintf("line %d: %s", d.Rule.Line, cli.OnOneLine(d.Rule.String()))
		} else if access := other.Why(); access != "" {
			why = cli.OnOneLine(access)
		}
		differ = differ || ownProfile.Name == "google" && p.Name == "google-oss" && d.Verdict != own.Verdict
		fmt.Fprintf(w, "  by %s\t%s\t%s\n", p.Name, d.Verdict, why)
	}
	if len(same) > 0 {
		fmt.Fprintf(w, "  the same by\t%s\n", strings.Join(same, ", "))
	}
	if differ {
		fmt.Fprint(w, "  note\tGoogle's page and Google's published parser (google-oss) differ here. This follows the page\n")
	}
}
