package xlsx

import (
	"strings"
	"testing"
)

// No file names an omitted one, by its path or its content.
func TestUnreadParts(t *testing.T) {
	parts := zipParts(t, newZoo(t, MaxRows).finish(t))
	for name, part := range parts {
		for _, unread := range []string{"theme", "app.xml", "schemeClr", "+mn-"} {
			if strings.Contains(part, unread) || strings.Contains(name, unread) {
				t.Errorf("%s names %s: %.3000s", name, unread, part)
			}
		}
	}
	for name, want := range map[string]int{"[Content_Types].xml": len(parts) - 1 - 4, "_rels/.rels": 2, "xl/_rels/workbook.xml.rels": 5} { // except four files of relationships, and itself
		if got := strings.Count(parts[name], "<Override ") + strings.Count(parts[name], "<Relationship "); got != want {
			t.Errorf("%s names %d parts, want %d: %s", name, got, want, parts[name])
		}
	}
}

// A chart keeps its visible labels, and loses text that makes no difference.
func TestPlainChart(t *testing.T) {
	const shown = `<dLbls><numFmt formatCode="0"/><spPr/><showVal val="1"/></dLbls>`
	for in, want := range map[string]string{
		`<ser/><dLbls><spPr/><showVal val="0"/></dLbls><gapWidth val="40"/>`: `<ser/><gapWidth val="40"/>`,
		shown: strings.Replace(shown, "<spPr/>", "", 1),
		shown + `<dLbls><showVal val="0"/></dLbls>`: strings.Replace(shown, "<spPr/>", "", 1),
		`<a:defRPr b="0" baseline="0" i="0" kern="1200" spc="0" strike="noStrike" sz="900" u="none"><a:latin typeface="+mn-lt"/></a:defRPr>`: `<a:defRPr b="0" sz="900"></a:defRPr>`,
		`<a:bodyPr anchorCtr="false" rot="-2700000" spcFirstLastPara="false"/>`:                                                              `<a:bodyPr rot="-2700000"/>`,
		`<chart/><printSettings><pageMargins b="0.75"/></printSettings></chartSpace>`:                                                        `<chart/></chartSpace>`,
	} {
		if got := plainChart(in); got != want {
			t.Errorf("%s\nbecomes %s\n   want %s", in, got, want)
		}
	}
}
