package suppression

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"strings"

	"robots-audit/engine"
)

// Baseline has the findings of an earlier lint. Findings in it are known, and all others are new.
type Baseline struct {
	files map[string]*Known // by FileKey
}

// Known are the findings of one file in a baseline. A nil Known is empty.
type Known struct {
	fingerprints map[string]bool // false = not found again so far
	prints       Fingerprints    // for findings without a stored fingerprint
	more         map[string]int  // by ID: findings that were counted but not written
}

// entry is a finding in the output of "lint -json", and in a baseline that we write.
type entry struct {
	File        string          `json:"file"`
	ID          string          `json:"id"`
	Line        int             `json:"line"`
	Text        string          `json:"text"`
	Fingerprint string          `json:"fingerprint"`
	More        int             `json:"more,omitempty"`
	Ignored     json.RawMessage `json:"ignored,omitempty"` // then it is not in the baseline
}

// sarifLog is the part of a SARIF log that identifies its findings.
type sarifLog struct {
	Runs []struct {
		Results []struct {
			RuleID    string            `json:"ruleId"`
			Prints    map[string]string `json:"partialFingerprints"`
			Locations []struct {
				Physical struct {
					Artifact struct {
						URI string `json:"uri"`
					} `json:"artifactLocation"`
				} `json:"physicalLocation"`
			} `json:"locations"`
			Suppressions []json.RawMessage `json:"suppressions"`
			Properties   struct {
				More int `json:"more"`
			} `json:"properties"`
		} `json:"results"`
	} `json:"runs"`
}

// SARIFKey is the key of a fingerprint among the partialFingerprints of SARIF, which GitHub's code
// scanning uses.
const SARIFKey = "primaryLocationLineHash"

// ReadBaseline reads the output of "lint -json", "lint -sarif" or "lint -write-baseline". For other
// text the error names the line.
func ReadBaseline(text []byte) (*Baseline, error) {
	b := &Baseline{map[string]*Known{}}
	var log sarifLog
	if json.Unmarshal(text, &log) == nil && log.Runs != nil {
		return b, b.addSARIF(&log)
	}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var e entry
		if err := json.Unmarshal(line, &e); err != nil || e.ID == "" || e.File == "" {
			return nil, fmt.Errorf("line %d is not a finding. Expected a file of lint -write-baseline, -json or -sarif", number)
		}
		if e.Ignored == nil {
			b.add(&e)
		}
	}
	return b, nil
}

func (b *Baseline) addSARIF(log *sarifLog) error {
	for _, run := range log.Runs {
		for _, r := range run.Results {
			if len(r.Suppressions) > 0 {
				continue
			}
			if r.Prints[SARIFKey] == "" || len(r.Locations) == 0 {
				return fmt.Errorf("its %s has no fingerprint or place. Write the file again with this version of lint", r.RuleID)
			}
			file := strings.TrimPrefix(r.Locations[0].Physical.Artifact.URI, "file://")
			if plain, err := url.PathUnescape(file); err == nil {
				file = plain
			}
			b.add(&entry{File: file, ID: r.RuleID, Fingerprint: r.Prints[SARIFKey], More: r.Properties.More})
		}
	}
	return nil
}

func (b *Baseline) add(e *entry) {
	k := b.files[FileKey(e.File)]
	if k == nil {
		k = &Known{fingerprints: map[string]bool{}, more: map[string]int{}}
		b.files[FileKey(e.File)] = k
	}
	if e.Fingerprint == "" {
		e.Fingerprint = k.prints.Of(&engine.Finding{ID: e.ID, Text: e.Text})
	}
	k.fingerprints[e.Fingerprint] = false
	k.more[e.ID] += e.More
}

// Of returns the known findings of one file; nil = none. If baseline and lint (alone) have one file
// each, the name does not matter. So the file of a test server can be compared with the live one.
func (b *Baseline) Of(file string, alone bool) *Known {
	if b == nil {
		return nil
	}
	if alone && len(b.files) == 1 {
		for _, k := range b.files {
			return k
		}
	}
	return b.files[FileKey(file)]
}

// Copy returns known findings of their own, for a trial: to ask them changes nothing in k.
func (k *Known) Copy() *Known {
	if k == nil {
		return nil
	}
	return &Known{fingerprints: maps.Clone(k.fingerprints), more: maps.Clone(k.more)}
}

// Has reports whether a finding is known, by its fingerprint or by the number of findings with its
// ID that were counted but not written.
func (k *Known) Has(id, fingerprint string) bool {
	if k == nil {
		return false
	}
	if _, ok := k.fingerprints[fingerprint]; ok {
		k.fingerprints[fingerprint] = true
		return true
	}
	return k.Counted(id, 1) == 1
}

// Counted returns how many of n unlisted findings of an ID were counted in the baseline but not
// written. Each of those is used only once.
func (k *Known) Counted(id string, n int) int {
	if k == nil {
		return 0
	}
	n = min(n, k.more[id])
	k.more[id] -= n
	return n
}

// Gone counts the known findings that were not found again.
func (k *Known) Gone() int {
	n := 0
	if k != nil {
		for _, found := range k.fingerprints {
			if !found {
				n++
			}
		}
	}
	return n
}

// Entry returns a finding in the form of a baseline, a line of JSON without its end.
func Entry(file, fingerprint string, f *engine.Finding) ([]byte, error) {
	return json.Marshal(entry{File: file, ID: f.ID, Line: f.Line, Text: f.Text, Fingerprint: fingerprint, More: f.More})
}
