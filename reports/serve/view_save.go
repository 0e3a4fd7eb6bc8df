package serve

import (
	"bytes"
	"crypto/rand"
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/export"
)

// expectView is a file of expectations: each change must be there once the file is served.
type expectView struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Rows int    `json:"rows"`
	More int64  `json:"more,omitempty"` // changed verdicts that have no row
}

// maxExpected limits the expectations of one edit.
const maxExpected = 10_000

// viewExpect sends expectations for "robots-audit verify".
func (d *Desk) viewExpect(e *exchange, of *edited) error {
	s, err := e.editing()
	if err != nil {
		return err
	}
	v, err := e.expectations(s, of.Robots)
	if err != nil {
		return err
	}
	return e.json(http.StatusOK, v)
}

// expectations are the verdicts that an edited robots.txt changes.
func (e *exchange) expectations(s *editing, robots string) (*expectView, error) {
	leave, err := e.desk.work.enter(e.r.Context())
	if err != nil {
		return nil, err
	}
	defer leave()
	v := &expectView{Name: "expect-" + e.site.Base + ".csv"}
	var text bytes.Buffer
	out := csv.NewWriter(&text)
	out.Write([]string{"url", "crawler", "expect"})
	var crawlers []compare.Crawler
	seen := map[string]bool{}
	for item, err := range compare.Sides(s.records(), s.proposed([]byte(robots)), compare.Options{}) {
		switch {
		case err != nil:
			return nil, err
		case item.Begin != nil:
			crawlers = item.Begin.Crawlers
		case item.Flip != nil && !item.Flip.Appeared && audit.IsPage(item.Flip.Kind):
			f := item.Flip
			pattern := strings.ContainsAny(f.Loc, "*$") || export.CSVText(f.Loc) != f.Loc // "*" and "$" make it a pattern, and "=" a formula
			repeated := !pattern && v.Rows < maxExpected && seen[f.Loc]
			if !pattern && !repeated && v.Rows < maxExpected {
				seen[strings.Clone(f.Loc)] = true
			}
			for i := range f.Verdicts {
				is := f.Verdicts[i].Is
				switch {
				case f.Verdicts[i].Class == compare.Same || repeated:
				case pattern || v.Rows == maxExpected || export.CSVText(crawlers[i].Label) != crawlers[i].Label || is != engine.Allow && is != engine.Disallow:
					v.More++
				default:
					out.Write([]string{f.Loc, crawlers[i].Label, is.String()})
					v.Rows++
				}
			}
		}
	}
	out.Flush()
	v.Text = text.String()
	return v, nil
}

// viewSave saves an edited robots.txt as a proposal, and answers with the names of the files below the folder
// of proposals.
func (d *Desk) viewSave(e *exchange, of *edited) error {
	if !d.guard.mayWrite(e.r, of.FormToken) {
		return &failure{http.StatusForbidden, "the dashboard was restarted. Load this page again, then save. Your text is kept"}
	}
	if d.o.Proposals == "" {
		return &Refusal{"there is no folder for proposals. Start the dashboard with -proposals FOLDER, or with a history"}
	}
	s, err := e.editing()
	if err != nil {
		return err
	}
	var expected *expectView
	if of.Expect {
		if expected, err = e.expectations(s, of.Robots); err != nil {
			return err
		}
	}
	files := []proposed{{".txt", of.Robots}}
	if of.Note != "" {
		files = append(files, proposed{".note.txt", escape.Cut(of.Note, maxNote) + "\n"})
	}
	if expected != nil && expected.Rows > 0 {
		files = append(files, proposed{".expect.csv", expected.Text})
	}
	saved, err := d.save(e.site.Base, files)
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(path.Base(saved[0]), files[0].end)
	return e.json(http.StatusOK, savedView{saved, name, proposalName(name), e.siteLink() + "/proposals/" + name})
}

// savedView is a proposal that was saved.
type savedView struct {
	Saved []string `json:"saved"` // the paths of its files below the folder of proposals
	Name  string   `json:"name"`
	When  string   `json:"when"`
	Link  string   `json:"link"` // for a review
}

// proposed is one file of a proposal: the end of its name, and its text.
type proposed struct{ end, text string }

// save writes the files of a proposal for a site, and returns their names below the folder of proposals.
// Their common name is the time, made unique among the proposals by the first file.
func (d *Desk) save(base string, files []proposed) (names []string, err error) {
	if err := os.MkdirAll(d.o.Proposals, 0o755); err != nil {
		return nil, err
	}
	root, err := disk.OpenRoot(d.o.Proposals) // no link can lead out of it
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if err := root.MkdirAll(base, 0o755); err != nil {
		return nil, err
	}
	name := ""
	for now := d.o.Now().UTC(); name == ""; now = now.Add(time.Millisecond) {
		name = path.Join(base, now.Format(proposalTime))
		if err := writeWhole(root, name+files[0].end, files[0].text); errors.Is(err, fs.ErrExist) {
			name = "" // another proposal was saved in the same moment
		} else if err != nil {
			return nil, err
		}
	}
	names = []string{name + files[0].end}
	for _, f := range files[1:] {
		if err := writeWhole(root, name+f.end, f.text); err != nil {
			return names, err
		}
		names = append(names, name+f.end)
	}
	return names, nil
}

// proposalTime is the time format in a proposal's name.
const proposalTime = "20060102T150405.000Z"

// proposalName is the name of a proposal for people: the time when it was saved.
func proposalName(name string) string {
	at, _ := time.Parse(proposalTime, name) // proposals returns only such names
	return at.Format("2 January 2006, 15:04:05 UTC")
}

// maxNote limits a note, in bytes.
const maxNote = 4000

// writeWhole writes a file whole or not at all. If it exists, the error is fs.ErrExist.
func writeWhole(root *os.Root, name, text string) error {
	temp := path.Join(path.Dir(name), ".saving-"+rand.Text())
	file, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer root.Remove(temp) // best effort; otherwise the file keeps two names
	_, err = file.WriteString(text)
	err = errors.Join(err, file.Sync(), file.Close())
	if err == nil {
		err = root.Link(temp, name)
	}
	return err
}

// proposals returns the names of a site's proposals, newest first.
func (d *Desk) proposals(base string) (names []string) {
	if d.o.Proposals == "" {
		return nil
	}
	found, err := listIn(d.o.Proposals, base)
	if err != nil {
		return nil // no proposal yet; saving reports a folder that cannot be read
	}
	for _, entry := range slices.Backward(found) {
		name, isText := strings.CutSuffix(entry.Name(), ".txt")
		if _, err := time.Parse(proposalTime, name); isText && err == nil && entry.Type().IsRegular() && len(names) < maxStarts {
			names = append(names, name)
		}
	}
	return names
}

// proposal reads a proposal by its name.
func (d *Desk) proposal(base, name string) ([]byte, error) {
	return d.proposalFile(base, name, ".txt", maxRobots)
}

// proposalFile reads up to limit bytes of a file of a proposal.
func (d *Desk) proposalFile(base, name, end string, limit int64) ([]byte, error) {
	if _, err := time.Parse(proposalTime, name); err != nil || d.o.Proposals == "" {
		return nil, errNoProposal
	}
	file, err := openIn(d.o.Proposals, base+"/"+name+end)
	if errors.Is(err, errNoFile) || errors.Is(err, fs.ErrNotExist) {
		return nil, errNoProposal
	} else if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, limit))
}

var errNoProposal = notFound("there is no such proposal")
