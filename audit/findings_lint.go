package audit

import (
	"fmt"
	"slices"

	"robots-audit/engine"
)

// saidBefore reports whether an earlier origin of the site serves the very same
// file, as http and https mostly do: what the file alone shows is said once.
func (s *site) saidBefore(o *origin) bool {
	return slices.ContainsFunc(s.origins[:o.index], func(other *origin) bool {
		return o.file.SHA256 != "" && other.file.SHA256 == o.file.SHA256 && other.file.Status == o.file.Status
	})
}

// addLint takes what the file alone shows, and counts the URLs. Of a file of
// which all that was said before, it takes only what touches URLs.
func (f *finder) addLint(o *origin, again bool) {
	for _, found := range f.lint {
		if found.ID == "FET002" && (o.file.Status == 404 || o.file.Status == 410) {
			found.Severity = engine.Info // no file, and no rules: that is in order (RFC 9309 2.3.1.3)
		}
		add := Finding{Finding: found}
		key := hit{found.ID, int32(found.Line), ""}
		switch rule := f.rule(int32(found.Line)); {
		case f.urls == 0:
		case found.ID == "GRP005":
			if slices.ContainsFunc(f.owns, func(own ownGroup) bool { return own.line == key.line }) {
				add.Counted = true
				add.take(f.hits[key])
				if add.URLs > 0 {
					add.What += fmt.Sprintf("; %s open to it alone", urls(add.URLs, "is", "are"))
				}
				delete(f.hits, key)
			}
		case found.ID == "RUL007":
			f.takeDiffering(&add, key.line)
			if add.Counted && add.URLs == 0 {
				add.Severity = engine.Info // it can happen, and does not
			}
		case rule != nil:
			add.take(rule.decides)
			add.URLs = f.matched[found.Line]
		}
		if !again || add.URLs > 0 {
			f.list = append(f.list, add)
		}
	}
}

// takeDiffering adds the URLs on which readers differ at a line to what Lint
// has shown about it.
func (f *finder) takeDiffering(add *Finding, line int32) {
	add.Counted = f.rule(line) != nil
	for _, key := range f.hitKeys() {
		if key.id == "RUL007" && key.line == line {
			t := f.hits[key]
			add.URLs += t.n
			add.Samples = append(add.Samples, t.samples[:min(len(t.samples), maxSamples-len(add.Samples))]...)
			add.What += fmt.Sprintf("; %s concerned (%s)", urls(t.n, "is", "are"), key.about)
			delete(f.hits, key)
		}
	}
}
