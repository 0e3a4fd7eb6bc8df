package serve

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// expectView is a file of expectations: that what flips today flips when the file is served.
type expectView struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Rows int    `json:"rows"`
	More int64  `json:"more,omitempty"` // verdicts that flip, and of which no row tells
}

// maxExpected bounds the expectations of one edit.
const maxExpected = 10_000

// viewExpect answers with expectations for "robots-audit verify".
func (d *Desk) viewExpect(e *exchange) error {
	of, err := e.edited()
	if err != nil {
		return err
	}
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

// expectations are the verdicts that an edited robots.txt flips.
func (e *exchange) expectations(s *editing, robots string) (*expectView, error) {
	leave, err := e.desk.work.enter(e.r.Context())
	if err != nil {
		return nil, err
	}
	defer leave()
	v := &expectView{Name: "expect-" + s.site.Base + ".csv"}
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
			pattern := strings.ContainsAny(f.Loc, "*$") // which in a file of expectations stands for others
			repeated := !pattern && v.Rows < maxExpected && seen[f.Loc]
			if !pattern && !repeated && v.Rows < maxExpected {
				seen[strings.Clone(f.Loc)] = true
			}
			for i := range f.Verdicts {
				is := f.Verdicts[i].Is
				switch {
				case f.Verdicts[i].Class == compare.Same || repeated:
				case pattern || v.Rows == maxExpected || is != engine.Allow && is != engine.Disallow:
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

// savedView are the files that were saved.
type savedView struct {
	Saved []string `json:"saved"`
}

// viewSave saves an edited robots.txt as a proposal.
func (d *Desk) viewSave(e *exchange) error {
	of, err := e.edited()
	if err != nil {
		return err
	}
	if !d.guard.mayWrite(e.r, of.FormToken) {
		return &failure{http.StatusForbidden, "the page is of an earlier start of the desk: load it again, and save then"}
	}
	if d.o.Proposals == "" {
		return &Refusal{"there is no folder for proposals: serve a history, or name one with -proposals"}
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
	name := d.o.Now().UTC().Format("20060102T150405.000Z")
	dir := filepath.Join(d.o.Proposals, s.site.Base)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	v := savedView{Saved: []string{}}
	save := func(name, text string) error {
		if err := writeWhole(filepath.Join(dir, name), text); err != nil {
			return err
		}
		v.Saved = append(v.Saved, filepath.Join(dir, name))
		return nil
	}
	err = save(name+".txt", of.Robots)
	if err == nil && of.Note != "" {
		err = save(name+".note.txt", escape.Cut(of.Note, maxNote)+"\n")
	}
	if err == nil && expected != nil && expected.Rows > 0 {
		err = save(name+".expect.csv", expected.Text)
	}
	if err != nil {
		return err
	}
	return e.json(http.StatusOK, v)
}

// maxNote bounds a note, in bytes.
const maxNote = 4000

// writeWhole writes a file whole or not at all. One that is there already is an error.
func writeWhole(name, text string) error {
	file, err := os.CreateTemp(filepath.Dir(name), ".saving-")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // best effort; in the end it has its name twice
	_, err = file.WriteString(text)
	err = errors.Join(err, file.Chmod(0o644), file.Sync(), file.Close())
	if err == nil {
		err = os.Link(file.Name(), name)
	}
	return err
}

// proposals are the names of what was saved for a site, the newest first.
func (d *Desk) proposals(base string) (names []string) {
	if d.o.Proposals == "" {
		return nil
	}
	entries, err := os.ReadDir(filepath.Join(d.o.Proposals, base))
	if err != nil {
		return nil // there is none yet; a folder that cannot be read is told when something is saved
	}
	for _, entry := range slices.Backward(entries) {
		name, isText := strings.CutSuffix(entry.Name(), ".txt")
		if _, err := time.Parse("20060102T150405.000Z", name); isText && err == nil && len(names) < maxStarts {
			names = append(names, name)
		}
	}
	return names
}

// proposal reads what was saved under a name, which is looked up among those that there are.
func (d *Desk) proposal(base, name string) ([]byte, error) {
	if !slices.Contains(d.proposals(base), name) {
		return nil, notFound("there is no such proposal")
	}
	file, err := os.Open(filepath.Join(d.o.Proposals, base, name+".txt"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, notFound("there is no such proposal")
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxRobots))
}
