package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"robots-audit/cmd/internal/cli"
	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// families are the groups of findings, by the letters of their IDs.
var families = []struct{ letters, name string }{
	{"FET", "fetching"}, {"LOC", "location"}, {"FMT", "format"}, {"DIR", "fields"}, {"GRP", "groups"}, {"RUL", "rules"},
	{"SM", "sitemaps"}, {"YA", "yandex"}, {"AI", "ai"}, {"PRS", "parsers"}, {"MIG", "migration"},
}

// familyOf returns the name of the group that a finding is in.
func familyOf(id string) string {
	for _, f := range families {
		if strings.HasPrefix(id, f.letters) {
			return f.name
		}
	}
	return "other"
}

// reportedBy names the command that reports a finding that lint cannot find; "" = lint reports it.
func reportedBy(k *engine.FindingKind) string {
	switch {
	case k.Needs == "file" || k.Needs == "fetch":
		return ""
	case unreported[k.ID]:
		return "No command reports it yet."
	case k.Needs == "site":
		return "Only an audit reports it: it needs more of the site than this file."
	}
	return "Only an audit reports it: it needs the site's URLs."
}

// unreported are the findings of the catalogue that no command reports yet.
var unreported = map[string]bool{"FET011": true, "MIG001": true, "MIG002": true, "MIG003": true, "MIG004": true, "MIG005": true, "MIG006": true}

// writeCatalogue writes the catalogue as a Markdown page: each finding with its severity, an
// example, the fix and the sources.
func writeCatalogue(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprint(out, catalogueHead)
	kinds, examples := engine.FindingKinds(), lintExamples()
	for _, k := range kinds {
		fmt.Fprintf(out, "| [%s](#%s) | %s | %s | %s |\n", k.ID, strings.ToLower(k.ID), markdownText(k.Name), k.Severity, markdownText(k.What))
	}
	for i := range kinds {
		k := &kinds[i]
		fmt.Fprintf(out, "\n## %s\n\n**%s** (%s)\n\n%s. %s\n\n", k.ID, markdownText(k.Name), markdownText(k.Severities()), markdownText(sentence(k.What)), markdownText(k.Why))
		writeExample(out, k, examples[k.ID])
		fmt.Fprintf(out, "Fix: %s\n\nFor: %s. Sources: %s.\n", markdownText(k.Fix), markdownText(strings.Join(k.Profiles, ", ")), sourceLinks(k))
	}
	return out.Flush()
}

const catalogueHead = `# What lint finds

Each finding has a severity, an example with the text of lint, and a fix.

- critical: the whole site or file is affected
- error: something does not work as it is written
- warning: something is probably not intended
- info: worth knowing

"For" names the profiles of the affected crawlers.

| finding | name | severity | what |
|---|---|---|---|
`

// writeExample writes an example, if there is one, with the finding in it.
func writeExample(w io.Writer, k *engine.FindingKind, e *lintExample) {
	if by := reportedBy(k); by != "" {
		fmt.Fprintf(w, "%s\n\n", by)
	}
	if e == nil {
		return
	}
	writeCode(w, e.written)
	for _, part := range e.site {
		if part.name == "URLs" {
			fmt.Fprint(w, "URLs of the sitemap:\n\n")
		} else {
			fmt.Fprintf(w, "The answer at %s:\n\n", markdownText(part.name))
		}
		writeCode(w, part.text)
	}
	if beside := e.circumstances(); beside != "" {
		fmt.Fprintf(w, "(%s)\n\n", markdownText(beside))
	}
	f, _ := e.finding()
	where, as := "", ""
	if f.Line > 0 {
		where = fmt.Sprintf("Line %d: ", f.Line)
	}
	if f.Severity != k.Severity {
		as = fmt.Sprintf(" (here: %s)", f.Severity)
	}
	fmt.Fprintf(w, "> %s%s%s\n", where, markdownText(escape.Printable(f.What)), as)
	if f.Replacement != "" && len(f.Replacement) < 100 {
		fmt.Fprintf(w, ">\n> Better: `%s`\n", escape.Printable(strings.Join(replacementLines(&f), "`, `")))
	}
	fmt.Fprintln(w)
}

// writeCode writes a text as a code block; nothing if it is empty.
func writeCode(w io.Writer, text string) {
	if text = strings.TrimSuffix(text, "\n"); text != "" {
		fmt.Fprintf(w, "```\n%s\n```\n\n", text)
	}
}

func sourceLinks(k *engine.FindingKind) string {
	var links []string
	for _, source := range sourcesOf(k) {
		links = append(links, "["+markdownText(source.title)+"]("+source.url+")")
	}
	return strings.Join(links, ", ")
}

// sentence changes the first letter of a text to a capital.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// markdownText escapes characters that Markdown would interpret.
func markdownText(text string) string { return markdownSigns.Replace(text) }

var markdownSigns = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "[", `\[`, "|", `\|`)

func listFindings(std cli.Streams) int {
	for _, k := range engine.FindingKinds() {
		if _, err := fmt.Fprintf(std.Out, "%s %-8s %s (%s) [%s]\n", k.ID, k.Severity, k.Name, k.What, strings.Join(k.Profiles, " ")); err != nil {
			return cli.Failed(std, err)
		}
	}
	return cli.ExitDone
}
