package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
	"robots-audit/engine"
)

// shutting is a robots.txt that blocks all crawlers, if it is used.
const shutting = "User-agent: *\nDisallow: /\n"

// answers are the responses for robots.txt in TestOneAnswer, by site. Redirects lead to hosts whose
// own robots.txt blocks some URLs.
var answers = map[string]func(w http.ResponseWriter, r *http.Request){
	"plain":            func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, shutting) },
	"moved":            to("http://moved.example/r.txt"),
	"cross":            to("http://chain.example/free/r.txt"),
	"forbidden":        to("http://chain.example/private/r.txt"),
	"forbidden-google": to("http://picky.example/private/r.txt"),
	"forbidden-free":   to("http://chain.example/private/moved"), // and on to a URL that is allowed
	"forbidden-503":    to("http://chain.example/private/503"),
	"forbidden-404":    to("http://chain.example/private/404"),
	"many":             to("http://many.example/hop/1"),
	"loop":             to("http://loop.example/robots.txt"),
	"s206":             status(206),
	"s401":             status(401),
	"s403":             status(403),
	"s404":             status(404),
	"s429":             status(429),
	"s500":             status(500),
	"s503":             status(503),
	"html": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!doctype html>\n<title>Not here</title>\n<p>Nothing to see.\n")
	},
	"html-rules": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!doctype html>\n<pre>\n"+shutting+"</pre>\n")
	},
	"type": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, shutting)
	},
	"kb40":  long(40 << 10),
	"kb600": long(600 << 10),
	"empty": func(w http.ResponseWriter, r *http.Request) {},
}

func to(url string) func(w http.ResponseWriter, r *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, url, http.StatusFound) }
}

func status(code int) func(w http.ResponseWriter, r *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.WriteHeader(code)
		io.WriteString(w, shutting)
	}
}

func long(size int) func(w http.ResponseWriter, r *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, shutting+strings.Repeat("# a comment of some length"+strings.Repeat(" and more", 20)+"\n", size/200))
	}
}

