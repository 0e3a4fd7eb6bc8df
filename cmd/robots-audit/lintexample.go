package main

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"robots-audit/engine"
	"robots-audit/engine/wording"
)

//go:embed lintexamples.txt
var lintExamplesText string

// lintExample is a robots.txt in which lint finds something.
type lintExample struct {
	id      string
	known   map[string]string // what is known beside the file
	written string            // as it is shown
}

// lintExamples reads the examples, by id.
func lintExamples() map[string]*lintExample {
	examples := map[string]*lintExample{}
	_, text, _ := strings.Cut(lintExamplesText, "\n== ")
	for part := range strings.SplitSeq(text, "\n== ") {
		head, written, _ := strings.Cut(part+"\n", "\n")
		fields := strings.Fields(head)
		e := &lintExample{id: fields[0], known: map[string]string{}, written: written}
		for _, field := range fields[1:] {
			key, value, _ := strings.Cut(field, "=")
			e.known[key] = value
		}
		examples[e.id] = e
	}
	return examples
}

// body is the file itself.
func (e *lintExample) body() string {
	text := e.written
	if e.known["escapes"] != "" {
		text = strings.TrimSuffix(text, "\n") // the end of the last line stands there as an escape, or not at all
		text, _ = strconv.Unquote(`"` + strings.NewReplacer(`"`, `\"`, "\n", `\n`).Replace(text) + `"`)
	}
	kind, number, filled := strings.Cut(e.known["fill"], ":")
	if !filled {
		return text
	}
	n, _ := strconv.Atoi(number)
	var fill strings.Builder
	switch kind {
	case "comments":
		for len(text)+fill.Len() < n {
			fill.WriteString("# a comment\n")
		}
	case "rules":
		for i := range n {
			fmt.Fprintf(&fill, "Disallow: /private/%d/\n", i+1)
		}
	case "letters":
		return strings.Replace(text, "…", strings.Repeat("x", n), 1)
	}
	return strings.Replace(text, "…\n", fill.String(), 1)
}

// lint returns the finding that the example is for; ok is false if there is none.
func (e *lintExample) lint() (found engine.Finding, ok bool) {
	o := engine.LintOptions{URL: e.known["url"], Cache: e.known["cache"]}
	if p, ok := engine.ProfileByName(e.known["profile"]); ok {
		o.Profiles = []*engine.Profile{p}
	}
	if status := e.known["status"]; status != "" {
		f := engine.File{CrossHost: e.known["cross"] != ""}
		f.Status, _ = strconv.Atoi(status)
		f.Hops, _ = strconv.Atoi(e.known["hops"])
		o.File = &f
	}
	findings := engine.Lint([]byte(e.body()), o)
	i := slices.IndexFunc(findings, func(f engine.Finding) bool { return f.ID == e.id })
	if i < 0 {
		return found, false
	}
	return findings[i], true
}

// knownWords say in words what is known beside a file.
var knownWords = map[string]string{
	"status": "answered with HTTP %s", "hops": "after %s redirects", "cross": "on another host", "url": "asked for at %s", "cache": "with Cache-Control: %s",
	"profile": "read by %s", "fill": "\"…\" stands for %s", "escapes": `\r, \xe9 and the like stand for bytes`,
}

// circumstances says in words what is known beside the file; "" = nothing.
func (e *lintExample) circumstances() string {
	var words []string
	for _, key := range slices.Sorted(maps.Keys(e.known)) {
		value := e.known[key]
		if kind, number, filled := strings.Cut(value, ":"); key == "fill" && filled {
			value = fillWords(kind, number)
		}
		word := knownWords[key]
		if key == "hops" && value == "1" {
			word = "after %s redirect"
		}
		if strings.Contains(word, "%s") {
			word = fmt.Sprintf(word, value)
		}
		if key == "status" && value == "200" {
			continue
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

// fillWords says what "…" stands for.
func fillWords(kind, number string) string {
	n, _ := strconv.Atoi(number)
	switch kind {
	case "comments":
		return "comments, in all " + wording.Plural(n, "byte")
	case "rules":
		return wording.Plural(n, "rule")
	}
	return wording.Plural(n, "letter")
}
