package reports

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// readPage reads the rows of a site's page, as its script does: those in the page, then those in
// its other files.
func readPage(t *testing.T, dir, base string) (page string, urls []string, readings []string) {
	t.Helper()
	text := readBytes(t, dir, "pages", base+".html")
	page = string(text)
	_, rest, ok := strings.Cut(page, `<script type="application/json" id="rows">`)
	if !ok {
		t.Fatal("no rows in the page")
	}
	part, _, _ := strings.Cut(rest, "</script>")
	files, err := filepath.Glob(filepath.Join(dir, "pages", base+".rows", "*.js"))
	noError(t, err)
	parts := []string{part}
	for n := range files {
		text := readText(t, dir, "pages", base+".rows", strconv.Itoa(n+1)+".js")
		call := strings.TrimPrefix(text, "robotsAuditRows("+strconv.Itoa(n+1)+",")
		parts = append(parts, strings.TrimSuffix(call, ");\n"))
	}
	for _, part := range parts {
		var p struct {
			Rows     []any
			Readings []any
		}
		if err := json.Unmarshal([]byte(part), &p); err != nil {
			t.Fatalf("%v: %.300s", err, part)
		}
		before := ""
		for i := 0; i < len(p.Rows); i += 6 {
			before = before[:int(p.Rows[i].(float64))] + p.Rows[i+1].(string)
			urls = append(urls, before)
			reading, err := json.Marshal(p.Readings[int(p.Rows[i+2].(float64))])
			noError(t, err)
			readings = append(readings, string(reading))
		}
	}
	return page, urls, readings
}

// manyRecords are the records of a site whose rows fill its page and two files.
func manyRecords() (records []audit.Record, blocked []string) {
	records = siteRecords("example.com", 0, 40000)
	for _, rec := range records {
		if rec.URLs == nil {
			continue
		}
		for i := range rec.URLs.List {
			u := &rec.URLs.List[i]
			if i%10 == 0 {
				u.Loc += "/" + hostileTexts[i/10%len(hostileTexts)] + "ü\u202e"
			}
			if slices.ContainsFunc(u.Verdicts, func(v engine.Verdict) bool { return v != engine.Allow }) {
				blocked = append(blocked, u.Loc)
			}
		}
	}
	return records, blocked
}

var notUTF8 = strings.NewReplacer("\xff", `\xFF`, "\xfe", `\xFE`)

func TestPageRows(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	records, blocked := manyRecords()
	writeRun(t, testOptions(dir), records)
	page, urls, readings := readPage(t, dir, "example.com")
	if len(urls) != len(blocked) || len(urls) != 16000 {
		t.Fatalf("%d rows, want %d", len(urls), len(blocked))
	}
	for i := range urls {
		if want := notUTF8.Replace(blocked[i]); urls[i] != want {
			t.Fatalf("row %d: %q, want %q", i, urls[i], want)
		}
		want := `[0,["disallow",7,"disallow: /a/",[1]]]`
		if strings.Contains(urls[i], "/search") {
			want = `[0,["disallow",2,"disallow: /search",[0]],["undefined",2,"disallow: /search",[2]]]`
		}
		if readings[i] != want {
			t.Fatalf("row %d: %s, want %s", i, readings[i], want)
		}
	}
	if policy := policyOf(t, page); !strings.Contains(policy, "script-src 'sha256-") || !strings.HasSuffix(policy, " 'self' file:") {
		t.Errorf("the policy does not let the files beside the page be read: %s", policy)
	}
	// The same records give the same bytes; no file of an earlier page with more rows remains.
	want := folder(t, dir)
	gone(t, dir, "pages/example.com.rows/1.js")
	put(t, dir, "pages/example.com.rows/3.js", "robotsAuditRows(3,{})")
	mustRebuild(t, dir)
	sameFolder(t, want, folder(t, dir), journalName)
}

// policyOf is the Content-Security-Policy of a page.
func policyOf(t *testing.T, page string) string {
	t.Helper()
	found := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)
	if found == nil {
		t.Fatal("no policy")
	}
	return html.UnescapeString(found[1])
}

