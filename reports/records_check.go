package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"time"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/disk"
)

// fileFacts is what a run recorded about a site's file of records. The zero value says nothing.
type fileFacts struct {
	size  int64  // bytes of the file; 0 = not known
	sum   string // its checksum; "" = not known, as in runs of older versions
	ended time.Time
	// ended is the end of the audit, in a run that is not finished. If such a run was resumed and cut
	// off, a site can have records of a later audit that the journal does not have yet. Otherwise it is
	// zero.
}

// compare checks the bytes of a file against the recorded facts. later says that the bytes come from a
// later audit.
func (w *fileFacts) compare(read *countedBytes, started time.Time) (later bool, err error) {
	switch {
	case w.size == 0, read.size == w.size && (w.sum == "" || w.sum == disk.FormatSum(read.sum)):
		return false, nil
	case !w.ended.IsZero() && started.After(w.ended):
		return true, nil
	case read.size != w.size:
		return false, fmt.Errorf("it is not as it was written: %s, and the journal has %s", wording.Plural(read.size, "byte"), wording.Thousands(w.size))
	}
	return false, errSeal
}

// checkedRecords reads a file of records for all its readers: reports, comparisons, simulations and the
// dashboard. Records that no audit writes end the sequence with an error. So do bytes that differ from
// what the run recorded, before audit.Done. Records of a site that was cut short end without audit.Done
// and without error.
func checkedRecords(on disk.FS, name string, of fileFacts, later func()) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		var read countedBytes
		var c recordsCheck
		for rec, err := range readCounted(on, name, &read) {
			if err == nil {
				err = c.add(rec)
			}
			if err != nil {
				yield(audit.Record{}, err)
				return
			}
			if c.done == nil && !yield(rec, nil) {
				return
			}
		}
		if c.site == nil {
			yield(audit.Record{}, errNoSite)
			return
		}
		isLater, err := of.compare(&read, c.site.Started)
		if err == nil && isLater && later != nil {
			later()
		}
		if err != nil {
			yield(audit.Record{}, err)
		} else if c.done != nil {
			yield(audit.Record{Domain: c.site.Name, Done: c.done}, nil)
		}
	}
}

// recordsCheck checks that the records of a site come from an audit. It fails if sums do not match the
// rows, if a record that must be unique is repeated, or if a body is not the one received.
type recordsCheck struct {
	site   *audit.Site
	done   *audit.Done
	robots map[int]bool // by Robots.Index
	pages  audit.Counts
	kinds  map[string]*audit.Counts
	home   bool // the site's own robots.txt blocks "/" for some crawler
	shut   bool // the response for it blocks some crawler
	asked  bool // a page in a sitemap or in the user's own list is blocked
}

// add returns an error if the next record is wrong.
func (c *recordsCheck) add(rec audit.Record) error {
	switch {
	case c.done != nil:
		return fmt.Errorf("it goes on after the site's end")
	case c.site == nil && rec.Site == nil:
		return errNoSite
	case c.site == nil:
		c.site, c.robots, c.kinds = rec.Site, map[int]bool{}, map[string]*audit.Counts{}
		c.pages.Blocked = make([]int64, len(rec.Site.Crawlers))
		fallthrough
	case rec.Site == nil && rec.Domain == c.site.Name:
		if rec.Domain != c.site.Name {
			return fmt.Errorf("it holds records of %.200q, too", rec.Domain)
		}
	default:
		return fmt.Errorf("it holds records of %.200q, too", rec.Domain)
	}
	switch {
	case rec.Robots != nil:
		return c.addRobots(rec.Robots)
	case rec.URLs != nil:
		return c.addURLs(rec.URLs.List)
	case rec.Done != nil:
		c.done = rec.Done
		return c.end()
	}
	return nil
}

