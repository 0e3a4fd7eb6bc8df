package main

import (
	"bytes"
	"flag"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"robots-audit/audit"
	"robots-audit/cmd/internal/cli"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// TestLintExamples checks that every finding of lint has an example that causes it. Every other
// reported finding must have an example of a site, see TestAuditExamples.
func TestLintExamples(t *testing.T) {
	examples := lintExamples()
	for _, k := range engine.FindingKinds() {
		e := examples[k.ID]
		delete(examples, k.ID)
		if (e == nil) != unreported[k.ID] {
			t.Errorf("%s has an example in cmd/robots-audit/lintexamples.txt, as \"== %s\" and a file that gives it: %t", k.ID, k.ID, e != nil)
		}
		if e == nil {
			continue
		}
		if ofSite := e.said.ID != ""; ofSite != (reportedBy(&k) != "") {
			t.Errorf("%s needs %s: its example is of a site: %t", k.ID, k.Needs, ofSite)
		}
		if f, ok := e.finding(); !ok || f.What == "" {
			t.Errorf("the example of %s gives %+v", k.ID, engine.Lint([]byte(e.body()), engine.LintOptions{}))
		}
		for key := range e.known {
			if knownWords[key] == "" {
				t.Errorf("%s: nobody reads %q", k.ID, key)
			}
		}
	}
	for id := range examples {
		t.Errorf("there is no finding %s", id)
	}
}

var update = flag.Bool("update", false, "write what audits say about the examples of findings, and the measured sizes of the house")

// TestAuditExamples audits the examples of sites, and compares the findings with those in the
// examples.
func TestAuditExamples(t *testing.T) {
	for id, e := range lintExamples() {
		if e.said.ID == "" {
			continue
		}
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			got := auditExample(t, e)
			want := fmt.Sprintf("%d %s %s", e.said.Line, e.said.Severity, e.said.What)
			if got == want {
				return
			}
			if !*update {
				t.Fatalf("the audit says %q, the example %q", got, want)
			}
			updating.Lock()
			defer updating.Unlock()
			text, err := os.ReadFile("lintexamples.txt")
			if err != nil {
				t.Fatal(err)
			}
			before, after, _ := strings.Cut(string(text), "\n== "+id)
			parts, rest, _ := strings.Cut(after, "\n-- says\n")
			if i := strings.Index(rest, "== "); i >= 0 {
				rest = rest[i:]
			} else {
				rest = ""
			}
			if err := os.WriteFile("lintexamples.txt", []byte(before+"\n== "+id+parts+"\n-- says\n"+got+"\n"+rest), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
}

var updating sync.Mutex

// auditExample serves the site of an example, audits it and returns its finding: line, severity,
// sentence.
func auditExample(t *testing.T, e *lintExample) string {
	const site = "http://www.example.com"
	answers := map[string]string{site + "/robots.txt": e.body()}
	for _, part := range e.site {
		switch {
		case part.name == "URLs":
			urls := "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"
			text, number, filled := part.text, 0, strings.HasPrefix(e.known["fill"], "urls:")
			if filled {
				_, _ = fmt.Sscanf(e.known["fill"], "urls:%d", &number)
				text = strings.Repeat("/shoes.html\n", number)
			}
			for url := range strings.Lines(text) {
				urls += "<url><loc>" + site + html.EscapeString(strings.TrimSpace(url)) + "</loc></url>"
			}
			answers[site+"/sitemap.xml"] = urls + "</urlset>"
		case strings.HasPrefix(part.name, "/"):
			answers[site+part.name] = part.text
		default:
			answers[part.name] = part.text
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := "http://" + r.Host + r.URL.Path
		text, ok := answers[name]
		if other, special := answers[name+" for Googlebot"]; special && strings.Contains(r.UserAgent(), "Googlebot") {
			text = other
		}
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		if code, ok := strings.CutPrefix(text, "status "); ok {
			status, _ := strconv.Atoi(strings.TrimSpace(code))
			w.WriteHeader(status)
			return
		}
		if to, moved := strings.CutPrefix(text, "redirect "); moved {
			http.Redirect(w, r, strings.TrimSpace(to), http.StatusMovedPermanently)
			return
		}
		if strings.HasPrefix(text, "<html") {
			w.Header().Set("Content-Type", "text/html")
		} else if !strings.HasSuffix(r.URL.Path, ".xml") {
			w.Header().Set("Content-Type", "text/plain")
		}
		fmt.Fprint(w, text)
	}))
	defer server.Close()
	crawlers, err := audit.ParseCrawlers("Googlebot,YandexBot")
	if err != nil {
		t.Fatal(err)
	}
	a := &audit.Auditor{Crawlers: crawlers, Client: &crawl.Client{ConnectTo: []string{":80:" + server.Listener.Addr().String(), ":443:127.0.0.1:1"}, Retries: -1}}
	if e.known["crawl"] != "" {
		a.Links = &crawl.LinkBudget{Pages: 10, Depth: 2}
	}
	if e.known["second-look"] != "" {
		a.SecondLook = &crawl.Variants{UserAgents: []string{"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"}, Scheme: true, WWW: true}
	}
	if list := e.known["ask-as"]; list != "" {
		if a.AskAs, err = audit.ParseAskAs(list, 1); err != nil {
			t.Fatal(err)
		}
	}
	asked := site
	if e.known["credentials"] != "" {
		asked = "http://name:word@www.example.com"
	}
	for record := range a.All(t.Context(), audit.Domains(strings.NewReader(asked))) {
		if record.Findings == nil {
			continue
		}
		for _, f := range record.Findings.List {
			if f.ID == e.id {
				return fmt.Sprintf("%d %s %s", f.Line, f.Severity, f.What)
			}
		}
	}
	return "nothing"
}

// TestCatalogue checks that the page has an entry and a link for each finding, with lint's sentence
// about the example.
func TestCatalogue(t *testing.T) {
	var page bytes.Buffer
	if code := runLint([]string{"-list", "-markdown"}, cli.Streams{In: nil, Out: &page, Err: &page}); code != cli.ExitDone {
		t.Fatal(code, page.String())
	}
	text := page.String()
	for _, k := range engine.FindingKinds() {
		_, entry, found := strings.Cut(text, "\n## "+k.ID+"\n")
		entry, _, _ = strings.Cut(entry, "\n## ")
		if !found || !strings.Contains(text, "\n| ["+k.ID+"](#"+strings.ToLower(k.ID)+") | ") {
			t.Errorf("%s is not on the page", k.ID)
			continue
		}
		if !strings.HasPrefix(entry, "\n**"+markdownText(k.Name)+"** ("+k.Severity.String()) || !strings.Contains(text, " | "+markdownText(k.Name)+" | ") {
			t.Errorf("%s is not called %s: %s", k.ID, k.Name, entry)
		}
		if !strings.Contains(entry, "\nFix: ") || !strings.Contains(entry, "Sources: [") || !strings.Contains(entry, "](https://") {
			t.Errorf("%s: %s", k.ID, entry)
		}
		if e := lintExamples()[k.ID]; e != nil {
			if f, _ := e.finding(); !strings.Contains(entry, "\n> ") || !strings.Contains(entry, markdownText(f.What)) {
				t.Errorf("%s: %q is not told: %s", k.ID, f.What, entry)
			}
		}
		if strings.Contains(entry, "%!") || strings.Contains(entry, "\n\n\n") {
			t.Errorf("%s: %s", k.ID, entry)
		}
	}
	for _, args := range [][]string{{"-markdown"}, {"-markdown", "robots.txt"}} {
		if code := runLint(args, cli.Streams{In: nil, Out: &page, Err: &page}); code != cli.ExitUsage {
			t.Errorf("lint %v: exit code %d", args, code)
		}
	}
}