// TestPagePolicy: a page may load the style and the script of its own folder only. A single file
// neither links to others nor may load one.
func TestPagePolicy(t *testing.T) {
	t.Parallel()
	alone := singleFileRun(t)
	for _, of := range []struct {
		dir, file string
		shared    bool
	}{{straightRun(t), "pages/example.org_8080.html", true}, {straightRun(t), "index.html", false}, {alone, "pages/example.com.html", false}, {alone, "index.html", false}} {
		page := readText(t, of.dir, of.file)
		policy := policyOf(t, page)
		if !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "'self'") != of.shared {
			t.Error(of.file, policy)
		}
		styles := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindAllStringSubmatch(page, -1)
		scripts := regexp.MustCompile(`(?s)<script>(.*?)</script>`).FindAllStringSubmatch(page, -1)
		if want := map[bool]int{false: 1, true: 0}[of.shared]; len(styles) != 1 || len(scripts) != want {
			t.Errorf("%s: %d elements style, %d elements script within it", of.file, len(styles), len(scripts))
		}
		for _, found := range append(styles, scripts...) {
			hash := "'" + cspHash(found[1]) + "'"
			if !strings.Contains(policy, hash) {
				t.Errorf("%s: the policy does not know the hash of %.80s", of.file, found[1])
			}
			if of.dir == alone && !strings.Contains(policyOf(t, readText(t, alone, "index.html")), hash) {
				t.Errorf("%s: the policy of the page that holds it in a frame forbids %.80s", of.file, found[1])
			}
		}
		if regexp.MustCompile(`(?i)(src|href)="?(https?:)?//`).MatchString(page) {
			t.Errorf("%s asks the network for something", of.file)
		}
		referred := regexp.MustCompile(`<link rel="stylesheet" href="([^"]*)">|<script src="([^"]*)">`).FindAllStringSubmatch(page, -1)
		if want := map[bool]int{false: 0, true: 2}[of.shared]; len(referred) != want {
			t.Errorf("%s refers to %q", of.file, referred)
		}
		for _, name := range referred {
			text := readText(t, of.dir, "pages", name[1]+name[2])
			if sum := sha256.Sum256([]byte(text)); !strings.Contains(name[0], hex.EncodeToString(sum[:6])) {
				t.Errorf("%s: %s is not what its name says", of.file, name)
			}
		}
	}
}

// singleFileRun is the folder of a run of three sites in a single file.
func singleFileRun(t *testing.T) string {
	t.Helper()
	o := testOptions(t.TempDir())
	o.SingleFile = true
	writeRun(t, o, threeSites())
	return o.Dir
}

// TestAssets: a shared file of pages is made again if it is missing or damaged. Files of another
// version of the program stay, whose pages may still exist.
func TestAssets(t *testing.T) {
	t.Parallel()
	o := testOptions(t.TempDir())
	dir := writeRun(t, o, siteRecords("example.com", 0, 10))
	want := folder(t, dir)
	for _, again := range []func(){
		func() {
			o.Resume = true
			closeRun(t, openRun(t, o))
		},
		func() {
			mustRebuild(t, dir)
		},
		func() {
			if _, err := (Options{Dir: dir}).Demand([]string{"example.com"}, ""); err != nil {
				t.Fatal(err)
			}
		},
	} {
		for name := range want {
			if !IsAsset(name) {
				continue
			}
			spoil := os.Remove
			if strings.HasSuffix(name, ".css") {
				spoil = func(name string) error { return os.WriteFile(name, []byte("p{}"), 0o644) }
			}
			noError(t, spoil(filepath.Join(dir, name)))
		}
		earlier := filepath.Join(dir, "pages", "page-0123456789ab.css")
		noError(t, os.WriteFile(earlier, []byte("body{}"), 0o644))
		again()
		if err := os.Remove(earlier); err != nil {
			t.Error(err)
		}
		sameFolder(t, maps.Clone(want), folder(t, dir), journalName, "summary.json", "run.json")
	}
}

