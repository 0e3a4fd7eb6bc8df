package audit

import (
	"iter"
	"reflect"
	"strings"

	"robots-audit/engine"
)

// Difference is a point on which two profiles may differ, and so a class of reasons for different
// verdicts.
type Difference struct {
	Class string // in a word or two: "encoding"
	About string // the subject of the difference, as part of a sentence: "how escapes are compared"

	fields []string                     // of engine.Profile
	says   func(*engine.Profile) string // a profile's behaviour, with the sentence of its source; nil = undocumented
}

// differences are all points of a profile that a verdict may depend on.
var differences = []Difference{
	{"status reading", "what the HTTP status means", []string{"Statuses", "WhileUnreachable", "MaxHops", "BlockedHopOpen", "Missing5xx"}, nil},
	{"size", "how much of the file is read", []string{"Limit", "OverLimit", "LineLimit"}, nil},
	{"bytes", "byte order marks, NUL bytes and files that are not text", []string{"WholeBOM", "NULCuts", "TextOnly"}, nil},
	{"misspelt fields", "misspelt fields and missing colons", []string{"Misspellings", "MissingColon"}, nil},
	{"allow lines", "whether Allow is supported", []string{"NoAllow"}, nil},
	{"case of agent", "how a user-agent line names a crawler, and whether case counts", []string{"Agents"}, nil},
	{"fallback token", "whether further product tokens count", []string{"Fallback", "Unite"}, nil},
	{"repeated group", "whether groups that name one crawler are merged", []string{"FirstGroup"}, nil},
	{"blank line", "whether a blank line ends a group", []string{"BlankLine", "OtherFieldSplit"}, nil},
	{"* exempt", "whether crawlers may be exempt from the * group", []string{"Exemptions"}, nil},
	{"wildcards", "whether * and $ are wildcards", []string{"Literal"}, nil},
	{"order", "whether the first rule that matches decides, or the longest", []string{"FirstMatch"}, nil},
	{"length", "which bytes of a rule count for its length", []string{"Length"}, nil},
	{"undefined", "whether a longer disallow rule against an allow rule with a wildcard is left open", []string{"WildcardConflict"}, nil},
	{"encoding", "how escapes are compared", []string{"Encoding"}, saysEncoding},
	{"first octet", "whether a path may begin with *", []string{"SlashOnly"}, nil},
	{"empty allow", "what an allow line without a path means", []string{"EmptyAllow"}, nil},
	{"empty disallow", "what a disallow line without a path means", []string{"EmptyDisallow"}, nil},
	{"index page", "whether an allow line for an index page allows its directory", []string{"IndexTwin"}, nil},
	{"/robots.txt", "whether /robots.txt itself is judged", []string{"RobotsTxtJudged"}, saysRobotsTxt},
}

// Differences yields each point on which two profiles differ and a verdict may depend. With each it
// yields profile a with only that point taken from b. If that profile gives b's verdict, the point
// is the cause of the different verdicts.
func Differences(a, b *engine.Profile) iter.Seq2[*Difference, *engine.Profile] {
	return func(yield func(*Difference, *engine.Profile) bool) {
		for i := range differences {
			p := *a
			to, from := reflect.ValueOf(&p).Elem(), reflect.ValueOf(b).Elem()
			differ := false
			for _, name := range differences[i].fields {
				if !reflect.DeepEqual(to.FieldByName(name).Interface(), from.FieldByName(name).Interface()) {
					to.FieldByName(name).Set(from.FieldByName(name))
					differ = true
				}
			}
			if differ && !yield(&differences[i], &p) {
				return
			}
		}
	}
}

// Says describes a profile's behaviour on this point with the sentence of its source, as the end of
// a sentence that begins with the profile's name; "" = undocumented.
func (d *Difference) Says(p *engine.Profile) string {
	if d.says == nil {
		return ""
	}
	return d.says(p)
}

// saysEncoding says how a profile compares escapes.
func saysEncoding(p *engine.Profile) string {
	switch p.Encoding {
	case engine.EncodingRFC:
		return `decodes escapes of letters, digits and "-._~", treats reserved characters that separate nothing like their escapes, and %2A and %24 in a rule like "*" and "$" (RFC 9309 2.2.2: "If a percent-encoded ASCII octet is encountered in the URI, it MUST be unencoded prior to comparison, unless it is a reserved character"; 2.2.3)`
	case engine.EncodingURI:
		return `decodes escapes of letters, digits and "-._~", and ignores the case of an escape (RFC 3986 6.2.2)`
	case engine.EncodingUTF8:
		if p.Name == "bing" {
			return `decodes nothing, changes escapes to upper case only in rules, and leaves URLs as they are (191 verdicts of Bing's tester, July 2026)`
		}
		return `treats characters outside ASCII like their escapes ("Non-7-bit ASCII characters in a path may be included as UTF-8 characters or as percent-escaped UTF-8 encoded characters per RFC 3986"); the page says nothing about escapes of ASCII; Google's parser decodes none, and changes them to upper case only in rules (robots_test.cc, ID_Encoding; robots.cc, MaybeEscapePattern)`
	case engine.EncodingRule:
		return `decodes nothing, escapes characters outside ASCII and changes escapes to upper case only in rules, and leaves URLs as they are (robots_test.cc, ID_Encoding; robots.cc, MaybeEscapePattern)`
	}
	return `compares bytes as they are (Yandex's parser as published in 2022-23; its help asks for paths encoded as on the site)`
}

// saysRobotsTxt says whether a profile applies rules to /robots.txt.
func saysRobotsTxt(p *engine.Profile) string {
	switch {
	case !p.RobotsTxtJudged && p.Name == "bing":
		return "always allows it, as RFC 9309 does (not tested with Bing's tester)"
	case !p.RobotsTxtJudged:
		return `always allows it (RFC 9309 2.2.2: "The /robots.txt URI is implicitly allowed")`
	case strings.HasPrefix(p.Name, "google"):
		return "treats it like any other path (Google's page makes no exception, and neither does Google's parser: robots.cc, AllowedByRobots)"
	}
	return "treats it like any other path (its source makes no exception)"
}
