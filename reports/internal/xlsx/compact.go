package xlsx

import (
	"regexp"
	"strings"
)

var (
	declaration = regexp.MustCompile(`^<\?xml[^?]*\?>\s*`)
	namespace   = regexp.MustCompile(` xmlns:(\w+)="[^"]*"`)
	ignorable   = regexp.MustCompile(` mc:Ignorable="([^"]*)"`)
	revision    = regexp.MustCompile(` xr:uid="[^"]*"`)
	depth       = regexp.MustCompile(`<view3D>.*</backWall>`)
)

// compact removes text from a part that excelize writes and no program reads: the end tags of empty
// elements, unused namespaces (sixty in the styles), and the depth of flat charts. A third of a
// small workbook is the same in all workbooks. It also removes the XML declaration: without one it
// is version 1.0 and UTF-8, which other writers also rely on. This saves 600 bytes of a small
// workbook.
func compact(xml string) string {
	xml = declaration.ReplaceAllString(xml, "")
	for _, unread := range []*regexp.Regexp{revision, depth} {
		xml = unread.ReplaceAllString(xml, "")
	}
	xml = shortened(xml)
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

// Shorter forms of attributes and texts.
var (
	booleans       = strings.NewReplacer(`="true"`, `="1"`, `="false"`, `="0"`, "&#39;", "'")
	quotationMarks = strings.NewReplacer("&#34;", `"`, "&#39;", "'")
)

// shortened writes empty elements as one tag, the quotation marks of text unescaped, and yes and no
// as digits. Only double quotation marks in attributes need references.
func shortened(xml string) string {
	var b strings.Builder
	for xml != "" {
		text, tag, rest := nextTag(xml)
		b.WriteString(quotationMarks.Replace(text))
		tag = booleans.Replace(tag)
		if end, isTag := strings.CutSuffix(tag, ">"); isTag && strings.HasPrefix(rest, "</") && !strings.HasPrefix(tag, "</") && !strings.HasSuffix(end, "/") {
			tag = end + "/>"
			_, _, rest = nextTag(rest)
		}
		b.WriteString(tag)
		xml = rest
	}
	return b.String()
}

// nextTag splits xml at its first tag.
func nextTag(xml string) (text, tag, rest string) {
	start := strings.IndexByte(xml, '<')
	if start < 0 {
		return xml, "", ""
	}
	end := start + strings.IndexByte(xml[start:], '>') + 1
	if end == start {
		end = len(xml)
	}
	return xml[:start], xml[start:end], xml[end:]
}
