package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
	"robots-audit/reports"
)

// fixtureFile is a file of a site: the words before its text, and the text.
type fixtureFile struct {
	site, path string // site: fault, good or both
	words      []string
	kind, text string
}

// fixturePair is a fault and its good sibling.
type fixturePair struct {
	name  string
	files []fixtureFile
	hosts map[string]string // prefixes of hosts, by site
	flags []string
	gives [4]string // notes, findings, To do, exit code
}

// fixtureWraps are the words before the kind of a file.
var fixtureWraps = []string{"gzip", "utf-16", "latin-1", "garbage", "cut"}

// TestSitemapFixtures audits each fault of testdata/sitemaps.txt and its good sibling.
func TestSitemapFixtures(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/sitemaps.txt")
	if err != nil {
		t.Fatal(err)
	}
	sites, audited := map[string]*fixtureSite{}, map[[2]string]*fixtureSite{} // by host; by name of the pair and kind
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for host := r.Host; host != ""; _, host, _ = strings.Cut(host, ".") { // also the hosts below a site's
			if site := sites[host]; site != nil {
				site.serve(w, r)
				return
			}
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(server.Close)
	pairs := parseFixtures(t, string(text))
	if len(pairs) < 60 {
		t.Errorf("%d pairs", len(pairs))
	}
	for i := range pairs {
		for _, kind := range []string{"fault", "good"} {
			site := &fixtureSite{pair: &pairs[i], kind: kind, host: fmt.Sprintf("%s%s-%d.org", pairs[i].hosts[kind], kind, i+1)}
			sites[site.host], audited[[2]string{pairs[i].name, kind}] = site, site
		}
	}
	for i := range pairs {
		p := &pairs[i]
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			good := audited[[2]string{p.name, "good"}].audit(t, server.Listener.Addr().String())
			good[0] = "-" // only what people are told of counts
			fault := audited[[2]string{p.name, "fault"}].audit(t, server.Listener.Addr().String())
			if silent := [4]string{"-", "-", "-", "0"}; good != silent || fault != p.gives {
				t.Errorf("\nfault: %s\nwant   %s\ngood:  %s", strings.Join(fault[:], " | "), strings.Join(p.gives[:], " | "), strings.Join(good[:], " | "))
			}
		})
	}
}

// parseFixtures reads the pairs of a file.
func parseFixtures(t *testing.T, text string) (pairs []fixturePair) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		key, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		rest = strings.TrimLeft(rest, " ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			continue
		case !strings.HasPrefix(line, " "):
			pairs = append(pairs, fixturePair{name: line})
			continue
		}
		p := &pairs[len(pairs)-1]
		switch key {
		case "gives":
			columns := strings.Split(rest, " | ")
			if copy(p.gives[:], columns) != len(p.gives) || len(columns) != len(p.gives) {
				t.Fatalf("%s: %s", p.name, line)
			}
		case "host":
			site, prefix, _ := strings.Cut(rest, " ")
			p.hosts = map[string]string{site: prefix}
		case "with":
			p.flags = strings.Fields(rest)
		case "fault", "good", "both":
			f := fixtureFile{site: key, path: "/sitemap.xml"}
			if strings.HasPrefix(rest, "/") {
				f.path, rest, _ = strings.Cut(rest, " ")
			}
			for {
				word, after, _ := strings.Cut(rest, " ")
				if word == "header" {
					word, after, _ = strings.Cut(after, " ")
				} else if !slices.Contains(fixtureWraps, word) {
					f.kind, f.text = word, after
					break
				}
				f.words, rest = append(f.words, word), after
			}
			p.files = append(p.files, f)
		default:
			t.Fatalf("%s: %s", p.name, line)
		}
	}
	return pairs
}

// fixtureSite is one site of a pair.
type fixtureSite struct {
	pair       *fixturePair
	kind, host string
}

// sitemap is the path of the first file of the site.
func (s *fixtureSite) sitemap() string {
	for _, f := range s.pair.files {
		if f.site == s.kind && f.path != "/robots.txt" && f.kind != "page" || f.site == s.kind && f.path == "/sitemap.xml" {
			return f.path
		}
	}
	return ""
}