// TestPageBound writes more blocked URLs than fit on a page: the rest is counted.
func TestPageBound(t *testing.T) {
	t.Parallel()
	if raced {
		t.Skip("there is one goroutine, and 200,000 rows")
	}
	dir := writeRun(t, testOptions(t.TempDir()), largeSite(pageRows+300))
	page, urls, _ := readPage(t, dir, "example.com")
	for i, got := range urls {
		if want := blockedURL(i); got != want {
			t.Fatalf("row %d: %q, want %q", i, got, want)
		}
	}
	if len(urls) != pageRows || !strings.Contains(page, "The first 200,000 are here; 300 more are in the") {
		t.Errorf("%d rows", len(urls))
	}
	files, err := filepath.Glob(filepath.Join(dir, "pages", "example.com.rows", "*.js"))
	if err != nil || len(files) != 20 {
		t.Errorf("%d files, %v", len(files), err)
	}
}

// The lists of a page are bounded, and say how much only the workbook has.
func TestPageLists(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	records := siteRecords("example.com", 0, 10)
	done := records[len(records)-1]
	records = records[:len(records)-1]
	for i := range 400 {
		records = append(records,
			audit.Record{Domain: "example.com", Problem: &audit.Problem{Stage: "sitemap", Code: "timeout", URL: fmt.Sprintf("https://example.com/%d.xml", i)}},
			audit.Record{Domain: "example.com", Sitemap: &audit.Sitemap{SitemapFile: crawl.SitemapFile{Index: i + 2, Parent: 0}}})
	}
	records[1].Robots.File.Body = []byte("User-agent: *\n" + strings.Repeat("Disallow: /x\n", 5000))
	writeRun(t, testOptions(dir), append(records, done))
	page, _, _ := readPage(t, dir, "example.com")
	checkHas(t, page, "And 201 more; see the sheet Errors.", "And 102 more; see the sheet Sitemaps.", "And 2,001 more lines; the sheet Rules of the workbook")
	if len(page) > 3<<20 {
		t.Errorf("a page of %d bytes", len(page))
	}
}

// TestPurposes compares the policy on the pages of small files with the content of the files.
func TestPurposes(t *testing.T) {
	t.Parallel()
	listed := map[string]int{} // crawlers by purpose
	for _, c := range audit.PolicyCrawlers() {
		listed[c.Purpose]++
	}
	for _, c := range []struct {
		body, purpose, want string // want has a verb for the crawlers except those that differ
		differ              int
	}{
		{"User-agent: *\nDisallow:", "AI training", "%d all", 0},
		{"User-agent: *\nDisallow: /", "AI training", "%d none", 0},
		{"User-agent: GPTBot\nUser-agent: ClaudeBot\nDisallow: /\n\nUser-agent: *\nDisallow: /a", "AI training", "%d part, 2 none", 2},
		{"User-agent: Google-Extended\nDisallow: /", "control token", "%d all, 1 none", 1},
		{"User-agent: *\nDisallow: /", "user fetch", "2 all, %d none", 2}, // two do not obey *
	} {
		dir := t.TempDir()
		records := siteRecords("example.com", 0, 20)
		records[1].Robots.File.Body = []byte(c.body)
		writeRun(t, testOptions(dir), records)
		page, _, _ := readPage(t, dir, "example.com")
		if want := c.purpose + `<span class="sub">` + fmt.Sprintf(c.want, listed[c.purpose]-c.differ) + `</span>`; !strings.Contains(page, want) {
			t.Errorf("%q: the page does not say %q", c.body, want)
		}
	}
}

