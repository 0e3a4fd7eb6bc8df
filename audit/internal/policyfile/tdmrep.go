package policyfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// readTDMRep reads the rules of /.well-known/tdmrep.json: an array of objects with location (a path, with * and $
// as in robots.txt), tdm-reservation (1 = rights are reserved, 0 = they are not) and perhaps tdm-policy (the
// URL of terms). For a path, the first rule that matches counts.
// Source: W3C TDM Reservation Protocol, final report of 10 May 2024, "TDM File on the Origin Server",
// https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/
func readTDMRep(f *File, body []byte, _ string) {
	if !json.Valid(body) {
		f.fault("The file is not valid JSON.")
		return
	}
	list := json.NewDecoder(bytes.NewReader(body))
	if start, _ := list.Token(); start != json.Delim('[') {
		f.fault("The file is not a JSON array of rules.")
		return
	}
	line, seen := 1, 0
	for n := 1; list.More(); n++ {
		var raw json.RawMessage
		if list.Decode(&raw) != nil {
			return // cannot happen, because it is valid
		}
		start := int(list.InputOffset()) - len(raw)
		line, seen = line+bytes.Count(body[seen:start], []byte("\n")), start
		readTDMRule(f, n, line, raw)
	}
}

func readTDMRule(f *File, n, line int, raw json.RawMessage) {
	var rule map[string]any
	if json.Unmarshal(raw, &rule) != nil || rule == nil {
		f.fault(fmt.Sprintf("Rule %d is not a JSON object.", n))
		return
	}
	location, _ := rule["location"].(string)
	reserved, isNumber := rule["tdm-reservation"].(float64)
	policy, hasPolicy := rule["tdm-policy"]
	terms, _ := policy.(string)
	switch {
	case location == "":
		f.fault(fmt.Sprintf("Rule %d has no \"location\".", n))
		return
	case !isNumber || reserved != 0 && reserved != 1:
		f.fault(fmt.Sprintf("Rule %d has no \"tdm-reservation\" that is the number 0 or 1.", n))
		return
	case location[0] != '/': // the meaning of * is clear
		f.fault(fmt.Sprintf("Rule %d has a \"location\" that does not start with /.", n))
		if location[0] != '*' {
			return
		}
	case hasPolicy && !isURL(terms):
		f.fault(fmt.Sprintf("Rule %d has a \"tdm-policy\" that is not an absolute URL.", n))
	}
	var text bytes.Buffer
	_ = json.Compact(&text, raw) // it is valid
	f.add(Statement{Source: TDMRep, Text: text.String(), Line: line, Purpose: Mining, Path: whole(location), Says: reservation(reserved == 1, terms)})
}

// reservation is what a reservation says. A policy offers a licence.
func reservation(reserved bool, policy string) string {
	switch {
	case !reserved:
		return Yes
	case isURL(policy):
		return Pay
	}
	return No
}

// isURL reports whether a text is an absolute URL of http or https.
func isURL(s string) bool {
	u, err := url.Parse(strings.TrimSpace(s))
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}
