package cli

import (
	"errors"
	"flag"
	"fmt"
	"strings"
)

const manUse = `%[1]s man prints the manual page, in the man macros that man, mandoc and
groff read.

Examples:
  %[1]s man > /usr/local/share/man/man1/%[1]s.1
  %[1]s man | man -l -
`

// manDate is the date of the manual page: the last change of its text that is not generated from
// the commands.
const manDate = "2026-11-27"

func runMan(args []string, std Streams) int {
	f := flag.NewFlagSet("man", flag.ContinueOnError)
	if code, ok := ParseFlags(f, args, Help{Use: fmt.Sprintf(manUse, Current.Name)}, std); !ok {
		return code
	}
	if f.NArg() > 0 {
		return Usage(std, errors.New("man takes no arguments. Remove them"))
	}
	if _, err := fmt.Fprint(std.Out, ManPage(DescribeCommands())); err != nil {
		return Failed(std, err)
	}
	return ExitDone
}

// ManPage is the manual page of the commands: help, and flags by group.
func ManPage(commands []*description) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 %s \"%s %s\" \"User Commands\"\n", strings.ToUpper(Current.Name), manDate, Current.Name, Version)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.B %[1]s\n%[3]s\n", Current.Name, Current.ManTitle, Current.ManArguments)
	b.WriteString(".SH DESCRIPTION\n" + Current.ManUse + "\n")
	for _, c := range commands {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", Roff(c.Name), prose(c.Summary))
	}
	b.WriteString(".SH COMMANDS\n")
	for _, c := range commands {
		fmt.Fprintf(&b, ".SS %s\n", Roff(c.Name))
		manText(&b, c.Help.Use)
		if c.Help.More != "" {
			b.WriteString(".PP\n")
			manText(&b, c.Help.More)
		}
		if c.Help.Exit != "" {
			b.WriteString(".PP\n")
			manText(&b, c.Help.Exit)
		}
		if c.Help.Of != "" {
			fmt.Fprintf(&b, ".PP\nThe flags are those of\n.BR %s .\n", c.Help.Of)
			continue
		}
		groups, titles := groupedFlags(c.Flags)
		for i, group := range groups {
			fmt.Fprintf(&b, ".PP\n.I %s\n", Roff(titles[i]))
			for _, fl := range group {
				value, meaning := flagText(fl)
				fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", strings.TrimSuffix(Roff("-"+fl.Name)+" \\fI"+Roff(value)+"\\fR", " \\fI\\fR"), prose(meaning))
			}
		}
	}
	b.WriteString(".SH FILES\n.TP\n.I config.toml\nsettings, named with\n.BR \\-config .\nEvery flag of the audit is a key.\n")
	fmt.Fprintf(&b, ".SH ENVIRONMENT\n.TP\n.B %s\\fIFLAG\nEvery flag of the audit, in capitals and with underscores:\n.B %s\nfor\n.BR \\-max\\-urls .\nA flag wins over the environment, the environment over the file.\n",
		Roff(environmentPrefix), Roff(EnvironmentName("max-urls")))
	return b.String()
}

// manText writes a help text: paragraphs are filled, and indented lines such as examples are kept.
func manText(b *strings.Builder, help string) {
	for i, paragraph := range strings.Split(strings.Trim(help, "\n"), "\n\n") {
		var text, examples []string
		for line := range strings.SplitSeq(paragraph, "\n") {
			if strings.HasPrefix(line, "  ") {
				examples = append(examples, Roff(strings.TrimSpace(line)))
			} else {
				text = append(text, line)
			}
		}
		if text != nil { // otherwise it is only a list
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

// prose is a text whose lines the formatter may fill.
func prose(text string) string {
	lines := wrap(text, 70)
	for i := range lines {
		lines[i] = Roff(lines[i])
	}
	return strings.Join(lines, "\n")
}

// Roff escapes a line of text, so that the formatter finds no instruction in it.
func Roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "\\&...", "→", `\(->`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
