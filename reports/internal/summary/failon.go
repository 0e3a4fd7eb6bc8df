package summary

import (
	"cmp"
	"fmt"
	"slices"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/site"
)

// FailOn says what makes a site fail, for the exit code. Unknown sites never count: without data
// they are neither OK nor bad.
type FailOn struct {
	Severity string   // "info", "warning", "error" or "critical": a state or an effect of findings with this severity; "warn" is "warning"; "" = none
	Share    float64  // share of the URLs found, from 0 to 1, that is blocked for a crawler; 0 = none
	Crawlers []int    // indices of the crawlers for Share; one of them is enough
	Labels   []string // of all crawlers of the run
}

// Failures are the sites that fail for one reason: their number, and the worst of them.
type Failures struct {
	Sites int
	worst [3]failure
}

type failure struct {
	line *Line
	why  string
	rank [2]int64 // greater is worse
}

// add adds a site.
func (f *Failures) add(added failure) {
	f.Sites++
	for i := range f.worst {
		if w := &f.worst[i]; w.line == nil || cmp.Or(slices.Compare(added.rank[:], w.rank[:]), cmp.Compare(w.line.Ordinal, added.line.Ordinal)) > 0 {
			*w, added = added, *w
			if added.line == nil {
				return
			}
		}
	}
}

// String names the worst sites with the reasons why they fail: "3 sites fail: a.example (state
// critical), b.example (2 errors) and 1 more".
func (f Failures) String() string {
	var parts []string
	for _, w := range f.worst {
		if w.line != nil {
			parts = append(parts, fmt.Sprintf("%s (%s)", w.line.Name, w.why))
		}
	}
	if more := f.Sites - len(parts); more > 0 {
		parts = append(parts, wording.Thousands(more)+" more")
	}
	return fmt.Sprintf("%s %s: %s", wording.Plural(f.Sites, "site"), wording.Verb(f.Sites, "fails", "fail"), wording.And(parts))
}

// severities are the severities that correspond to states.
var severities = map[audit.State]engine.Severity{audit.Critical: engine.Critical, audit.Warn: engine.Warning}

// addFailures counts a site that fails.
func (t *Totals) addFailures(line *Line) {
	if line.State == audit.Undetermined {
		return
	}
	word := t.FailOn.Severity
	if word == string(audit.Warn) {
		word = engine.Warning.String()
	}
	var least engine.Severity
	if least.UnmarshalText([]byte(word)) == nil {
		if why := failsBySeverity(line, least); why != "" {
			t.BySeverity.add(failure{line, why, [2]int64{int64(severities[line.State]), line.BlockedURLs}})
		}
	}
	most := -1
	for _, i := range t.FailOn.Crawlers {
		if i < len(line.Blocked) && (most < 0 || line.Blocked[i] > line.Blocked[most]) {
			most = i
		}
	}
	if most < 0 || t.FailOn.Share == 0 || line.Blocked[most] == 0 {
		return
	}
	if n := line.Blocked[most]; float64(n) >= t.FailOn.Share*float64(line.URLs) {
		why := fmt.Sprintf("%s of %s blocked for %s", wording.Percent(n, line.URLs), wording.URLs(line.URLs), t.FailOn.Labels[most])
		t.ByBlocked.add(failure{line, why, [2]int64{int64(1000 * float64(n) / float64(line.URLs)), n}})
	}
}

// failsBySeverity returns the reason why a site has at least a severity; "" = it has not.
func failsBySeverity(line *Line, least engine.Severity) string {
	if severity, ok := severities[line.State]; ok && severity >= least {
		return "state " + string(line.State)
	}
	found := line.Effects
	if found == nil {
		found = line.Findings // a run of a version that did not count effects
	}
	if found == nil {
		return ""
	}
	var grave audit.Severities
	for _, n := range []struct {
		severity engine.Severity
		from     int64
		to       *int64
	}{{engine.Critical, found.Critical, &grave.Critical}, {engine.Error, found.Error, &grave.Error}, {engine.Warning, found.Warning, &grave.Warning}, {engine.Info, found.Info, &grave.Info}} {
		if n.severity >= least {
			*n.to = n.from
		}
	}
	if grave.Total() == 0 {
		return ""
	}
	return site.DescribeSeverities(grave)
}
