package engine

import "iter"

// LineKind is the kind of a line to a profile.
type LineKind string

// RawLine is a line of the file as written, with its meaning for the profile.
// Reports show it next to verdicts, and findings refer to it.
type RawLine struct {
	Number int      // 1-based
	Offset int      // byte of the body at which it begins
	Text   string   // without its end
	End    string   // "\n", "\r\n", "\r"; "" = end of the body
	Kind   LineKind // "blank", "comment", "text" (no field), "user-agent", "allow", "disallow", "sitemap", "crawl-delay", "host", "clean-param", "other"
	Field  string   // as written, white space removed; "" = none
	Value  string   // as written, comment and white space removed
	Group  int      // index into Groups of its group; -1 = none
	Counts bool     // it has a meaning for the profile
	Why    string   // why it does not count, in words; "" if it counts, and for blank lines and comments
}

var kindNames = [...]LineKind{
	lineBlank: "blank", lineComment: "comment", lineNoField: "text", lineAgent: "user-agent", lineAllow: "allow",
	lineDisallow: "disallow", lineSitemap: "sitemap", lineDelay: "crawl-delay", lineHost: "host", lineClean: "clean-param",
	lineOther: "other",
}

// Lines yields every line that was read of the file, in order. If the rules are
// not read (Access is not Parsed), there are none. Lines are parsed on demand
// and not kept: a file may have half a million of them.
func (r *Robots) Lines() iter.Seq[RawLine] {
	return func(yield func(RawLine) bool) {
		group := -1  // index of the last group
		mirror := "" // the Host line that counts
		b := builder{Robots: &Robots{Profile: r.Profile}}
		for read := newLineReader(r.Profile, r.text); read.next(); {
			line := RawLine{
				Number: read.number, Offset: read.start, Text: read.text, Kind: kindNames[read.kind],
				End:   r.text[read.start+len(read.text) : read.offset],
				Field: read.field, Value: read.value, Group: -1,
			}
			b.reset()
			runs := len(b.runs)
			b.addLine(read)
			group += len(b.runs) - runs
			if len(b.agents)+len(b.rules)+len(b.delays) > 0 {
				line.Group = group
			}
			if read.kind > lineComment {
				line.Why = b.whyNot(read, line.Group >= 0, mirror)
				line.Counts = line.Why == ""
			}
			if read.kind == lineHost && line.Counts {
				mirror = read.value
			}
			if !yield(line) {
				return
			}
		}
	}
}

// Lines yields the lines of the body of a 200 answer, like p.Parse(body).Lines(), but does
// not parse the rules.
func (p *Profile) Lines(body []byte) iter.Seq[RawLine] {
	return p.access(File{Status: 200, Body: body, SiteAvailable: true}).Lines()
}

// whyNot says why the line just read does not count, "" if it does.
func (b *builder) whyNot(r *lineReader, grouped bool, mirror string) string {
	p := b.Profile
	switch r.kind {
	case lineNoField:
		return "no directive: a colon is missing"
	case lineAgent:
		if !grouped {
			return "no blank line before it, so it is ignored"
		}
		if r.value == "" {
			return "it names no crawler"
		}
	case lineAllow, lineDisallow:
		if !grouped {
			return "it belongs to no group"
		}
		return p.WhyIgnored(b.rules[len(b.rules)-1])
	case lineSitemap:
		if !isAbsolute(r.value) {
			return "not a full URL with scheme and host"
		}
	case lineDelay:
		return p.whyNotDelay(r.value, grouped)
	case lineHost:
		return p.whyNotHost(r.value, mirror)
	case lineClean:
		if p.CleanParam == CleanIgnored {
			return p.Name + " does not obey Clean-param"
		}
		return parseClean(Line{Value: r.value}).Problem
	case lineOther:
		return "an unknown directive"
	}
	return ""
}

func (p *Profile) whyNotDelay(value string, grouped bool) string {
	if !p.CrawlDelay {
		return p.Name + " does not obey Crawl-delay"
	}
	if !grouped {
		return "it belongs to no group"
	}
	if _, ok := parseDelay(value); !ok {
		return "not a number of seconds"
	}
	return ""
}

// whyNotHost: only the first valid Host line counts, which is mirror.
func (p *Profile) whyNotHost(value, mirror string) string {
	if !p.Host {
		return p.Name + " does not obey Host"
	}
	if _, problem := parseHost(value); problem != "" {
		return problem
	}
	if mirror != "" {
		return "an earlier Host line counts: " + mirror
	}
	return ""
}