// The icon is a URL as in RFC 3986, of a well-formed picture, and the policy names the content of
// all script elements.
func TestPageHead(t *testing.T) {
	t.Parallel()
	dir := straightRun(t)
	page, _, _ := readPage(t, dir, "example.org_8080")
	icon := html.UnescapeString(regexp.MustCompile(`<link rel="icon" href="([^"]*)"`).FindStringSubmatch(readText(t, dir, "index.html"))[1])
	if !regexp.MustCompile(`^data:image/svg\+xml,([A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})+$`).MatchString(icon) {
		t.Errorf("no URL: %s", icon)
	}
	picture, err := url.PathUnescape(strings.TrimPrefix(icon, "data:image/svg+xml,"))
	noError(t, err)
	var svg struct {
		XMLName xml.Name `xml:"http://www.w3.org/2000/svg svg"`
		Rect    []string `xml:"rect"`
	}
	if err := xml.Unmarshal([]byte(picture), &svg); err != nil || len(svg.Rect) != 1 {
		t.Errorf("no picture: %v, %s", err, picture)
	}
	policy := policyOf(t, page)
	scripts := regexp.MustCompile(`(?s)<script[^>]*>(.*?)</script>`).FindAllStringSubmatch(page, -1)
	for _, script := range scripts {
		if script[1] != "" && !strings.Contains(policy, "'"+cspHash(script[1])+"'") {
			t.Errorf("the policy does not name %.80s", script[1])
		}
	}
	shared := regexp.MustCompile(`<script src="([^"]*)">`).FindStringSubmatch(page)[1]
	if !strings.Contains(readText(t, dir, "pages", shared), `icon.href = "`+icon+`"`) {
		t.Error("the script that pages share does not add the same icon to them")
	}
	if len(scripts) != 3 {
		t.Errorf("%d script elements, want 3", len(scripts))
	}
}

// Bounds of pages, as packages page and site have them.
const (
	inlineRows       = 200     // rows of URLs within a site's page
	inlineSites      = 5_000   // rows of sites within index.html
	pageRows         = 200_000 // rows of a page in all
	maxDirectories   = 256     // top directories that are counted separately
	longestDirectory = 200     // bytes of the name of one
)

// cspHash is a text's hash as a Content-Security-Policy names it.
func cspHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// TestRuleShares: the share of a rule is of all URLs found. Lines of several groups decide the
// same URLs, so their shares do not add up.
func TestRuleShares(t *testing.T) {
	t.Parallel()
	robots := "User-agent: Googlebot\nDisallow: /search\n\nUser-agent: Bingbot\nDisallow: /search\n"
	_, page := writtenWithPage(t, Options{}, judged(t, "Googlebot,Bingbot", engine.File{Status: 200, Body: []byte(robots)}, "/search/", "/a", "/b", "/c"))
	_, rest, _ := strings.Cut(page, "<th>Share of URLs")
	table, _, _ := strings.Cut(rest, "</table>")
	if n := strings.Count(table, "<td>25 %"); n != 2 {
		t.Errorf("%d of 2 rules with 25 %%: %s", n, table)
	}
}

// TestCrawlersOfFindings: texts name crawlers, since people do not know the profiles.
func TestCrawlersOfFindings(t *testing.T) {
	t.Parallel()
	page := readText(t, auditHollow(t, "Googlebot,Bingbot,GPTBot", []string{"page.test"}, nil), "pages", "page.test.html")
	_, rest, _ := strings.Cut(page, "Findings, most severe first")
	table, _, _ := strings.Cut(rest, "</table>")
	checkHas(t, table, "<th>Crawlers", "<td>Googlebot, Bingbot and GPTBot")
	if found := regexp.MustCompile(`profile|\b(google|bing|rfc9309)\b`).FindString(table); found != "" {
		t.Errorf("%q in %s", found, table)
	}
}

// TestForecastTable: the effect of an answer over time is a table, not a sentence.
func TestForecastTable(t *testing.T) {
	t.Parallel()
	_, page := writtenWithPage(t, Options{}, judged(t, "Googlebot", engine.File{Status: 503}, "/"))
	checkHas(t, page, "<th>When<th>If<th>Then", "<tr><td>Now<td><td>everything is blocked", "<tr><td>After 12 hours<td>a good copy was kept<td>the rules of the last copy apply")
}
