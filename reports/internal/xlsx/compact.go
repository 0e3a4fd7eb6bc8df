package xlsx

import (
	"regexp"
	"strings"
)

var (
	emptyElement = regexp.MustCompile(`<([\w:]+(?: [^<>]*[^<>/])?)></[\w:]+>`)
	namespace    = regexp.MustCompile(` xmlns:(\w+)="[^"]*"`)
	ignorable    = regexp.MustCompile(` mc:Ignorable="([^"]*)"`)
	revision     = regexp.MustCompile(` xr:uid="[^"]*"`)
	scriptFont   = regexp.MustCompile(`<a:font script="[^<>]*/>`)
	depth        = regexp.MustCompile(`<view3D>.*</backWall>`)
)

// compact leaves out of a part what excelize writes and nobody reads: the end tags
// of empty elements, the namespaces that nothing is in, of which the styles have
// sixty, the theme's fonts for thirty scripts, since no cell has a font of the theme,
// and the depth of charts that have none. A third of a small workbook is what all
// workbooks have in common.
func compact(xml string) string {
	xml = emptyElement.ReplaceAllString(xml, "<$1/>")
	for _, unread := range []*regexp.Regexp{revision, scriptFont, depth} {
		xml = unread.ReplaceAllString(xml, "")
	}
	if list := ignorable.FindStringSubmatch(xml); list != nil && !usesAny(xml, strings.Fields(list[1])) {
		xml = strings.Replace(xml, list[0], "", 1)
	}
	return namespace.ReplaceAllStringFunc(xml, func(declared string) string {
		if prefix := namespace.FindStringSubmatch(declared)[1]; !usesAny(xml, []string{prefix}) {
			return ""
		}
		return declared
	})
}

// usesAny reports whether an element or an attribute has one of the prefixes.
func usesAny(xml string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.Contains(xml, "<"+p+":") || strings.Contains(xml, " "+p+":") {
			return true
		}
	}
	return false
}
