package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"

	"robots-audit/audit/compare"
	"robots-audit/audit/expect"
	"robots-audit/cmd/internal/suppression"
	"robots-audit/cmd/robots-audit/internal/sarif"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// SARIF writes a log with a result for each expectation that is not met. The result is at the
// deciding line of robots.txt, with the line of the expectation as a related location. If no line
// decides it is at line 1; if there is no robots.txt, at the expectation. Changes of a proposed
// robots.txt are results, too.
type SARIF struct {
	Out     io.Writer
	Root    string // the folder to which file names are relative
	Version string // of the program

	results []sarif.Result
	more    int64 // number of results beyond maxResults
}

// maxResults is the number of results that GitHub's code scanning keeps per run.
const maxResults = 5000

// changed stands for changes of verdicts among the outcomes.
const changed expect.Outcome = 255

// levels are those of changes. Newly blocked URLs are an error if the gate is closed by changes.
var levels = map[compare.Class]string{compare.NewlyBlocked: "warning", compare.NowUnclear: "warning", compare.NewlyAllowed: "note", compare.ClearAgain: "note"}

// rules are the kinds of results, by outcome.
var rules = map[expect.Outcome]struct {
	index           int
	id, name, short string
	help            string
	level, severity string
}{
	expect.Failed:  {0, "EXP001", "Expectation failed", "A crawler's verdict on a URL is not the expected one.", "Change this line of robots.txt. If the new verdict is intended, change the expectation.", "error", "error"},
	expect.Vacuous: {1, "EXP002", "Expectation without a matching URL", "The pattern of an expectation matches no URL, so it checks nothing.", "Correct the pattern, or give more URLs. If the URLs are gone for good, delete the line.", "error", "error"},
	expect.NoSite:  {2, "EXP003", "Expectation for another site", "None of the tested sites has the host of the expectation.", "Correct the host and its scheme, or test that site too.", "error", "error"},
	expect.Unclear: {3, "EXP004", "Could not be judged", "The verdict is undefined or unknown, or the audit of the site stopped early.", "Make sure that robots.txt can be fetched and that its rules do not conflict. Then verify again.", "warning", "warning"},
	changed:        {4, "EXP005", "Verdicts change", "The proposed robots.txt changes the verdict on URLs.", "If this is not intended, change this line of robots.txt.", "warning", "warning"},
}

// Suite takes the results of a site.
func (s *SARIF) Suite(suite *expect.Suite) error {
	for i := range suite.Results {
		r := &suite.Results[i]
		if r.Outcome == expect.Met {
			continue
		}
		s.add(r.Outcome, rules[r.Outcome].level, sarif.Result{
			Message:   sarif.Message{Text: message(r)},
			Locations: []sarif.Location{s.decided(r)}, Related: []sarif.Location{s.expected(r)},
			Prints: map[string]string{suppression.SARIFKey: fingerprint(r)},
		})
	}
	return nil
}

// add adds a result of a kind.
func (s *SARIF) add(kind expect.Outcome, level string, r sarif.Result) {
	if len(s.results) >= maxResults {
		s.more++
		return
	}
	r.RuleID, r.RuleIndex, r.Level = rules[kind].id, rules[kind].index, level
	s.results = append(s.results, r)
}

// message says in a sentence what is wrong, with one URL as an example.
func message(r *expect.Result) string {
	return escape.Printable(named(r, true) + ", " + r.Crawler + ": " + What(short(r)))
}

// short is a result with one URL as an example.
func short(r *expect.Result) *expect.Result {
	of := *r
	of.Samples = r.Samples[:min(len(r.Samples), 1)]
	return &of
}

// fingerprint identifies a result for code review even after lines have moved.
func fingerprint(r *expect.Result) string {
	return hashed(strings.Join([]string{r.Site, r.URL, r.Crawler, r.Want.String()}, "\x00"))
}

func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8]) + ":1"
}

// expected is the location of the expectation.
func (s *SARIF) expected(r *expect.Result) sarif.Location {
	return at(sarif.File(s.Root, r.File), r.Line)
}

// decided is the location of the deciding line of robots.txt.
func (s *SARIF) decided(r *expect.Result) sarif.Location {
	if len(r.Samples) == 0 || r.Samples[0].Robots == "" {
		return s.expected(r)
	}
	of := &r.Samples[0]
	file := sarif.Artifact{URI: of.Robots}
	if of.Local {
		file = sarif.File(s.Root, of.Robots)
	}
	return at(file, max(of.Got.Rule.Line, 1))
}

func at(file sarif.Artifact, line int) sarif.Location {
	return sarif.Location{Physical: sarif.Physical{Artifact: file, Region: &sarif.Region{StartLine: line, StartColumn: 1, EndLine: line + 1, EndColumn: 1}}}
}

// End writes the log.
func (s *SARIF) End(sum *Summary) error {
	for c := range sum.changes() {
		level := levels[c.class]
		if c.class == compare.NewlyBlocked && sum.FlipsFail != nil {
			level = "error"
		}
		s.add(changed, level, sarif.Result{
			Message: sarif.Message{Text: c.text}, Locations: []sarif.Location{at(sarif.File(s.Root, c.file), max(c.line, 1))},
			Prints: map[string]string{suppression.SARIFKey: hashed(c.identifies)},
		})
	}
	run := sarif.Run{Results: s.results, Bases: sarif.Bases(s.Root), Invocations: []sarif.Invocation{{Successful: len(sum.Unread) == 0}}}
	notify := func(level, text string) {
		of := &run.Invocations[0]
		of.Notifications = append(of.Notifications, sarif.Notification{Level: level, Message: sarif.Message{Text: escape.Printable(text)}})
	}
	for _, text := range sum.Unread {
		notify("error", text)
	}
	if s.more > 0 {
		notify("warning", wording.Plural(s.more, "more result")+" skipped: code review keeps at most "+wording.Thousands(maxResults))
	}
	run.Tool.Driver.Rules = make([]sarif.Rule, len(rules))
	for _, k := range rules {
		rule := &run.Tool.Driver.Rules[k.index]
		rule.ID, rule.Name, rule.HelpURI = k.id, k.name, "https://www.rfc-editor.org/rfc/rfc9309"
		rule.Short, rule.Full = sarif.Message{Text: k.name}, sarif.Message{Text: k.short}
		rule.Help = sarif.Message{Text: k.help, Markdown: "**" + k.id + ": " + k.name + "**\n\n" + k.short + "\n\n**What to do:** " + k.help}
		rule.Default.Level = k.level
		rule.Properties = sarif.RuleProperties{Tags: []string{"robots.txt", "expectation"}, Precision: "high", Severity: k.severity}
	}
	return sarif.Write(s.Out, s.Version, run)
}
