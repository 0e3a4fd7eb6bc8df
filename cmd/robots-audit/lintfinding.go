package main

import (
	"slices"

	"robots-audit/cmd/internal/suppression"
	"robots-audit/engine"
)

// lintFinding is a finding with the decision about it.
type lintFinding struct {
	engine.Finding
	fingerprint string              // see suppression.Fingerprints
	ignored     *suppression.Ignore // nil = it is not ignored
	known       bool                // it is in the baseline
}

// isNew reports whether a finding is reported: it is neither ignored nor known.
func (f *lintFinding) isNew() bool { return f.ignored == nil && !f.known }

// hasMore reports whether findings are left out.
func hasMore(found []engine.Finding) bool {
	return slices.ContainsFunc(found, func(f engine.Finding) bool { return f.More > 0 })
}

// sortsOut reports whether each finding has to be checked individually.
func (run *lintRun) sortsOut(ignores []*suppression.Ignore) bool {
	return len(ignores) > 0 || run.baseline != nil || run.writeBaseline != ""
}

// sortOut decides which findings of a file are ignored or known, and counts the others.
func (run *lintRun) sortOut(name string, found []engine.Finding, ignores []*suppression.Ignore, known *suppression.Known) []lintFinding {
	var prints suppression.Fingerprints
	list := make([]lintFinding, 0, len(found))
	for _, f := range found {
		if severity, ok := run.config.Severities[f.ID]; ok {
			f.Severity = severity
		}
		line := f
		if f.Byte > 0 {
			line.Text = f.What // a sitemap has no line to recognize it by
		}
		of := lintFinding{Finding: f, fingerprint: prints.Of(&line)}
		of.ignored = suppression.Find(ignores, &f)
		of.known = of.ignored == nil && known.Has(f.ID, of.fingerprint)
		left := f.More // new ones among those that were not listed
		switch {
		case of.ignored != nil && of.ignored.Line == 0:
			run.ignored += left
			left = 0
		default:
			n := known.Counted(f.ID, left)
			run.known += n
			left -= n
		}
		switch {
		case of.ignored != nil:
			run.ignored++
		case of.known:
			run.known++
		default:
			run.count(&f, 1)
		}
		run.count(&f, left)
		if run.writeBaseline != "" && of.ignored == nil {
			run.addToBaseline(name, &of)
		}
		list = append(list, of)
	}
	run.gone += known.Gone()
	return list
}

// count counts n new findings like f.
func (run *lintRun) count(f *engine.Finding, n int) {
	run.counts[f.Severity] += n
	run.failing = run.failing || n > 0 && !run.neverFail && f.Severity >= run.failOn
}

// shown are the findings of a file that are written. They have the requested severity or above, and
// new ones are limited in number per ID. The number left out is added to More of the previous one.
func (run *lintRun) shown(findings []lintFinding) []lintFinding {
	most := run.options.MaxPerID
	if most == 0 {
		most = 100
	}
	var shown []lintFinding
	counts, last := map[string]int{}, map[string]int{} // by ID
	for _, f := range findings {
		if f.Severity < run.minSeverity {
			continue
		}
		if f.isNew() {
			if counts[f.ID]++; most >= 0 && counts[f.ID] > most {
				shown[last[f.ID]].More += 1 + f.More
				continue
			}
			last[f.ID] = len(shown)
		}
		shown = append(shown, f)
	}
	return shown
}

// addToBaseline adds a finding to the baseline that is written.
func (run *lintRun) addToBaseline(name string, f *lintFinding) {
	line, err := suppression.Entry(name, f.fingerprint, &f.Finding)
	if err == nil { // strings and numbers can always be written
		run.baselineLines = append(append(run.baselineLines, line...), '\n')
	}
}
