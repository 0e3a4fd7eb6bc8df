package serve

import (
	"net/http"
	"unicode/utf8"

	"robots-audit/audit/compare"
	"robots-audit/engine"
	"robots-audit/reports/changes"
)

// handView is a text to hand over.
type handView struct {
	Name string `json:"name"` // of its file
	Text string `json:"text"`
}

// patch is the change from the site's own robots.txt to another one, as a patch. It makes the file if there is none.
func (f *facts) patch(robots []byte) string {
	var served []byte
	if f.isServed() {
		served = append([]byte{}, f.body()...) // not nil: it may be empty
	}
	return compare.Patch("robots.txt", served, robots)
}

// viewPatch sends the changes of an edited robots.txt as a patch.
func (d *Desk) viewPatch(e *exchange, of *edited) error {
	_, f, err := e.editingFacts()
	if err != nil {
		return err
	}
	if !utf8.Valid(f.body()) {
		return &Refusal{"this robots.txt has bytes that are not UTF-8, so there is no exact patch. Download the whole file"}
	}
	robots, _ := exactText(of.Robots, f.body())
	return e.json(http.StatusOK, handView{"robots.patch", f.patch(robots)})
}

// viewPull sends the changes of an edited robots.txt as the body of a pull request.
func (d *Desk) viewPull(e *exchange, of *edited) error {
	s, f, leave, err := e.trying()
	if err != nil {
		return err
	}
	defer leave()
	robots, _ := exactText(of.Robots, f.body())
	text, err := s.pullRequest(robots, of.Note)
	if err != nil {
		return err
	}
	return e.json(http.StatusOK, handView{"pull-request.md", text})
}

// pullRequest is the body of a pull request for a robots.txt.
func (s *editing) pullRequest(robots []byte, note string) (string, error) {
	told, err := changes.Tell(compare.Sides(s.records(), s.proposed(robots), compare.Options{}))
	if err != nil {
		return "", err
	}
	return told.PullRequest(note, engine.Lint(robots, engine.LintOptions{})), nil
}
