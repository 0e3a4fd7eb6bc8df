//go:build browser

package reports

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/engine/escape"
)

// TestBrowserIndex sorts, filters and chooses in index.html.
func TestBrowserIndex(t *testing.T) {
	dir := straightRun(t)
	b := openPage(t, dir, "index.html")
	checkEqual(t, "sites", b.column(0), []string{"example.com\nworkbook", "example.org:8080\nworkbook", "example.net\nworkbook"})
	if got := b.column(3); !slices.Equal(got, []string{"20 %\nfor Googlebot", "20 %\nfor Googlebot", "–"}) { // no URL of example.net was tested
		t.Errorf("share: %q", got)
	}
	checkEqual(t, "blocked", b.column(4), []string{"140", "60", "–"})
	sortState := func(by string) string {
		return eval[string](b, `document.querySelector("#table th[data-sort=`+by+`]").getAttribute("aria-sort")`)
	}
	if got := eval[int](b, `document.querySelectorAll("#table th[aria-sort=none]").length`); got != eval[int](b, `document.querySelectorAll("#table th[data-sort]").length`) {
		t.Errorf("at first in the order of all summaries, but %d columns say they are not sorted", got)
	}
	for _, step := range []struct {
		by, aria string
		first    string
	}{
		{"name", "ascending", "example.com"}, {"name", "descending", "example.org:8080"},
		{"urls", "ascending", "example.com"}, {"urls", "descending", "example.net"}, // most first
		{"share", "ascending", "example.com"}, {"most", "ascending", "example.com"},
		{"state", "ascending", "example.com"},
	} {
		b.sort(step.by)
		if got := sortState(step.by); got != step.aria {
			t.Errorf("sorted by %s: aria-sort %q, want %q", step.by, got, step.aria)
		}
		if got := b.column(0); !strings.HasPrefix(got[0], step.first) {
			t.Errorf("sorted by %s, %s: %q", step.by, step.aria, got)
		}
	}
	b.filter("text", "ORG")
	if got := b.column(0); len(got) != 1 || !strings.HasPrefix(got[0], "example.org") {
		t.Errorf("filtered by text: %q", got)
	}
	checkEqual(t, "status", eval[string](b, `document.getElementById("status").textContent`), "1 site of 3 fits")
	b.drawn(`document.querySelector("#filters [type=reset]").click()`)
	if got := b.column(0); len(got) != 3 {
		t.Errorf("after Clear: %q", got)
	}
	b.drawn(`document.querySelector("[data-state=critical]").click()`)
	if got := b.column(0); len(got) != 0 || b.rowsShown() != "No rows" {
		t.Errorf("critical: %q, %q", got, b.rowsShown())
	}
	b.drawn(`document.querySelector("[data-state=warn]").click()`)
	if got := b.column(0); len(got) != 3 {
		t.Errorf("warnings: %q", got)
	}
	if !eval[bool](b, `document.querySelector("[data-state=warn]").getAttribute("aria-pressed") === "true"`) {
		t.Error("the chosen state does not say so")
	}
	b.filter("crawler", "1")
	if got := b.column(0); len(got) != 2 {
		t.Errorf("blocks URLs for the second crawler: %q", got)
	}
	b.Quiet()
}

