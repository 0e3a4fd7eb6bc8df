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

// lintExample is a robots.txt in which lint, or an audit, finds an issue.
type lintExample struct {
	id      string
	known   map[string]string // other known facts
	written string            // as it is shown
	site    []examplePart     // other parts of the site, if an audit reports the finding
	said    engine.Finding    // what the audit says: Line, Severity and What
}

// examplePart is a part of an example besides its robots.txt.
type examplePart struct {
	name string // "URLs" of the sitemap, or where the site serves the text: "/", "/robots.txt for Googlebot"
	text string // including the end of its last line
}

// lintExamples reads the examples, by ID.
func lintExamples() map[string]*lintExample {
	examples := map[string]*lintExample{}
	_, text, _ := strings.Cut(lintExamplesText, "\n== ")
	for part := range strings.SplitSeq(text, "\n== ") {
		head, written, _ := strings.Cut(part+"\n", "\n")
		fields := strings.Fields(head)
		e := &lintExample{id: fields[0], known: map[string]string{}}
		e.readParts(written)
		for _, field := range fields[1:] {
			key, value, _ := strings.Cut(field, "=")
			e.known[key] = value
		}
		examples[e.id] = e
	}
	return examples
}

// readParts reads an example after its head.
func (e *lintExample) readParts(text string) {
	e.written, text, _ = strings.Cut("\n"+text, "\n-- ")
	e.written = strings.TrimPrefix(e.written, "\n")
	if text != "" {
		e.written += "\n"
	}
	for part := range strings.SplitSeq(text, "\n-- ") {
		name, text, _ := strings.Cut(part, "\n")
		text = strings.TrimSuffix(text, "\n") + "\n"
		switch {
		case name == "says":
			line, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
			severity, what, _ := strings.Cut(rest, " ")
			e.said = engine.Finding{ID: e.id, What: what}
			e.said.Line, _ = strconv.Atoi(line)
			_ = e.said.Severity.UnmarshalText([]byte(severity)) // a test checks that it is a severity
		case name != "":
			e.site = append(e.site, examplePart{name, text})
		}
	}
}

// body is the file itself.
func (e *lintExample) body() string {
	text := e.written
	if e.known["escapes"] != "" {
		text = strings.TrimSuffix(text, "\n") // an escape shows the end of the last line, if it has one
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

// finding returns the finding of the example, from lint or from an audit; ok is false if there is
// none.
func (e *lintExample) finding() (found engine.Finding, ok bool) {
	if e.said.ID != "" {
		return e.said, e.said.What != ""
	}
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

// knownWords describe known facts that are not in the file.
var knownWords = map[string]string{
	"status": "HTTP %s", "hops": "after %s redirects", "cross": "on another host", "url": "at %s", "cache": "with Cache-Control: %s",
	"profile": "read by %s", "fill": "\"…\" stands for %s", "crawl": "with -crawl", "second-look": "with -second-look", "ask-as": "with -ask-as %s", "credentials": "tested with a name and password", "escapes": `\r, \xe9 and the like stand for bytes`,
}

// circumstances describes known facts that are not in the file; "" = none.
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

// fillWords explains what "…" replaces.
func fillWords(kind, number string) string {
	n, _ := strconv.Atoi(number)
	switch kind {
	case "comments":
		return "comments of " + wording.Plural(n, "byte")
	case "rules":
		return wording.Plural(n, "rule")
	case "urls":
		return wording.URLs(int64(n))
	}
	return wording.Plural(n, "letter")
}
