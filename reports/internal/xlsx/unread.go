package xlsx

import (
	"regexp"
	"slices"
	"strings"
)

// unreadParts are files that excelize writes and that our workbooks do not need, with the
// references to them. A theme has colours and fonts by name: here, cells and charts contain their
// own. The second file repeats which program made the workbook.
var unreadParts = []string{"xl/theme/theme1.xml", "docProps/app.xml"}

// withoutUnread omits those files: 1.3 of 39 KB of a small workbook.
func withoutUnread(parts []drawnPart) []drawnPart {
	parts = slices.DeleteFunc(parts, func(p drawnPart) bool { return slices.Contains(unreadParts, p.name) })
	for i := range parts {
		p := &parts[i]
		switch p.name {
		case "[Content_Types].xml", "_rels/.rels", "xl/_rels/workbook.xml.rels":
			for _, unread := range unreadParts {
				p.text = withoutNaming(p.text, unread, strings.TrimPrefix(unread, "xl/"))
			}
		case "xl/styles.xml":
			p.text = unreadStyles.ReplaceAllString(p.text, "")
		case "xl/workbook.xml":
			p.text = unreadVersions.ReplaceAllString(p.text, "")
		}
	}
	return parts
}

// withoutNaming drops the empty elements with an attribute that names a part, from the root or from
// the folder of the parts that name it.
func withoutNaming(xml, part, target string) string {
	for _, name := range []string{`"/` + part + `"`, `="` + target + `"`} {
		before, after, ok := strings.Cut(xml, name)
		if !ok {
			continue
		}
		_, after, _ = strings.Cut(after, "/>")
		xml = before[:strings.LastIndexByte(before, '<')] + after
	}
	return xml
}

// The theme's colour is the default colour of text, which cells without a colour also have. No
// table has a style, and excelize names a version of Excel as the one that made the workbook.
var (
	unreadStyles   = regexp.MustCompile(`<color theme="1"/>|<tableStyles [^<>]*/>`)
	unreadVersions = regexp.MustCompile(`<fileVersion [^<>]*/>| defaultThemeVersion="\d+"`)
)

// Text that excelize writes into every chart, though a chart without it looks the same: default
// values, the cache of values that are read from the cells, and print settings for a chart alone on
// a page.
var (
	chartLabels   = regexp.MustCompile(`<dLbls>.*?</dLbls>`)
	chartDefaults = regexp.MustCompile(`<printSettings>.*</printSettings>|<date1904 val="0"/>|<lang val="en-US"/>|<showDLblsOverMax val="0"/>|<a:endParaRPr [^<>]*/>|<numCache><formatCode/></numCache>|<txPr><a:bodyPr[^<>]*/><a:p/></txPr>|<spPr/>` +
		`|<a:(?:latin|ea|cs) typeface="\+mn-\w+"/>| (?:i="0"|baseline="0"|kern="\d+"|spc="0"|strike="noStrike"|u="none")` +
		`| (?:anchor="ctr"|anchorCtr="\w+"|spcFirstLastPara="\w+"|vert="horz"|vertOverflow="ellipsis"|wrap="square")| (?:algn="ctr"|cap="flat"|cmpd="sng")`)
	themeGrey = regexp.MustCompile(`<a:schemeClr val="tx1"><a:lumMod val="15000"/><a:lumOff val="85000"/></a:schemeClr>`)
)

// plainChart removes these texts from a compact chart: half of it. The grid lines have their grey
// by its name in the theme, which is also removed.
func plainChart(xml string) string {
	xml = chartLabels.ReplaceAllStringFunc(xml, func(labels string) string {
		if strings.Contains(labels, `<showVal val="1"/>`) {
			return labels
		}
		return ""
	})
	return themeGrey.ReplaceAllString(chartDefaults.ReplaceAllString(xml, ""), `<a:srgbClr val="D9D9D9"/>`)
}
