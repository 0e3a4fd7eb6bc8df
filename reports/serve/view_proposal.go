package serve

import (
	"net/http"
	"strings"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/reports/changes"
	"robots-audit/reports/internal/sidebyside"
)

// proposalsView are the proposals of a site, newest first.
type proposalsView struct {
	Site string           `json:"site"`
	Run  string           `json:"run"`
	List []proposalListed `json:"proposals"`
	Most int              `json:"limit"` // older ones are not listed
	Can  bool             `json:"can_save"`
	Edit string           `json:"edit"`
}

// proposalListed is a proposal in the list.
type proposalListed struct {
	Name    string `json:"name"`
	When    string `json:"when"`
	Note    string `json:"note,omitempty"`
	Link    string `json:"link"` // for a review
	Edit    string `json:"edit"` // in the editor
	Counted bool   `json:"counted"`
	Added   int    `json:"lines_added"` // compared with the run's robots.txt
	Removed int    `json:"lines_removed"`
	Error   string `json:"error,omitempty"`
}

// maxCounted limits the size of proposals whose changed lines are counted in the list, in bytes.
const maxCounted = 64 << 10

// viewProposals lists the proposals of a site.
func (d *Desk) viewProposals(e *exchange) error {
	_, f, leave, err := e.trying()
	if err != nil {
		return err
	}
	defer leave()
	v := proposalsView{Site: e.site.Name, Run: e.run.Key, List: []proposalListed{}, Most: maxStarts, Can: d.o.Proposals != "", Edit: e.siteLink() + "/edit"}
	for _, name := range d.proposals(e.site.Base) {
		p := e.proposalListed(name)
		body, err := d.proposal(e.site.Base, name)
		switch {
		case err != nil:
			p.Error = d.places.Replace(err.Error())
		case len(body) <= maxCounted && len(f.body()) <= maxCounted:
			p.Counted = true
			p.Added, p.Removed = compare.CountLines(f.body(), body)
		}
		v.List = append(v.List, p)
	}
	return e.show("proposals.html", "Proposals", "Edit robots.txt", v)
}

// proposalListed is a proposal without its text.
func (e *exchange) proposalListed(name string) proposalListed {
	link := e.siteLink()
	note, _ := e.desk.proposalFile(e.site.Base, name, ".note.txt", maxNote) // most have none
	return proposalListed{Name: name, When: proposalName(name), Note: strings.TrimSpace(validUTF8(note)), Link: link + "/proposals/" + name, Edit: link + "/edit?start=proposal:" + name}
}

// proposalView is a proposal for a review.
type proposalView struct {
	Site string `json:"site"`
	Run  string `json:"run"`
	proposalListed
	Robots   string        `json:"robots"`
	Known    int64         `json:"known_urls"`
	Took     float64       `json:"took_ms"`
	Same     bool          `json:"same,omitempty"` // it is the robots.txt of the run
	Findings lintView      `json:"findings"`
	Told     *changes.Told `json:"told"`
	Others   int           `json:"same_file_on"` // sites of the run with the same robots.txt, with this one

	flipTables
	Diff         *diffView        `json:"-"`
	Examples     []changedExample `json:"-"`
	ExamplesMore int64            `json:"-"`
	List         string           `json:"-"` // link of the list
}

// changedExample is a changed URL on a page.
type changedExample struct{ URL, Change, For, Why string }

// maxExamples limits the examples of a review.
const maxExamples = 25

// NoteLines are the lines of the note.
func (p proposalListed) NoteLines() []string { return strings.Split(p.Note, "\n") }

// viewProposal shows a proposal for a review, with its changes since the run's robots.txt.
func (d *Desk) viewProposal(e *exchange) error {
	began := time.Now()
	name := e.r.PathValue("name")
	body, err := d.proposal(e.site.Base, name)
	if err != nil {
		return err
	}
	s, f, leave, err := e.trying()
	if err != nil {
		return err
	}
	defer leave()
	v := proposalView{Site: e.site.Name, Run: e.run.Key, proposalListed: e.proposalListed(name), Robots: validUTF8(body), Same: string(body) == string(f.body()), Findings: lintOf(body), List: e.siteLink() + "/proposals"}
	if v.Told, err = changes.Tell(compare.Sides(s.records(), s.proposed(body), compare.Options{})); err != nil {
		return err
	}
	v.Counted = true
	v.Added, v.Removed = compare.CountLines(f.body(), body)
	v.Others = len(e.sharing(f))
	v.fill(began)
	return e.show("proposal.html", "Proposal of "+v.When, "Edit robots.txt", v)
}

// fill adds what the page shows.
func (v *proposalView) fill(began time.Time) {
	site := v.Told.Site
	if site.New != nil {
		v.Known = site.New.URLs
	}
	if own := site.Own(); own != nil && own.Old != nil && own.New != nil && len(own.Diff) > 0 {
		v.Diff = &diffView{Origin: own.Name, File: sidebyside.New(own)}
	}
	v.flipTables = newFlipTables(site)
	samples := v.Told.Samples[:min(len(v.Told.Samples), maxExamples)]
	for _, of := range samples {
		v.Examples = append(v.Examples, changedExample{of.URL, strings.ReplaceAll(of.Class, "_", " "), strings.Join(append([]string{of.Crawler}, of.Also...), ", "), of.Why})
	}
	v.ExamplesMore = v.Told.SamplesMore + int64(len(v.Told.Samples)-len(samples))
	v.Took = millis(time.Since(began))
}

// proposalFiles are the files of a proposal to download, by name.
var proposalFiles = map[string]func(s *editing, f *facts, robots []byte, note string) (string, error){
	"robots.txt": func(_ *editing, _ *facts, robots []byte, _ string) (string, error) { return string(robots), nil },
	"robots.patch": func(_ *editing, f *facts, robots []byte, _ string) (string, error) {
		return f.patch(robots), nil
	},
	"pull-request.md": func(s *editing, _ *facts, robots []byte, note string) (string, error) {
		return s.pullRequest(robots, note)
	},
}

// viewProposalFile sends a file of a proposal. The browser saves it and never runs it.
func (d *Desk) viewProposalFile(e *exchange) error {
	name, file := e.r.PathValue("name"), e.r.PathValue("file")
	write := proposalFiles[file]
	if write == nil {
		return notFound("there is no such file. Expected robots.txt, robots.patch or pull-request.md")
	}
	robots, err := d.proposal(e.site.Base, name)
	if err != nil {
		return err
	}
	s, f, leave, err := e.trying()
	if err != nil {
		return err
	}
	defer leave()
	text, err := write(s, f, robots, e.proposalListed(name).Note)
	if err != nil {
		return err
	}
	if e.wantsJSON() {
		return e.json(http.StatusOK, handView{file, validUTF8([]byte(text))})
	}
	e.w.Header().Set("Content-Disposition", `attachment; filename="`+file+`"`) // one of proposalFiles
	return e.write(http.StatusOK, "text/plain; charset=utf-8", []byte(text))
}
