//go:build suites

package crawl

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"robots-audit/crawl/internal/sitemap"
	"robots-audit/engine"
)

// suiteCase is an input of another project's test and its expected result.
// .ci/suites writes them.
type suiteCase struct {
	Suite, Name string
	URL, Type   string
	Robots      bool     // it is a robots.txt, and its Sitemap lines are the result
	Body        []byte   // base64 in the file
	Want        []string // pages or child sitemaps in the test, in any order
	Count       int      // of all URLs, duplicates included; -1 = some
}

// TestSuites reads the cases of other projects' tests. They are not part of this
// project: .ci/suites makes the files, one for each case, from the repositories
// that are listed at its top.
//
//	.ci/suites CHECKOUTS CASES
//	ROBOTS_AUDIT_SUITES=$PWD/CASES go test -tags suites -run TestSuites -v ./crawl
//
// Every case is read as its test expects, or is in suiteReasons.
func TestSuites(t *testing.T) {
	dir := os.Getenv("ROBOTS_AUDIT_SUITES")
	if dir == "" {
		t.Fatal("ROBOTS_AUDIT_SUITES names no folder")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s (%v)", dir, err)
	}
	type figures struct{ cases, equal, reasoned int }
	all := map[string]*figures{}
	unused := maps.Clone(suiteReasons)
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var c suiteCase
		if err := json.Unmarshal(b, &c); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		f := all[c.Suite]
		if f == nil {
			f = &figures{}
			all[c.Suite] = f
		}
		f.cases++
		got, codes := c.read()
		reason, differs := suiteReasons[c.Suite+" "+c.Name]
		delete(unused, c.Suite+" "+c.Name)
		switch equal := c.equal(got); {
		case equal && !differs:
			f.equal++
		case equal:
			t.Errorf("%s %s: a reason is given, but there is no difference", c.Suite, c.Name)
		case differs && reason.told != "" && !slices.Contains(codes, reason.told):
			t.Errorf("%s %s: %s is not told, only %q", c.Suite, c.Name, reason.told, codes)
		case differs:
			f.reasoned++
			t.Logf("%s %s: %s", c.Suite, c.Name, reason.why)
		default:
			t.Errorf("%s %s:\n got %q\nwant %d %q\nof %s, %.3000q", c.Suite, c.Name, got, c.Count, c.Want, c.URL, c.Body)
		}
	}
	for name := range unused {
		t.Errorf("%s: a reason is given, but there is no such case", name)
	}
	for suite, f := range all {
		t.Logf("%s: %d cases, %d equal, %d different with a reason", suite, f.cases, f.equal, f.reasoned)
	}
}

// read returns the URLs that we find, and the codes about the file. As
// elsewhere, relative URLs are resolved, and invalid ones are omitted.
func (c *suiteCase) read() (urls, codes []string) {
	if c.Robots {
		for _, line := range engine.Profiles()[0].Parse(c.Body).Sitemaps() {
			urls = append(urls, line.Value)
		}
		return urls, nil
	}
	body := sitemap.NewContent(bytes.NewReader(c.Body), c.URL, c.Type, 1<<30)
	s := sitemap.NewScanner(body)
	base, own := queue{base: c.URL}, locationOf(c.URL, c.URL)
	for s.Next() {
		loc, written := own.resolve(&s.URL)
		own.noteURL(&s.URL, loc, written, &s.Notes)
		switch {
		case s.URL.Kind == sitemap.Child:
			urls = append(urls, base.resolve(s.URL.Loc))
		case s.URL.Kind == sitemap.Page && sitemap.IsWeb(s.URL.Loc):
			urls = append(urls, string(s.URL.Loc)) // as written, like in the tests
		case s.URL.Kind == sitemap.Page && sitemap.IsWeb(loc):
			urls = append(urls, string(loc))
		}
	}
	s.Finish()
	body.Free()
	file := SitemapFile{Format: s.Format, URLs: int64(len(urls)), Notes: slices.Concat(body.Notes, s.Notes)}
	if why := file.judge(body, s); why != nil {
		codes = append(codes, why.Code)
	}
	s.Free()
	return urls, append(codes, strings.Fields(noteCodes(file.Notes))...)
}

