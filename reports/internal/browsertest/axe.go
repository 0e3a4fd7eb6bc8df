//go:build browser

package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Accessible fails the test for each rule of axe-core that a part of the page breaks, "document" or a
// selector in quotes. It returns how many rules the part passes. axe-core is not ours and has another licence:
// .ci/install-browser fetches it.
func (b *Tab) Accessible(what, part string) (passed int) {
	b.T.Helper()
	script, err := os.ReadFile(filepath.Join(os.Getenv("ROBOTS_AUDIT_BROWSER"), "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		b.T.Fatalf("ROBOTS_AUDIT_BROWSER must name the folder that .ci/install-browser made: %v", err)
	}
	Eval[bool](b, string(script)+`; true`)
	found := Eval[struct {
		Passed int      `json:"passed"`
		Broken []string `json:"broken"`
	}](b, fmt.Sprintf(runAxe, part))
	for _, f := range found.Broken {
		b.T.Errorf("%s: %s", what, strings.ReplaceAll(f, "\n", " "))
	}
	return found.Passed
}

// runAxe runs the rules. Colours cost most of the time, by far, so rows of a table or list that look like two
// others of it are hidden meanwhile: those with the same elements, attributes and colours, and text in the same
// places. Rows with an id stay, because each id must be unique. A page that was opened from disk may not read
// the style sheets that it links to, which preload would ask for.
const runAxe = `(async () => {
	const looks = e => e.localName + [...e.attributes].map(a => /^(class|role|style|fill|stroke|open|hidden|aria-hidden)$/.test(a.name) ? a.name + "=" + a.value : a.name) + (e.textContent.trim() && "…") + "(" + [...e.children].map(looks) + ")";
	const counts = new Map(), hidden = [];
	for (const row of document.querySelectorAll("tr, li")) {
		if (row.id || row.querySelector("[id]") || row.contains(document.activeElement)) continue;
		const list = row.closest("table, ul, ol"), key = row.parentNode.localName + row.parentNode.className + looks(row);
		if (!counts.has(list)) counts.set(list, {});
		const alike = counts.get(list);
		if ((alike[key] = (alike[key] || 0) + 1) > 2 && !row.style.display) hidden.push(row);
	}
	hidden.forEach(row => row.style.setProperty("display", "none", "important"));
	const r = await axe.run(%s, {preload: location.protocol !== "file:" || !document.querySelector("link[rel=stylesheet]"), resultTypes: ["violations"]});
	hidden.forEach(row => row.style.removeProperty("display"));
	return {passed: r.passes.length, broken: r.violations.map(v => v.impact + " " + v.id + ": " + v.help + " (" + v.nodes.length + "): " + v.nodes[0].html.slice(0, 200) + " " + v.nodes[0].failureSummary)};
})()`
