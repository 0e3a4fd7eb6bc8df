package model

import (
	"fmt"
	"slices"
	"time"

	"robots-audit/audit/compare"
)

// Run is one of the two sides of a comparison.
type Run struct {
	Path     string    // as the user gave it
	ID       string    // "" = the records of one site, without data on the run
	Version  string    // of the program that made it
	Started  time.Time // UTC
	Finished time.Time // UTC; zero = it was cut short, or this is not known: see CutShort
	Crawlers []string  // labels
	Robots   string    // simulate: the file that replaced robots.txt; "" = none
}

// CutShort reports whether a run did not finish.
func (r *Run) CutShort() bool { return r.ID != "" && !r.Started.IsZero() && r.Finished.IsZero() }

// Comparison is the data on a whole comparison.
type Comparison struct {
	Old, New Run
	Version  string // of the program that compared
	Totals   Totals
	Notes    []string         // sentences on the comparison as a whole
	Readers  []compare.Change // differences in the crawlers and their profiles, each also in Notes
	Sites    []*Entry         // of all sites; sorted after Sort
}

// Totals count sites, and the pages of all sites.
type Totals struct {
	Sites              int // of the two runs together
	SitesChanged       int
	OnlyOld            int // sites that only the old run has
	OnlyNew            int
	compare.Severities // changes of all sites
	compare.Totals
}

// Add counts a site, and keeps its entry.
func (c *Comparison) Add(s *Site) {
	c.Sites = append(c.Sites, s.Entry)
	t := &c.Totals
	t.Sites++
	if s.Changed() {
		t.SitesChanged++
	}
	if s.New == nil {
		t.OnlyOld++
	}
	if s.Old == nil {
		t.OnlyNew++
	}
	c.addReaders(s.Readers)
	t.Severities.Add(s.Entry.Severities)
	t.Totals.Add(&s.Totals)
}

// maxReaders limits the notes on what the runs requested.
const maxReaders = 20

// addReaders notes the differences in the crawlers of the two runs. They are the same for all
// sites, and noted once.
func (c *Comparison) addReaders(readers []compare.Change) {
	for i := range readers {
		noted := func(r compare.Change) bool { return readerNote(&r) == readerNote(&readers[i]) }
		if !slices.ContainsFunc(c.Readers, noted) && len(c.Readers) < maxReaders {
			c.Readers = append(c.Readers, readers[i])
			c.Notes = append(c.Notes, readerNote(&readers[i]))
		}
	}
}

// readerNote describes one difference in the crawlers of the two runs.
func readerNote(c *compare.Change) string {
	switch {
	case c.Kind == compare.KindReader:
		return fmt.Sprintf("The older run reads %s %s, the newer run %s. Changes caused by this are not changes of a site.", Text(c.What, maxLine), Text(c.Before, maxLine), Text(c.After, maxLine))
	case c.After == "":
		return fmt.Sprintf("Only the older run tested %s, so nothing is compared for it.", Text(c.Before, 2*maxLine))
	}
	return fmt.Sprintf("Only the newer run tested %s, so nothing is compared for it.", Text(c.After, 2*maxLine))
}

// Sort sorts the sites: see Entry.Compare.
func (c *Comparison) Sort() { slices.SortFunc(c.Sites, (*Entry).Compare) }

// AllNotes returns all notes on the comparison as a whole: those on its runs, then Notes.
func (c *Comparison) AllNotes() []string { return append(c.cautions(), c.Notes...) }

// cautions say which of the runs did not finish, and whether they were given in the wrong order;
// nil = neither, or not known.
func (c *Comparison) cautions() (notes []string) {
	for _, side := range []struct {
		name string
		run  *Run
	}{{"older", &c.Old}, {"newer", &c.New}} {
		if side.run.CutShort() {
			notes = append(notes, "The "+side.name+" run stopped early. Sites may be missing from it.")
		}
	}
	if !c.New.Started.IsZero() && c.New.Started.Before(c.Old.Started) {
		notes = append(notes, "The runs are compared in the order given. The one called newer started first.")
	}
	return notes
}

// Title is the title of the comparison: "What changed", "What /etc/robots.txt would change".
func (c *Comparison) Title() string {
	if c.New.Robots != "" {
		return "What " + Text(c.New.Robots, maxLine) + " would change"
	}
	return "What changed"
}

// RunWords describe a run: "runs/monday, started 2026-03-02 06:00 UTC".
func RunWords(r *Run) string {
	words := Text(r.Path, 2*maxLine)
	if r.Robots != "" {
		words += " with " + Text(r.Robots, 2*maxLine)
	}
	if !r.Started.IsZero() {
		words += ", started " + r.Started.UTC().Format("2006-01-02 15:04") + " UTC"
	}
	if r.CutShort() {
		words += ", stopped early"
	}
	return words
}