// equal reports whether these are the URLs that the test expects.
func (c *suiteCase) equal(got []string) bool {
	if c.Count < 0 && len(got) == 0 || c.Count >= 0 && len(got) != c.Count {
		return false
	}
	rest := slices.Clone(got)
	for _, want := range c.Want {
		i := slices.Index(rest, want)
		if i < 0 {
			return false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return true
}

// suiteReasons are the cases that we read differently: the code that reports the
// problem, "" if the file is correct, and the reason.
var suiteReasons = map[string]struct{ told, why string }{
	// Files that are not well-formed XML, or barely so.
	"crawler-commons testSitemapXXE 1":                                   {NoteDeclaredEntity, refusesDTD},
	"ultimate-sitemap-parser test_security test_billion_laughs_attack 1": {"", refusesDTD},
	"scrapy test_utils_sitemap test_xml_entity_expansion 1": {NoteDeclaredEntity, "an entity that is not read has to be reported (XML 1.0, 4.4.3); " +
		"to drop it from the loc makes a URL that nobody wrote"},
	"crawler-commons testSitemapParserBrokenXml 1":                                             {NoteNotWellFormed, "one </url> too many is no reason to lose the URLs before it"},
	"ultimate-sitemap-parser test_xml test_sitemap_tree_for_homepage_prematurely_ending_xml 2": {CodeSitemapBroken, "the file ends after the last loc, which is whole"},

	// Options that refuse files against the protocol.
	"crawler-commons testSitemapWithWrongNamespace 1":                                        {"", "with setStrictNamespace; without it, the test's second half, theirs reads the two URLs"},
	"crawler-commons testLenientParser 1":                                                    {NoteOutside, crossSubmit},
	"go-sitemap-parser TestS_Parse_StrictMode/strict_rejects_cross-host_loc 1":               {NoteOtherHost, crossSubmit},
	"go-sitemap-parser TestS_Parse_StrictMode/strict_rejects_relative_loc_in_sitemapindex 1": {NoteRelativeLoc, strictRelative},
	"go-sitemap-parser TestS_Parse_StrictMode/strict_rejects_relative_loc_in_urlset 1":       {NoteRelativeLoc, strictRelative},
	"go-sitemap-parser TestS_Parse/RSS_2.0_with_relative_URL_in_strict_mode 1":               {NoteRelativeLoc, strictRelative},
	"go-sitemap-parser TestTypedErrors_ValidationError 1":                                    {NoteRelativeLoc, strictRelative},
	"go-sitemap-parser TestS_Parse_StrictMode/strict_rejects_priority_below_0.0 1":           {"", wrongPriority},
	"go-sitemap-parser TestS_Parse_StrictMode/strict_rejects_priority_above_1.0 1":           {"", wrongPriority},

	// Not an absolute URL.
	"scrapy test_utils_sitemap test_sitemap_urls_from_robots 1":         {"", completeURL},
	"scrapy test_spider_sitemap test_get_sitemap_urls_from_robotstxt 1": {"", completeURL},
	"scrapy test_spider_sitemap test_get_sitemap_urls_from_robotstxt_skips_invalid_utf8_urls 1": {"",
		"the sitemap may be there: the byte is asked for as %FF (RFC 3986, 2.1)"},

	// Feeds.
	"crawler-commons testAtomFormat 1":                                                {"", twoAlternates},
	"ultimate-sitemap-parser test_rss_atom test_sitemap_tree_for_homepage_rss_atom 4": {"", twoAlternates},
	"crawler-commons testRSSFormat 1":                                                 {NoteMissingLoc, `a guid with isPermaLink="false" "may not be assumed to be a url" (RSS 2.0)`},
}

// Reasons for more than one case.
const (
	refusesDTD = "theirs refuses the file for its document type; XML 1.0 allows one, sitemaps.org does not forbid it, and as entities " +
		"are neither expanded nor fetched, the URLs without any are read safely"
	crossSubmit = "with an option, or by default; but a robots.txt may submit a sitemap for any place of its host " +
		"(sitemaps.org, Sitemaps & Cross Submits), which the file alone does not show"
	strictRelative = "with SetStrict; without it theirs resolves the URL as we do"
	wrongPriority  = "with SetStrict; the priority is optional and a hint (sitemaps.org): a wrong one says nothing against the page"
	completeURL    = `a Sitemap line "should be the complete URL" (sitemaps.org), so a relative one is told, not read; ` +
		"HTTP: in capitals is the same URL (RFC 3986, 6.2.2.1), as written"
	twoAlternates = "a link without rel is an alternate (RFC 4287, 4.2.7.2), and an entry may have several, of other types (4.1.2): " +
		"theirs takes one of them, we take all"
)
