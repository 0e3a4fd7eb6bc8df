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

// compact leaves out of a part what excelize writes and nobody reads: the end tags
// of empty elements, the namespaces that nothing is in, of which the styles have
// sixty, and the depth of charts that have none. A third of a small workbook is what all
// workbooks have in common. The declaration of XML goes, too: without one it is version 1.0 and
// UTF-8, which readers are used to from other writers, and 600 bytes of a small workbook are saved.
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

// What attributes, and texts, say in fewer letters.
var (
	booleans       = strings.NewReplacer(`="true"`, `="1"`, `="false"`, `="0"`, "&#39;", "'")
	quotationMarks = strings.NewReplacer("&#34;", `"`, "&#39;", "'")
)

// shortened writes empty elements as one tag, the quotation marks of text as they are, and yes
// and no as digits. As references, only double marks are needed, in attributes.
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

// nextTag cuts xml around its first tag.
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