// answerServer is the loopback server of TestOneAnswer, for every host.
func answerServer(w http.ResponseWriter, r *http.Request) {
	site := strings.TrimSuffix(r.Host, ".example")
	var hop int
	switch at := site + r.URL.Path; {
	case at == "chain/robots.txt":
		io.WriteString(w, "User-agent: *\nDisallow: /private\n")
	case at == "picky/robots.txt":
		io.WriteString(w, "User-agent: Googlebot\nDisallow: /private\n")
	case r.URL.Path == "/robots.txt":
		answers[site](w, r)
	case at == "chain/private/moved":
		http.Redirect(w, r, "/free/r.txt", http.StatusFound)
	case at == "chain/private/503":
		w.WriteHeader(503)
	case strings.HasSuffix(at, "/r.txt"):
		io.WriteString(w, shutting)
	case strings.HasPrefix(at, "many/hop/"):
		fmt.Sscanf(r.URL.Path, "/hop/%d", &hop)
		http.Redirect(w, r, fmt.Sprintf("/hop/%d", hop+1), http.StatusFound)
	case r.URL.Path == "/sitemap.xml":
		w.Header().Set("Content-Type", "text/xml")
		fmt.Fprintf(w, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://%s/</loc></url><url><loc>http://%[1]s/page</loc></url></urlset>`, r.Host)
	default:
		http.NotFound(w, r)
	}
}

// said is the verdict on an answer in one part of the program.
type said struct {
	access  string // "" = not stated
	blocked bool   // the home page
}

// TestOneAnswer checks that all parts of the program give one answer about a robots.txt, by every
// profile. These are check, explain, lint, the audit's state, its workbook, its page and their
// statements about AI crawlers.
func TestOneAnswer(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(answerServer))
	t.Cleanup(server.Close)
	net := []string{"-connect-to", ":80:" + server.Listener.Addr().String(), "-retries", "0"}
	command := func(t *testing.T, in string, args ...string) string {
		t.Helper()
		var out, err bytes.Buffer
		if code := run(slices.Concat(args[:1], net, args[1:]), cli.Streams{In: strings.NewReader(in), Out: &out, Err: &err}); code == cli.ExitUsage || code == cli.ExitFailed {
			t.Fatalf("%v: exit code %d\n%s", args, code, &err)
		}
		return out.String()
	}
	var sites []string
	list := ""
	for site := range answers {
		sites = append(sites, site)
		list += "http://" + site + ".example\n"
	}
	slices.Sort(sites)

	explain := func(t *testing.T, crawler, site string) (s said) {
		t.Helper()
		text := command(t, "", "check", "-explain", "-crawler", crawler, "http://"+site+".example/robots.txt", "/")
		_, rest, _ := strings.Cut(text, "access:")
		s.access, _, _ = strings.Cut(strings.TrimSpace(rest), " ")
		s.blocked = strings.Contains(text, "\ndisallow ")
		return s
	}
	// explain must say what the engine says, and all others are compared with it. One AI crawler is
	// tested for all with its profile that have no group anywhere.
	forAI := map[string]map[string]said{}
	for _, crawler := range []string{"Google-Extended", "GPTBot"} {
		forAI[crawler] = map[string]said{}
		for _, site := range sites {
			forAI[crawler][site] = explain(t, crawler, site)
		}
	}

	for _, profile := range engine.Profiles() {
		t.Run(profile.Name, func(t *testing.T) {
			t.Parallel()
			crawler := "Googlebot@" + profile.Name
			dir := filepath.Join(t.TempDir(), "out")
			command(t, list, "audit", "-domains", "-", "-out", dir, "-crawlers", crawler, "-sheets", "all", "-quiet", "-no-cache", "-rate", "10000")
			summaries := siteSummaries(t, dir)
			for _, site := range sites {
				want := explain(t, crawler, site)
				name := site + ".example"
				sum := summaries[name]
				if sum.Robots.Access != want.access {
					t.Errorf("%s: access %s in summary.json, %s to explain", site, sum.Robots.Access, want.access)
				}
				if blocked := sum.Blocked[crawler] == 2; blocked != want.blocked || sum.URLs != 2 {
					t.Errorf("%s: %d of %d URLs blocked in summary.json, %t to explain", site, sum.Blocked[crawler], sum.URLs, want.blocked)
				}
				plain := command(t, "", "check", "-crawler", crawler, "http://"+name+"/", "/")
				if got := strings.HasPrefix(plain, "disallow"); got != want.blocked {
					t.Errorf("%s: check says %q, explain %t", site, plain, want.blocked)
				}
				// A line blocks the whole site, if rules apply.
				shut := want.access == "parsed" && want.blocked
				var found []string
				for line := range strings.Lines(command(t, "", "lint", "-json", "-fail-on", "never", "-crawler", crawler, "http://"+name+"/")) {
					var f engine.Finding
					if err := json.Unmarshal([]byte(line), &f); err != nil {
						t.Fatal(err)
					}
					found = append(found, f.ID)
				}
				if slices.Contains(found, "RUL018") != shut {
					t.Errorf("%s: lint says %v, access is %s, home page blocked: %t", site, found, want.access, want.blocked)
				}
				if want.access == "allow_all" && sum.Robots.Status/100 == 2 && !slices.ContainsFunc(found, saysOpen) {
					t.Errorf("%s: lint says %v, and not why the site is open", site, found)
				}
				book := openBook(t, dir, name+".xlsx")
				inBook := slices.Collect(func(yield func(string) bool) {
					for _, row := range bookRows(t, book, "Rules") {
						yield(row["ID"])
					}
				})
				if slices.Contains(inBook, "RUL018") != shut {
					t.Errorf("%s: the workbook's findings are %v, access is %s, home page blocked: %t", site, inBook, want.access, want.blocked)
				}
				for _, row := range bookRows(t, book, "Agents") {
					if row["Access"] != want.access {
						t.Errorf("%s: access %s in the workbook, %s to explain", site, row["Access"], want.access)
					}
				}
				if critical := sum.State == "critical"; (want.access == "allow_all" || !want.blocked) && critical && !strings.Contains(sum.Why, "answers with HTTP") && !strings.Contains(sum.Why, "robots.txt is an HTML page") && !strings.Contains(sum.Why, "FMT005") {
					t.Errorf("%s: the state is %s, %s; access is %s", site, sum.State, sum.Why, want.access)
				}
				page, err := os.ReadFile(filepath.Join(dir, "pages", name+".html"))
				if err != nil || !bytes.Contains(page, []byte(sum.Policy)) || sum.Policy == "" {
					t.Errorf("%s: the page does not say %q of the AI policy: %v", site, sum.Policy, err)
				}
				for _, row := range bookRows(t, book, "AI policy") {
					of, ok := forAI[row["Crawler"]]
					if !ok {
						continue
					}
					word := map[bool]string{true: "none", false: "all"}[of[site].blocked]
					if of[site].access == "unknown" {
						word = "unknown"
					}
					if row["Access"] != word {
						t.Errorf("%s: the AI policy says %s of %s, and explain %+v", site, row["Access"], row["Crawler"], of[site])
					}
				}
			}
		})
	}
}

// saysOpen reports whether a finding explains why a site is open to readers.
func saysOpen(id string) bool {
	switch id {
	case "FET001", "FET002", "FET003", "FET006", "FET013", "FMT005", "FMT006":
		return true
	}
	return false
}

// summaryOfSite is the part of an entry of summary.json that TestOneAnswer reads.
type summaryOfSite struct {
	Domain string
	State  string
	Why    string
	Robots struct {
		Access string
		Status int
	}
	URLs    int
	Blocked map[string]int
	Policy  string `json:"ai_policy"`
}

func siteSummaries(t *testing.T, dir string) map[string]summaryOfSite {
	t.Helper()
	text := clitest.Read(t, dir, "summary.json")
	var all struct{ Sites []summaryOfSite }
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	by := map[string]summaryOfSite{}
	for _, s := range all.Sites {
		by[s.Domain] = s
	}
	return by
}

// bookRows are the rows of a sheet by column titles; none if the sheet does not exist.
func bookRows(t *testing.T, book *excelize.File, sheet string) (list []map[string]string) {
	t.Helper()
	if !slices.Contains(book.GetSheetList(), sheet) {
		return nil
	}
	rows, err := book.GetRows(sheet)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		cells := map[string]string{}
		for i, text := range row {
			cells[rows[0][i]] = text
		}
		list = append(list, cells)
	}
	return list
}
