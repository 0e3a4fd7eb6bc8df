package main

import (
	"errors"
	"flag"
	"fmt"
	"strings"
)

const manHelp = `robots-audit man prints the manual page, in the man macros that man, mandoc and
groff read.

Examples:
  robots-audit man > /usr/local/share/man/man1/robots-audit.1
  robots-audit man | man -l -
`

// manDate is the date of the manual page: that of its last change beyond what is
// generated from the commands.
const manDate = "2026-11-22"

func runMan(args []string, std streams) int {
	f := flag.NewFlagSet("man", flag.ContinueOnError)
	if code, ok := parseFlags(f, args, manHelp, std); !ok {
		return code
	}
	if f.NArg() > 0 {
		return usage(std, errors.New("man takes no arguments"))
	}
	if _, err := fmt.Fprint(std.out, manPage(describeCommands())); err != nil {
		return failed(std, err)
	}
	return exitDone
}

// manPage is the manual page of the commands: their help and their flags by group.
func manPage(commands []*description) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH ROBOTS-AUDIT 1 %s \"robots-audit %s\" \"User Commands\"\n", manDate, version)
	b.WriteString(".SH NAME\nrobots-audit \\- which URLs of a site are blocked from crawling,\nfor which crawler, and by which line of robots.txt\n.SH SYNOPSIS\n")
	b.WriteString(".B robots-audit\n.I SITE\\fR|\\fICOMMAND\n.RI [ FLAGS ]\n")
	b.WriteString(".SH DESCRIPTION\nWhere no command is named, sites are audited. Flags may have one dash or\ntwo, and stand before and after other arguments.\n")
	for _, c := range commands {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(c.name), prose(c.summary))
	}
	b.WriteString(".SH COMMANDS\n")
	for _, c := range commands {
		fmt.Fprintf(&b, ".SS %s\n", roff(c.name))
		manText(&b, c.help)
		if c.name != "audit" && hasFlagsOf(c, commands[0]) {
			b.WriteString(".PP\nThe flags are those of\n.BR audit .\n")
			continue
		}
		groups, titles := groupedFlags(c.flags)
		for i, group := range groups {
			fmt.Fprintf(&b, ".PP\n.I %s\n", roff(titles[i]))
			for _, fl := range group {
				value, meaning := flagText(fl)
				fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", strings.TrimSuffix(roff("-"+fl.Name)+" \\fI"+roff(value)+"\\fR", " \\fI\\fR"), prose(meaning))
			}
		}
	}
	b.WriteString(".SH FILES\n.TP\n.I config.toml\nsettings, named with\n.BR \\-config .\nEvery flag of the audit is a key.\n")
	fmt.Fprintf(&b, ".SH ENVIRONMENT\n.TP\n.B %s\\fIFLAG\nEvery flag of the audit, in capitals and with underscores:\n.B %s\nfor\n.BR \\-max\\-urls .\nA flag wins over the environment, the environment over the file.\n",
		roff(environmentPrefix), roff(environmentName("max-urls")))
	return b.String()
}

// manText writes a help text: paragraphs, and as they are the lines that are set off by
// blanks, such as examples.
func manText(b *strings.Builder, help string) {
	for i, paragraph := range strings.Split(strings.Trim(help, "\n"), "\n\n") {
		var text, examples []string
		for line := range strings.SplitSeq(paragraph, "\n") {
			if strings.HasPrefix(line, "  ") {
				examples = append(examples, roff(strings.TrimSpace(line)))
			} else {
				text = append(text, line)
			}
		}
		if text != nil { // else a list stands by itself
			if i > 0 { // a section begins with a paragraph
				b.WriteString(".PP\n")
			}
			b.WriteString(prose(strings.Join(text, " ")) + "\n")
		}
		if examples != nil {
			b.WriteString(".RS 4\n.nf\n" + strings.Join(examples, "\n") + "\n.fi\n.RE\n")
		}
	}
}

// hasFlagsOf reports whether a command has every flag of another.
func hasFlagsOf(c, other *description) bool {
	all := true
	other.flags.VisitAll(func(fl *flag.Flag) { all = all && c.flags.Lookup(fl.Name) != nil })
	return all
}

// prose is a text whose lines the formatter fills anew.
func prose(text string) string {
	lines := wrap(text, 70)
	for i := range lines {
		lines[i] = roff(lines[i])
	}
	return strings.Join(lines, "\n")
}

// roff is a line of text in which nothing is an instruction to the formatter.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "\\&...", "→", `\(->`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