func (c *recordsCheck) addRobots(r *audit.Robots) error {
	sum := sha256.Sum256(r.File.Body)
	switch {
	case c.robots[r.Index]:
		return fmt.Errorf("it holds two records of robots.txt no. %d", r.Index)
	case len(c.robots) > maxOrigins:
		return fmt.Errorf("it holds more than %d records of robots.txt", maxOrigins)
	case len(r.Reads) != len(c.site.Crawlers):
		return fmt.Errorf("%d crawlers read robots.txt no. %d, and %d were asked about", len(r.Reads), r.Index, len(c.site.Crawlers))
	case len(r.File.Body) > 0 && r.File.SHA256 != hex.EncodeToString(sum[:]):
		return fmt.Errorf("the text of robots.txt no. %d is not the one that was answered: its SHA-256 is another", r.Index)
	}
	c.robots[r.Index] = true
	for i := range r.Reads {
		c.home = c.home || r.Index == 0 && r.Reads[i].BlocksRoot
		c.shut = c.shut || r.Index == 0 && r.Reads[i].Access == engine.DisallowAll
	}
	return nil
}

func (c *recordsCheck) addURLs(list []audit.URL) error {
	for i := range list {
		u := &list[i]
		if len(u.Verdicts) != len(c.site.Crawlers) || len(u.Lines) != len(u.Verdicts) {
			return fmt.Errorf("%.200q has %s, and %d crawlers were asked about", u.Loc, wording.Plural(len(u.Verdicts), "verdict"), len(c.site.Crawlers))
		}
		sums := &c.pages
		if !audit.IsPage(u.Kind) {
			if sums = c.kinds[u.Kind.String()]; sums == nil {
				sums = &audit.Counts{Blocked: make([]int64, len(c.site.Crawlers))}
				c.kinds[u.Kind.String()] = sums
			}
		}
		sums.Count(u.Verdicts)
		if sums == &c.pages && u.Kind != audit.KindLink && u.Kind != audit.KindCanonical {
			c.asked = c.asked || slices.Contains(u.Verdicts, engine.Disallow)
		}
	}
	return nil
}

// end checks the sums in the last record against those of the rows.
func (c *recordsCheck) end() error {
	d := c.done
	if !d.Counts.Equal(&c.pages) {
		return fmt.Errorf("its end speaks of %s, %s of them blocked, and its rows are %s and %s", wording.Plural(d.URLs, "URL"), wording.Thousands(d.BlockedAny), wording.Thousands(c.pages.URLs), wording.Thousands(c.pages.BlockedAny))
	}
	for kind, is := range d.Kinds {
		if has := c.kinds[kind]; is == nil || has == nil || !is.Equal(has) {
			return fmt.Errorf("its end speaks of other URLs of the kind %.40q than its rows", kind)
		}
	}
	if len(d.Kinds) != len(c.kinds) {
		return fmt.Errorf("its rows are of kinds of which its end does not speak")
	}
	return c.state()
}

// state checks the site's state and its ground against the other records. Not every rule of audit
// is here: only those that records with a ground always allow to check. Older records got their
// state by other rules.
func (c *recordsCheck) state() error {
	d := c.done
	if d.Ground == "" {
		return nil
	}
	ok, on := d.State == audit.OK, func(ground string) bool { return d.Ground == ground }
	for _, not := range []struct {
		is  bool
		but string
	}{
		{ok && !c.robots[0], "there is no record of its robots.txt"},
		{ok && c.home, "its robots.txt blocks the home page"},
		{ok && c.shut, "the answer to its robots.txt shuts a crawler out"},
		{ok && c.asked, "URLs are blocked that a sitemap or a list names"},
		{ok && d.Unknown > 0, "URLs have no clear verdict"},
		{ok && d.SitemapsUnread > 0, "sitemaps could not be read"},
		{ok && d.Links != nil && d.Links.Home != nil, "its home page gives no page"},
		{ok && !on(audit.GroundNone), "that is no ground for it"},
		{!ok && on(audit.GroundNone), "that is the ground of ok alone"},
		{on(audit.GroundHome) && !c.home, "its robots.txt does not block the home page"},
		{on(audit.GroundAccess) && !c.shut, "the answer to its robots.txt shuts no crawler out"},
		{(on(audit.GroundShare) || on(audit.GroundBlocked)) && d.BlockedAny == 0, "no URL is blocked"},
		{on(audit.GroundUnclear) && d.Unknown == 0, "every URL has a clear verdict"},
		{on(audit.GroundNoURLs) && d.URLs > 0, "URLs were tested"},
	} {
		if not.is {
			return fmt.Errorf("its end gives the state %s on the ground %.40q, but %s", d.State, d.Ground, not.but)
		}
	}
	return nil
}
