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
	ID       string    // "" = the records of one site, of whose run nothing more is known
	Version  string    // of the program that made it
	Started  time.Time // UTC
	Finished time.Time // UTC; zero = it was cut short, or is not known: see CutShort
	Crawlers []string  // labels
	Robots   string    // simulate: the file that was put in the place of robots.txt; "" = none
}

// CutShort reports whether a run came to no end.
func (r *Run) CutShort() bool { return r.ID != "" && !r.Started.IsZero() && r.Finished.IsZero() }

// Comparison is what is said of a whole comparison.
type Comparison struct {
	Old, New Run
	Version  string // of the program that compares
	Totals   Totals
	Notes    []string         // what the reader must know of the comparison as a whole, a sentence each
	Readers  []compare.Change // what the runs asked, and how they read, each told in Notes, too
	Sites    []*Entry         // of all sites; in their order once Sort was called
}

// Totals count sites, and the pages of all sites.
type Totals struct {
	Sites              int // of either run
	SitesChanged       int
	OnlyOld            int // sites that the new run does not know
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

// addReaders keeps what differs in what the two runs asked. It is the same for all sites,
// and noted once.
func (c *Comparison) addReaders(readers []compare.Change) {
	for i := range readers {
		noted := func(r compare.Change) bool { return readerNote(&r) == readerNote(&readers[i]) }
		if !slices.ContainsFunc(c.Readers, noted) && len(c.Readers) < maxReaders {
			c.Readers = append(c.Readers, readers[i])
			c.Notes = append(c.Notes, readerNote(&readers[i]))
		}
	}
}

// readerNote says what differs in what the two runs asked.
func readerNote(c *compare.Change) string {
	switch {
	case c.Kind == compare.KindReader:
		return fmt.Sprintf("The older run reads %s %s, the newer run %s. Changes caused by this are not changes of a site.", Text(c.What, maxLine), Text(c.Before, maxLine), Text(c.After, maxLine))
	case c.After == "":
		return fmt.Sprintf("Only the older run tested %s, so nothing is compared for it.", Text(c.Before, 2*maxLine))
	}
	return fmt.Sprintf("Only the newer run tested %s, so nothing is compared for it.", Text(c.After, 2*maxLine))
}

// Sort brings the sites into their order: see Entry.Compare.
func (c *Comparison) Sort() { slices.SortFunc(c.Sites, (*Entry).Compare) }

// AllNotes are what is to be known of the comparison as a whole: what its runs show, then Notes.
func (c *Comparison) AllNotes() []string { return append(c.cautions(), c.Notes...) }

// cautions say which of the runs came to no end, and whether they were named in the wrong
// order; nil = neither, or nobody knows.
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

// Title says what the comparison is of: "What changed", "What /etc/robots.txt would change".
func (c *Comparison) Title() string {
	if c.New.Robots != "" {
		return "What " + Text(c.New.Robots, maxLine) + " would change"
	}
	return "What changed"
}

// RunWords say which run a side is: "runs/monday, started 2026-03-02 06:00 UTC".
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

// Gates are the kinds of change by which Fails goes.
func Gates() []string { return []string{"flip", "newly-blocked", "change", "never"} }

// Fails reports whether anything of a kind of change was found: any flip, a page that is
// newly blocked, or any change at all, a URL that has appeared or vanished included.
func (t *Totals) Fails(gate string) bool {
	switch gate {
	case "flip":
		return t.Flips() > 0
	case "newly-blocked":
		return t.NewlyBlocked > 0
	case "change":
		return t.SitesChanged > 0
	}
	return false
}
