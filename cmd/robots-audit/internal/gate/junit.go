package gate

import (
	"encoding/xml"
	"io"
	"strings"

	"robots-audit/audit/expect"
	"robots-audit/engine/escape"
)

// JUnit writes JUnit XML for build servers: a testsuite per site and a testcase per expectation,
// with its file and line as attributes. An expectation that could not be judged is an error, as a
// test that could not run.
type JUnit struct {
	Out   io.Writer
	begun bool
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	File    string        `xml:"file,attr,omitempty"`
	Line    int           `xml:"line,attr,omitempty"`
	Failure *junitProblem `xml:"failure"`
	Error   *junitProblem `xml:"error"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// begin writes the start of the document.
func (j *JUnit) begin() error {
	if j.begun {
		return nil
	}
	j.begun = true
	_, err := io.WriteString(j.Out, xml.Header+"<testsuites name=\"robots-audit verify\">\n")
	return err
}

// Suite writes the cases of a site.
func (j *JUnit) Suite(s *expect.Suite) error {
	if err := j.begin(); err != nil {
		return err
	}
	suite := junitSuite{Name: escape.Show(s.Name), Tests: len(s.Results)}
	for i := range s.Results {
		r := &s.Results[i]
		c := junitCase{Name: escape.Show(named(r, false) + " " + r.Crawler + " " + r.Want.String()), Class: suite.Name, File: escape.Show(r.File), Line: r.Line}
		if r.Outcome != expect.Met {
			what := escape.Show(What(short(r)))
			problem := &junitProblem{what, r.Outcome.String(), escape.Show(Word(r.Outcome) + " " + place(r) + "  " + named(r, true) + "  " + r.Crawler + ": " + What(r))}
			if r.Note != "" {
				problem.Text += "\n" + escape.Show(r.Note)
			}
			if r.Outcome.Fails() {
				c.Failure = problem
				suite.Failures++
			} else {
				c.Error = problem
				suite.Errors++
			}
		}
		suite.Cases = append(suite.Cases, c)
	}
	return j.write(&suite)
}

func (j *JUnit) write(suite *junitSuite) error {
	enc := xml.NewEncoder(j.Out)
	enc.Indent("  ", "  ")
	if err := enc.Encode(suite); err != nil {
		return err
	}
	_, err := io.WriteString(j.Out, "\n")
	return err
}

// End writes the case of the changes, if they may fail, and the end of the document.
func (j *JUnit) End(sum *Summary) error {
	if err := j.begin(); err != nil {
		return err
	}
	if sum.FailOn != "" {
		c := junitCase{Name: escape.Show(sum.FailOn), Class: "fail-on-flips"}
		suite := junitSuite{Name: c.Class, Tests: 1}
		switch {
		case sum.FlipsFail != nil:
			c.Failure = &junitProblem{escape.Show(sum.FlipsFail[0]), "failed", escape.Show(strings.Join(sum.FlipsFail, "; "))}
			suite.Failures = 1
		case sum.Uncompared != nil:
			c.Error = &junitProblem{escape.Show(sum.Uncompared[0]), "unclear", escape.Show(strings.Join(sum.Uncompared, "; "))}
			suite.Errors = 1
		}
		suite.Cases = []junitCase{c}
		if err := j.write(&suite); err != nil {
			return err
		}
	}
	_, err := io.WriteString(j.Out, "</testsuites>\n")
	return err
}
