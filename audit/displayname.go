package audit

import (
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// DisplayName returns the readable name of a site, a host or an origin. An internationalized name
// is shown in Unicode with its ASCII form, "münchen.example (xn--mnchen-3ya.example)". Other names
// stay as they are, and so do names whose Unicode could be confused with another. These are names
// that IDNA does not allow to display, such as one that breaks the Bidi rule of RFC 5893. They are
// also names with a label whose mix of scripts UTS 39 does not count as highly restrictive.
func DisplayName(name string) string {
	begin := strings.Index(name, "://") + len("://")
	if begin < len("://") {
		begin = 0
	}
	host, port := name[begin:], ""
	if i := strings.LastIndexByte(host, ':'); i >= 0 {
		host, port = host[:i], host[i:]
	}
	if !strings.Contains(host, "xn--") {
		return name
	}
	shown, err := idna.Display.ToUnicode(host)
	if err != nil || shown == host || !singleScripts(shown) {
		return name
	}
	if back, err := hostProfile.ToASCII(shown); err != nil || back != host {
		return name
	}
	return name[:begin] + shown + port + " (" + name + ")"
}

// scriptSets are the scripts that one label may mix, in addition to labels of one script (UTS 39
// 5.2, highly restrictive).
var scriptSets = [][]*unicode.RangeTable{
	{unicode.Latin, unicode.Han, unicode.Hiragana, unicode.Katakana},
	{unicode.Latin, unicode.Han, unicode.Bopomofo},
	{unicode.Latin, unicode.Han, unicode.Hangul},
}

// singleScripts reports whether no label of a host has a suspicious mix of scripts.
func singleScripts(host string) bool {
	for label := range strings.SplitSeq(host, ".") {
		if !singleScript(label) {
			return false
		}
	}
	return true
}

func singleScript(label string) bool {
	for _, set := range scriptSets {
		if all(label, set...) {
			return true
		}
	}
	for _, table := range unicode.Scripts {
		if all(label, table) {
			return true
		}
	}
	return false
}

// all reports whether all characters of a label are of these scripts, or of no particular script.
func all(label string, scripts ...*unicode.RangeTable) bool {
	for _, r := range label {
		if !unicode.In(r, scripts...) && !unicode.In(r, unicode.Common, unicode.Inherited) {
			return false
		}
	}
	return true
}