// TestBrowserSite filters, sorts and turns the pages of a site's blocked URLs, and compares the
// counts with those of the records.
func TestBrowserSite(t *testing.T) {
	dir := writeRun(t, testOptions(t.TempDir()), siteRecords("example.com", 0, 5000)) // 1,000 blocked by line 2 for one crawler, 1,000 by line 7 for another
	b := openPage(t, dir, "pages", "example.com.html")
	checkEqual(t, "at first", b.rowsShown(), "Rows 1 to 100 of 2,000")
	for _, step := range []struct {
		name, value string
		rows        string
	}{
		{"crawler", "0", "Rows 1 to 100 of 1,000"},
		{"verdict", "undefined", "No rows"},
		{"crawler", "2", "Rows 1 to 100 of 1,000"},
		{"verdict", "disallow", "No rows"},
		{"crawler", "", "Rows 1 to 100 of 2,000"},
		{"rule", "0:7", "Rows 1 to 100 of 1,000"},
		{"dir", "/", "No rows"},
		{"dir", "/a/", "Rows 1 to 100 of 1,000"},
		{"text", "/A/49", "Rows 1 to 22 of 22"}, // 491, 496, 4901, …: 2 + 20
	} {
		b.filter(step.name, step.value)
		if got := b.rowsShown(); got != step.rows {
			t.Errorf("%s = %q: %q, want %q", step.name, step.value, got, step.rows)
		}
	}
	b.sort("url")
	if got := b.column(0); got[0] != "https://example.com/a/4901" || !slices.IsSorted(got) {
		t.Errorf("sorted: %q", got)
	}
	b.sort("url")
	if got := b.column(0); got[0] != "https://example.com/a/4996" {
		t.Errorf("sorted the other way: %q", got)
	}
	b.drawn(`document.querySelector("#filters [type=reset]").click()`)
	for _, step := range []struct{ button, place string }{
		{"last", "Rows 1,901 to 2,000 of 2,000"}, {"back", "Rows 1,801 to 1,900 of 2,000"}, {"on", "Rows 1,901 to 2,000 of 2,000"}, {"first", "Rows 1 to 100 of 2,000"},
	} {
		b.drawn(`document.querySelector("[data-go=` + step.button + `]").click()`)
		if got := b.rowsShown(); got != step.place {
			t.Errorf("%s: %q, want %q", step.button, got, step.place)
		}
	}
	// A line of robots.txt, a bar of the rules, and a bar of the directories filter the URLs.
	for _, step := range []struct{ button, filter, value string }{
		{`.heat [data-rule="0:2"]`, "rule", "0:2"}, {`.rules [data-rule="0:7"]`, "rule", "0:7"}, {`[data-dir="/a/"]`, "dir", "/a/"},
	} {
		b.drawn(`document.querySelector('` + step.button + `').click()`)
		if got := eval[string](b, `document.querySelector("#filters [name=`+step.filter+`]").value`); got != step.value || b.rowsShown() != "Rows 1 to 100 of 1,000" {
			t.Errorf("%s: filter %q, %q", step.button, got, b.rowsShown())
		}
	}
	row := eval[[]string](b, `Array.from(document.querySelector("#table tbody tr").cells, c => c.innerText.trim())`)
	slices.Sort(row)
	want := []string{"/a/", "2026-01-02T03:04:05+01:00", "blocked for Bingbot", "https://example.com/sitemap.xml", "line 7: disallow: /a/"}
	checkEqual(t, "a row", slices.DeleteFunc(row, func(s string) bool { return strings.HasPrefix(s, "https://example.com/a/") }), want)
	b.Quiet()
}

// TestBrowserTips: lines with the same details have one tip. It is at the line under the pointer or
// with the focus, and describes every line.
func TestBrowserTips(t *testing.T) {
	dir := t.TempDir()
	records := siteRecords("example.com", 0, 50)
	records[1].Robots.File.Body = []byte("User-agent: *\nDisallow: /a\n" + strings.Repeat("Sitemap: no URL\n", 40))
	writeRun(t, testOptions(dir), records)
	b := openPage(t, dir, "pages", "example.com.html")
	got := eval[string](b, `(() => {
		const body = [...document.querySelectorAll(".heat tbody")].find(b => b.rows.length > 5 && b.querySelector(".tip")), tip = body.querySelector(".tip");
		const shown = () => getComputedStyle(tip).display + " " + [...body.rows].indexOf(tip.closest("tr")) + (tip.className === "tip" ? "" : " up") + (tip.getBoundingClientRect().height > 10 ? " seen" : "");
		const lines = [...body.rows].map(r => r.cells[1].firstElementChild);
		const said = [document.querySelectorAll(".heat .tip").length < 10, lines.every(l => l.getAttribute("aria-describedby") === tip.id && l.tabIndex === 0), shown()];
		lines[3].focus();
		lines[3].dispatchEvent(new FocusEvent("focusin", {bubbles: true})); // the window may be none that has the focus
		said.push(shown());
		lines[4].dispatchEvent(new MouseEvent("mouseover", {bubbles: true}));
		said.push(shown());
		document.activeElement.blur();
		said.push(shown());
		said.push(body.rows.length + " rows", [...body.rows].every(r => r.cells.length === 5 && r.cells[1].firstElementChild.textContent === "Sitemap: no URL" && r.cells[2].textContent === "sitemap, does not count"));
		return said.join(", ");
	})()`)
	if want := "true, true, none 0, block 3 seen, block 4 seen, none 4, 35 rows, true"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b.Quiet()
}