func (s *fixtureSite) serve(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	if below, ok := strings.CutSuffix(r.Host, s.host); ok && below != "" {
		path = "//" + below + "{host}" + path
	}
	for _, f := range s.pair.files {
		if f.path != path || f.site != s.kind && f.site != "both" {
			continue
		}
		switch f.kind {
		case "to":
			http.Redirect(w, r, f.text, http.StatusMovedPermanently)
		case "status":
			code, _ := strconv.Atoi(f.text)
			w.WriteHeader(code)
		default:
			body, header := s.body(f)
			for key, value := range header {
				w.Header().Set(key, value)
			}
			w.Write(body)
		}
		return
	}
	if path == "/robots.txt" {
		fmt.Fprintf(w, "User-agent: *\nDisallow:\nSitemap: http://%s%s\n", s.host, s.sitemap())
		return
	}
	http.NotFound(w, r)
}

const fixtureNamespace = `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`

// fixtureRoot begins a urlset with all namespaces that Google reads.
const fixtureRoot = `<?xml version="1.0" encoding="UTF-8"?>
<urlset ` + fixtureNamespace + ` xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:video="http://www.google.com/schemas/sitemap-video/1.1" xmlns:xhtml="http://www.w3.org/1999/xhtml">
`

// body makes the content of a file, and the header of its answer.
func (s *fixtureSite) body(f fixtureFile) (body []byte, header map[string]string) {
	header = map[string]string{"Content-Type": "text/xml"}
	text := s.expand(f.text)
	switch f.kind {
	case "entry":
		text = fixtureRoot + "<url><loc>http://" + s.host + "/a</loc>" + text + "</url>\n</urlset>"
	case "loc":
		text = fixtureRoot + "<url><loc>" + text + "</loc></url>\n</urlset>"
	case "urlset":
		text = fixtureRoot + text + "</urlset>"
	case "index":
		list := "<sitemapindex " + fixtureNamespace + ">\n"
		for _, loc := range strings.Fields(text) {
			if strings.HasPrefix(loc, "/") {
				loc = "http://" + s.host + loc
			}
			list += "<sitemap><loc>" + loc + "</loc></sitemap>\n"
		}
		text = list + "</sitemapindex>"
	case "page":
		header["Content-Type"] = "text/html; charset=utf-8"
		text = "<!doctype html><html><head>" + text + "</head><body>A page.</body></html>"
	case "text":
		header["Content-Type"] = "text/plain"
	}
	if before, size, ok := strings.Cut(text, "{bytes "); ok {
		number, after, _ := strings.Cut(size, "}")
		n, _ := strconv.Atoi(number)
		text = before + strings.Repeat(" ", n-len(before)-len(after)) + after
	}
	body = []byte(text)
	for _, word := range slices.Backward(f.words) {
		switch word {
		case "gzip":
			var packed bytes.Buffer
			z, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
			z.Write(body)
			z.Close()
			body = packed.Bytes()
		case "garbage":
			body = append(body, "garbage"...)
		case "cut":
			body = body[:len(body)/2]
		case "latin-1":
			body, _ = charmap.ISO8859_1.NewEncoder().Bytes(body)
		case "utf-16":
			body, _ = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().Bytes(body)
		default:
			key, value, _ := strings.Cut(s.expand(word), "=")
			header[key] = value
		}
	}
	return body, header
}

var fixtureMacro = regexp.MustCompile(`\{(host|ns|day|time|chars|urls|sitemaps|images|page)( [^{}]*)?\}`)

