package policyfile

import (
	"bytes"
	"fmt"
	"strings"
)

// readAI reads ai.txt: groups of User-Agent lines with Allow and Disallow, as in robots.txt. Their values are mostly
// types of files, such as *.jpg. It is about data sets for training.
// Source: Spawning, https://spawning.ai/ai-txt and github.com/Spawning-Inc/spawning-wp-plugin
func readAI(f *File, body []byte, _ string) {
	var tokens []string
	inAgents, known := false, false
	number := 0
	for line := range bytes.Lines(body) {
		number++
		text, _, _ := strings.Cut(string(line), "#")
		text = strings.TrimSpace(text)
		field, value, colon := strings.Cut(text, ":")
		field, value = strings.ToLower(strings.TrimSpace(field)), strings.TrimSpace(value)
		switch {
		case !colon:
			continue
		case field == "user-agent":
			if !inAgents {
				tokens = nil
			}
			if value == "*" {
				value = ""
			}
			if len(tokens) < most {
				tokens = append(tokens, value)
			}
			inAgents, known = true, true
			continue
		case field != "allow" && field != "disallow":
			continue
		}
		inAgents, known = false, true
		says := map[bool]string{true: Yes, false: No}[field == "allow"]
		if value == "" { // a Disallow without a value blocks nothing
			if field == "allow" {
				continue
			}
			says = Yes
		}
		if tokens == nil {
			f.fault(fmt.Sprintf("Line %d is before the first User-Agent line.", number))
		}
		for _, token := range tokens {
			f.add(Statement{Source: AI, Text: text, Line: number, Purpose: Training, Token: token, Path: whole(value), Says: says})
		}
	}
	if !known {
		f.fault("The file has no User-Agent, Allow or Disallow line.")
	}
}