// TestBrowserHostileDirectories selects directories whose names contain invisible characters, in
// addition to more directories than are counted separately.
func TestBrowserHostileDirectories(t *testing.T) {
	dir := hostileDirectories(t)
	b := openPage(t, dir, "pages", "example.com.html")
	eval[int](b, everything)
	b.Quiet()
}

// demoRun is the folder of the program's own demo: its pages are those of a real audit.
func demoRun(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "demo")
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "run", "../cmd/robots-audit", "demo", "-quiet", "-out", dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return dir
}

// everything sorts by every column both ways, selects every option of every filter, and clicks on
// everything that shows rows. It returns the number of steps.
const everything = `(async () => {
	const grid = document.getElementById("grid");
	if (!grid) return 0;
	let done = 0;
	const drawn = act => new Promise(resolve => {
		new MutationObserver((_, o) => { o.disconnect(); done++; resolve(); }).observe(grid, {attributes: true, attributeFilter: ["data-drawn"]});
		act();
	});
	const total = () => document.getElementById("place").textContent;
	for (const th of document.querySelectorAll("#table th[data-sort]"))
		for (const want of ["ascending", "descending"]) {
			await drawn(() => th.querySelector("button").click());
			if (th.getAttribute("aria-sort") !== want) throw new Error("sorted by " + th.dataset.sort + ": " + th.getAttribute("aria-sort"));
		}
	const all = total();
	for (const select of document.querySelectorAll("#filters select"))
		for (const option of select.options)
			await drawn(() => { select.value = option.value; select.dispatchEvent(new Event("input", {bubbles: true})); });
	await drawn(() => document.querySelector("#filters [type=reset]").click());
	if (total() !== all) throw new Error("after Clear: " + total() + ", not " + all);
	for (const b of document.querySelectorAll("[data-rule], [data-dir], [data-state]")) {
		await drawn(() => b.click());
		const rows = document.querySelectorAll("#table tbody tr:not(.block)").length;
		if (!b.dataset.state && rows === 0) throw new Error("no rows for " + b.textContent);
		if (b.dataset.state && rows !== +b.querySelector("b").textContent) throw new Error(rows + " rows for " + b.textContent);
	}
	return done;
})()`

// TestBrowserDemo follows every link of every page of the demo, and every
// fragment, and does everything that can be done there.
func TestBrowserDemo(t *testing.T) {
	dir := demoRun(t)
	b := openTab(t)
	seen, queue := map[string]bool{}, []string{filepath.Join(dir, "index.html")}
	pages, steps := 0, 0
	b.open(queue[0])
	var shares []string
	for i, state := range b.column(1) {
		share, _, _ := strings.Cut(b.column(4)[i], "\n")
		shares = append(shares, state+" "+share)
	}
	if !slices.Equal(shares, []string{"✕ Critical 15", "✕ Critical 12", "! Warning 7", "! Warning 45", "! Warning 14", "! Warning 1", "? Unknown –", "✓ OK 0"}) {
		t.Errorf("not the most severe first: %q", shares)
	}
	parts, ids := map[string][]string{}, map[string]bool{} // that links ask for, and that pages have
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		if seen[path] {
			continue
		}
		seen[path] = true
		if _, err := os.Stat(path); err != nil || !strings.HasPrefix(path, dir) {
			t.Errorf("a link leads to %s: %v", path, err)
			continue
		}
		if filepath.Ext(path) != ".html" {
			continue
		}
		pages++
		b.open(path)
		for _, link := range eval[[]string](b, `Array.from(document.querySelectorAll("a[href]"), a => a.href)`) {
			u, err := url.Parse(link)
			if err != nil || u.Scheme != "file" {
				t.Errorf("%s: link to %s, %v", path, link, err)
				continue
			}
			if part := filepath.FromSlash(u.Path) + "#" + u.Fragment; u.Fragment != "" {
				parts[part] = append(parts[part], path)
			}
			queue = append(queue, filepath.FromSlash(u.Path))
		}
		for _, id := range eval[[]string](b, `Array.from(document.querySelectorAll("[id]"), e => e.id)`) {
			ids[path+"#"+id] = true
		}
		steps += eval[int](b, everything)
		b.Quiet()
	}
	for part, from := range parts {
		if !ids[part] {
			t.Errorf("%s: no %s", from[0], part)
		}
	}
	if pages != 9 || steps < 200 || !seen[filepath.Join(dir, "www.bookshop.example.xlsx")] || !seen[filepath.Join(dir, "evidence", "moved.example", "robots.txt")] {
		t.Errorf("%d pages, %d steps, %d files", pages, steps, len(seen))
	}
	t.Logf("%d pages, %d steps, %d files", pages, steps, len(seen))
}