// expand fills in what a text has in braces, the innermost first.
func (s *fixtureSite) expand(text string) string {
	if plain, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`); err == nil {
		text = plain
	}
	for fixtureMacro.MatchString(text) {
		text = fixtureMacro.ReplaceAllStringFunc(text, func(found string) string {
			word, rest, _ := strings.Cut(strings.Trim(found, "{}"), " ")
			first, rest, _ := strings.Cut(rest, " ")
			number, _ := strconv.ParseFloat(first, 64)
			at := time.Now().UTC().Add(time.Duration(number * 24 * float64(time.Hour)))
			switch n := int(number); word {
			case "host":
				return s.host
			case "ns":
				return fixtureNamespace
			case "day":
				return at.Format(time.DateOnly)
			case "time":
				return at.Format(time.RFC3339)
			case "chars":
				url := "http://" + s.host + "/"
				return url + strings.Repeat("x", n-len(url))
			case "urls":
				prefix, more, _ := strings.Cut(rest, " ")
				return repeated(n, "<url><loc>http://"+s.host+prefix+"%d</loc>"+strings.ReplaceAll(more, "%", "%%")+"</url>\n")
			case "sitemaps":
				return strings.Repeat("<sitemap><loc>http://"+s.host+"/b.xml</loc></sitemap>\n", n)
			case "images":
				return repeated(n, "<image:image><image:loc>http://"+s.host+"/%d.png</image:loc></image:image>\n")
			}
			page := "<url><loc>http://" + s.host + first + "</loc>" // {page PATH CODE=PATH…}
			for _, alternate := range strings.Fields(rest) {
				code, path, _ := strings.Cut(alternate, "=")
				if !strings.HasPrefix(path, "//") {
					path = "//" + s.host + path
				}
				page += fmt.Sprintf(`<xhtml:link rel="alternate" hreflang="%s" href="http:%s"/>`, code, path)
			}
			return page + "</url>\n"
		})
	}
	return text
}

// repeated is a text n times, with the number in it.
func repeated(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i+1)
	}
	return b.String()
}

// audit runs the program for a site. It returns the notes on its sitemaps, the findings and To-do
// items about sitemaps and hreflang, and the exit code.
func (s *fixtureSite) audit(t *testing.T, server string) (gives [4]string) {
	dir := filepath.Join(t.TempDir(), "run")
	var out, errs bytes.Buffer
	args := append([]string{"audit", "http://" + s.host, "-out", dir, "-connect-to", ":80:" + server, "-connect-to", ":443:127.0.0.1:1",
		"-quiet", "-no-cache", "-retries", "0", "-rate", "10000", "-reports", "none", "-fail-on", "error"}, s.pair.flags...)
	code := run(args, cli.Streams{Out: &out, Err: &errs})
	if code == cli.ExitUsage || code == cli.ExitFailed {
		t.Fatalf("exit code %d: %s", code, &errs)
	}
	stored, err := reports.OpenStored(dir, cli.Version)
	if err != nil {
		t.Fatal(err)
	}
	var notes, found, todo []string
	for rec, err := range stored.Sites[0].Records() {
		if err != nil {
			t.Fatal(err)
		}
		if rec.Sitemap != nil {
			for _, n := range rec.Sitemap.Notes {
				notes = append(notes, n.Code)
			}
		}
		if rec.Findings != nil {
			for _, f := range rec.Findings.List {
				if ofSitemaps(f.ID) && (rec.Findings.Origin == 0 || !ofLines(f.ID)) {
					found = append(found, f.ID+" "+f.Severity.String())
				}
			}
		}
	}
	var summary struct {
		Sites []struct {
			Origin string
			ToDo   []struct {
				Findings []string
				Origin   string
			} `json:"to_do"`
		}
	}
	if err := json.Unmarshal([]byte(clitest.Read(t, dir, "summary.json")), &summary); err != nil {
		t.Fatal(err)
	}
	for _, item := range summary.Sites[0].ToDo {
		todo = append(todo, slices.DeleteFunc(item.Findings, func(id string) bool {
			return !ofSitemaps(id) || item.Origin != summary.Sites[0].Origin && ofLines(id)
		})...)
	}
	for i, list := range [][]string{notes, found, todo} {
		slices.Sort(list)
		gives[i] = cmp.Or(strings.Join(slices.Compact(list), ", "), "-")
	}
	gives[3] = strconv.Itoa(code)
	return gives
}

// ofLines reports whether a finding is about Sitemap lines. Here, those of other hosts are not wanted.
func ofLines(id string) bool { return id == "SM004" || id == "SM006" }

// ofSitemaps reports whether a finding is about sitemaps or hreflang.
func ofSitemaps(id string) bool { return strings.HasPrefix(id, "SM") || strings.HasPrefix(id, "HRL") }
