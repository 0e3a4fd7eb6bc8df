package summary

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// Treated is how the server of a site treats requests in the name of a crawler.
type Treated struct {
	Crawler     string          `json:"crawler"`
	Treatment   audit.Treatment `json:"treatment"`
	URLs        int             `json:"urls"`                  // with this treatment
	Of          int             `json:"of"`                    // URLs that were asked for
	Contradicts bool            `json:"contradicts,omitempty"` // what the site writes for the crawler or does otherwise
}

// rank is the place of the treatment in audit.Treatments. One of a later version is unclear.
func (t *Treated) rank() int {
	if i := slices.Index(audit.Treatments, t.Treatment); i >= 0 {
		return i
	}
	return slices.Index(audit.Treatments, audit.Unclear)
}

// Contradiction is a contradiction of a site in summary.json.
type Contradiction struct {
	Code     string          `json:"code"`
	Crawlers []string        `json:"crawlers,omitempty"` // none = the site as a whole
	Severity engine.Severity `json:"severity"`
	Sentence string          `json:"sentence"`
}

// maxAsked bounds the crawlers of a run. A site is asked in the names of fewer.
const maxAsked = 100

// AskedTotal counts the sites that were asked in the name of a crawler.
type AskedTotal struct {
	Crawler string     `json:"crawler"`
	Sites   Treatments `json:"sites"`
	place   int        // the first one in the list of some site
}

// Treatments are numbers of sites in the order of audit.Treatments. As JSON they are an object.
type Treatments [6]int

// MarshalJSON writes the numbers above 0 by treatment.
func (t Treatments) MarshalJSON() ([]byte, error) {
	m := map[audit.Treatment]int{}
	for i, n := range t {
		if n > 0 {
			m[audit.Treatments[i]] = n
		}
	}
	return json.Marshal(m)
}

// UnmarshalJSON reads what MarshalJSON has written.
func (t *Treatments) UnmarshalJSON(text []byte) error {
	m := map[audit.Treatment]int{}
	err := json.Unmarshal(text, &m)
	for i, of := range audit.Treatments {
		t[i] = m[of]
	}
	return err
}

// countAsked counts the treatments of a site. It changes no list that others may have.
func (t *Totals) countAsked(treated []Treated) {
	if len(treated) == 0 {
		return
	}
	t.Asked = slices.Clone(t.Asked)
	for place, of := range treated {
		i := slices.IndexFunc(t.Asked, func(a AskedTotal) bool { return a.Crawler == of.Crawler })
		if i < 0 {
			if i = len(t.Asked); i == maxAsked {
				continue
			}
			t.Asked = append(t.Asked, AskedTotal{Crawler: of.Crawler, place: place})
		}
		a := &t.Asked[i]
		a.place = min(a.place, place)
		a.Sites[of.rank()]++
	}
	slices.SortFunc(t.Asked, func(a, b AskedTotal) int { // whatever the order of the sites
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.Crawler, b.Crawler))
	})
}

// Words say how many of the sites treat the crawler how: "refused by 3 sites, let in by 997".
func (a *AskedTotal) Words() string {
	var list []string
	for i, n := range a.Sites {
		if n == 0 {
			continue
		}
		t, sites := audit.Treatments[i], wording.Thousands(n)
		if list == nil {
			sites = wording.Plural(n, "site")
		}
		list = append(list, t.Words()+map[bool]string{false: " by ", true: " on "}[t == audit.Unclear]+sites)
	}
	return strings.Join(list, ", ")
}

// Matrix has the sites of a run that were asked in the names of crawlers, at most maxMatrix: the most severe first.
type Matrix struct {
	Rows          []MatrixRow // in their order after Sort
	Sites         int         // all of them
	Contradicting int         // sites with a contradiction
	LetIn         int         // sites without one that let all crawlers in: they come last
}

// maxMatrix bounds the rows of the matrix, which are in memory.
const maxMatrix = 10_000

// MatrixRow is a site that was asked in the names of crawlers.
type MatrixRow struct {
	Name           string    `json:"site"`
	Page           string    `json:"page,omitempty"` // link to the part of its page, see Line.PageLink
	Contradictions int       `json:"contradictions"`
	First          string    `json:"most_severe,omitempty"` // sentence of the most severe one
	Treated        []Treated `json:"crawlers"`
	severity       int       // of First, from 1 on; 0 = none
	worst          [len(Treatments{})]int
}

// Of returns the treatment of a crawler; nil = the site was not asked in its name.
func (r *MatrixRow) Of(crawler string) *Treated {
	if i := slices.IndexFunc(r.Treated, func(t Treated) bool { return t.Crawler == crawler }); i >= 0 {
		return &r.Treated[i]
	}
	return nil
}

// add adds a finished site.
func (m *Matrix) add(l *Site) {
	if len(l.Asked) == 0 {
		return
	}
	m.Sites++
	row := MatrixRow{Name: audit.DisplayName(l.Name), Page: l.PageLink("#enforced"), Treated: l.Asked, Contradictions: len(l.Entry.Contradictions) + l.Entry.ContradictionsMore}
	for _, c := range l.Entry.Contradictions[:min(len(l.Entry.Contradictions), 1)] {
		row.severity, row.First = 1+int(c.Severity), c.Sentence
	}
	for i := range l.Asked {
		row.worst[l.Asked[i].rank()]--
	}
	switch {
	case row.Contradictions > 0:
		m.Contradicting++
	case -row.worst[slices.Index(audit.Treatments, audit.LetIn)] == len(l.Asked):
		m.LetIn++
	}
	if m.Rows = append(m.Rows, row); len(m.Rows) >= 2*maxMatrix {
		m.Sort()
	}
}

// Sort orders the rows and removes those beyond the limit.
func (m *Matrix) Sort() {
	slices.SortFunc(m.Rows, func(a, b MatrixRow) int {
		return cmp.Or(cmp.Compare(b.severity, a.severity), cmp.Compare(b.Contradictions, a.Contradictions), slices.Compare(a.worst[:], b.worst[:]), strings.Compare(a.Name, b.Name))
	})
	m.Rows = m.Rows[:min(len(m.Rows), maxMatrix)]
}
