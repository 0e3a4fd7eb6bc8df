package gate

import (
	"io"

	"robots-audit/audit/compare"
	"robots-audit/audit/expect"
	"robots-audit/cmd/robots-audit/internal/codequality"
)

// CodeQuality writes GitLab's Code Quality report with an issue for each expectation that is not met,
// and for each change of a proposed robots.txt. It is at the deciding line of a robots.txt of the
// repository, or else at the expectation.
type CodeQuality struct {
	Out  io.Writer
	Root string // the folder to which file names are relative

	issues []codequality.Issue
}

// qualities are GitLab's severities, by outcome.
var qualities = map[expect.Outcome]codequality.Severity{expect.Failed: codequality.Critical, expect.Vacuous: codequality.Major, expect.NoSite: codequality.Major, expect.Unclear: codequality.Minor}

// Suite takes the results of a site.
func (c *CodeQuality) Suite(s *expect.Suite) error {
	for i := range s.Results {
		r := &s.Results[i]
		if r.Outcome == expect.Met || len(c.issues) >= maxResults {
			continue
		}
		name, line := r.File, r.Line
		if len(r.Samples) > 0 && r.Samples[0].Local {
			name, line = r.Samples[0].Robots, r.Samples[0].Got.Rule.Line
		}
		c.issues = append(c.issues, codequality.New(c.Root, name, line, rules[r.Outcome].id, fingerprint(r), message(r), qualities[r.Outcome]))
	}
	return nil
}

// End writes the report.
func (c *CodeQuality) End(sum *Summary) error {
	for of := range sum.changes() {
		severity := codequality.Info
		switch {
		case len(c.issues) >= maxResults:
			continue
		case of.class == compare.NewlyBlocked && sum.FlipsFail != nil:
			severity = codequality.Critical
		case levels[of.class] == "warning":
			severity = codequality.Major
		}
		c.issues = append(c.issues, codequality.New(c.Root, of.file, of.line, rules[changed].id, of.identifies, of.text, severity))
	}
	return codequality.Write(c.Out, c.issues)
}