// TestBrowserLargePage opens a page of 100,000 blocked URLs and works with it.
func TestBrowserLargePage(t *testing.T) {
	dir := writeRun(t, testOptions(t.TempDir()), largeSite(100_000))
	b := openTab(t)
	for _, step := range []struct {
		name  string
		do    func()
		place string // text about the rows then; "" = not checked
	}{
		{"opened and drawn", func() { b.open(dir, "pages", "example.com.html") }, "Rows 1 to 100 of 100,000"},
		{"last page, one file read", func() { b.drawn(`document.querySelector("[data-go=last]").click()`) }, "Rows 99,901 to 100,000 of 100,000"},
		{"all files read, filtered by text", func() { b.filter("text", "category-7/") }, "Rows 1 to 100 of 5,882"},
		{"filtered again", func() { b.filter("text", "ITEM-79190.") }, "Rows 1 to 1 of 1"},
		{"filter cleared", func() { b.filter("text", "") }, "Rows 1 to 100 of 100,000"},
		{"sorted by URL", func() { b.sort("url") }, "Rows 1 to 100 of 100,000"},
		{"filtered by line", func() { b.filter("rule", "0:2") }, "Rows 1 to 100 of 33,334"},
	} {
		b.busy(step.name, step.do)
		if got := b.rowsShown(); got != step.place {
			t.Fatalf("%s: %q, want %q", step.name, got, step.place)
		}
		switch got := b.column(0); step.name {
		case "last page, one file read":
			if got[99] != fmt.Sprintf("https://example.com/products/category-%d/item-%d.html?session=%x", 99999%17, 99999*7919, int64(99999*104729)) {
				t.Errorf("the last row: %q", got[99])
			}
		case "sorted by URL":
			if !slices.IsSorted(got) {
				t.Errorf("sorted: %q", got)
			}
		}
	}
	b.Quiet()
}

// TestBrowserHostilePage fills every place of a page with hostile texts.
func TestBrowserHostilePage(t *testing.T) {
	dir := writeRun(t, testOptions(t.TempDir()), hostileRecords())
	b := openTab(t)
	for _, page := range []string{"index.html", "pages/example.com.html"} {
		b.open(dir, page)
		if eval[bool](b, `"harmed" in window`) {
			t.Errorf("%s: a text was run", page)
		}
	}
	got := b.column(0)
	for i, h := range hostileTexts {
		if i < len(got) && got[i] != "https://example.com/"+strings.ReplaceAll(escape.Show(h), "\\x", "\\x")+"/x" {
			t.Errorf("URL %d is shown as %q, want %q", i, got[i], escape.Show(h))
		}
	}
	b.Quiet()

	// The purpose of the policy: even markup in the page would not run.
	eval[bool](b, `(() => {
		const s = document.createElement("script"); s.textContent = "window.harmed=1"; document.body.append(s);
		const d = document.createElement("div"); d.innerHTML = "<img src=x onerror='window.harmed=1'>"; document.body.append(d);
		return true; })()`)
	if refused := eval[bool](b, `fetch("http://127.0.0.1:9/").then(() => false, () => true)`); !refused || eval[bool](b, `"harmed" in window`) {
		t.Error("the page's policy lets scripts run, or lets the page ask the network")
	}
	if troubles := b.Troubles(); len(troubles) < 3 {
		t.Errorf("the browser has not refused all three: %q", troubles)
	}
}
