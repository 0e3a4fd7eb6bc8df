package engine

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

// FindingKind is an entry of the catalogue of findings.
type FindingKind struct {
	ID       string
	Severity Severity // the one it is mostly given with
	Profiles []string // profiles concerned; "all", or names, "google*" being all that begin so
	Needs    string   // what it takes to find: "file", "fetch" (the outcome or address of one), "site" (several), "urls"
	What     string   // in few words, without a full stop
	Why      string
	Fix      string
}

//go:embed findings.tsv
var findingsTSV string

var findingKinds = parseFindingKinds(findingsTSV)

var findingIndex = func() map[string]*FindingKind {
	index := make(map[string]*FindingKind, len(findingKinds))
	for i := range findingKinds {
		index[findingKinds[i].ID] = &findingKinds[i]
	}
	return index
}()

// parseFindingKinds reads the catalogue: tab-separated, one kind a line,
// comments begin with "#", the first other line names the columns.
func parseFindingKinds(text string) []FindingKind {
	var list []FindingKind
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "id\t") {
			continue
		}
		f := strings.Split(line, "\t")
		var severity Severity
		if len(f) != 7 || severity.UnmarshalText([]byte(f[1])) != nil {
			panic(fmt.Sprintf("engine: findings.tsv:%d: %q", i+1, line))
		}
		list = append(list, FindingKind{f[0], severity, strings.Fields(f[2]), f[3], f[4], f[5], f[6]})
	}
	return list
}

// FindingKinds returns the catalogue: every finding there is, those that
// Lint gives and those that take the URLs of a site.
func FindingKinds() []FindingKind { return slices.Clone(findingKinds) }

// FindingKindByID finds an entry of the catalogue.
func FindingKindByID(id string) (FindingKind, bool) {
	kind, ok := findingIndex[id]
	if !ok {
		return FindingKind{}, false
	}
	return *kind, true
}

// Finding makes a finding about a file as a whole with the words of the
// catalogue.
func (k *FindingKind) Finding() Finding {
	return Finding{ID: k.ID, Severity: k.Severity, What: k.What, Why: k.Why, Fix: k.Fix}
}

// Concerns reports whether the finding is for readers of a profile.
func (k *FindingKind) Concerns(p *Profile) bool {
	for _, name := range k.Profiles {
		if family, ok := strings.CutSuffix(name, "*"); name == "all" || name == p.Name || ok && strings.HasPrefix(p.Name, family) {
			return true
		}
	}
	return false
}
