package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
)

// TestFailOn holds the exit code to the sites' states and to what their findings do;
// a site that is unknown has an exit code of its own.
func TestFailOn(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, _, _ := strings.Cut(r.Host, ".")
		rules, ok := map[string]string{
			"clean":    "Disallow:",
			"unused":   "Disallow: /nothing/here/",                        // changes no verdict
			"idle":     "Disallow: /nothing/here/\nAllow: /nothing/here/", // a warning that changes none
			"part":     "Disallow: /p/1/",                                 // 1 of 1,000
			"most":     "Disallow: /p/",                                   // 999 of 1,000
			"closed":   "Disallow: /",
			"html":     "",
			"down":     "",
			"ai":       "Disallow:\n\nUser-agent: GPTBot\nDisallow: /p/",
			"unlisted": "Disallow: /p/",
		}[name]
		switch {
		case !ok:
			panic(http.ErrAbortHandler)
		case name == "down":
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.URL.Path == "/robots.txt" && name == "html":
			fmt.Fprint(w, "<!doctype html><title>x</title>")
		case r.URL.Path == "/robots.txt" && name == "unlisted":
			fmt.Fprintf(w, "User-agent: *\n%s\n", rules)
		case r.URL.Path == "/robots.txt":
			fmt.Fprintf(w, "User-agent: *\n%s\nSitemap: http://%s/list.txt\n", rules, r.Host)
		case r.URL.Path == "/list.txt" && name != "unlisted" || r.URL.Path == "/sitemap.txt" && name == "html":
			for i := range 1000 {
				fmt.Fprintf(w, "http://%s/%s/%d/\n", r.Host, map[bool]string{true: "p", false: "q"}[i > 0], i)
			}
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	code := func(site string, flags ...string) (int, string) {
		args := append([]string{
			"-domains", "-", "-out", filepath.Join(t.TempDir(), "out"), "-retries", "-1", "-quiet", "-no-cache",
			"-connect-to", ":80:" + server.Listener.Addr().String(), "-connect-to", ":443:" + server.Listener.Addr().String(),
		}, flags...)
		var err bytes.Buffer
		return run(args, cli.Streams{In: strings.NewReader("http://" + site + ".example\n"), Out: io.Discard, Err: &err}), err.String()
	}
	const ok, fails, unknown = cli.ExitDone, cli.ExitFindings, cli.ExitUnknown
	for site, want := range map[string]struct {
		critical, warning int // exit code with -fail-on critical, warning
	}{
		"clean":    {ok, ok},
		"unused":   {ok, ok},
		"idle":     {ok, ok},
		"part":     {ok, fails},
		"most":     {fails, fails},
		"closed":   {fails, fails},
		"html":     {fails, fails},
		"down":     {fails, fails},
		"ai":       {ok, ok}, // GPTBot is not asked about
		"unlisted": {unknown, unknown},
		"silent":   {unknown, unknown},
	} {
		for _, c := range []struct {
			flags []string
			want  int
		}{
			{[]string{"-fail-on", "critical", "-reports", map[bool]string{true: "all", false: "none"}[site == "most"]}, want.critical}, // whatever is drawn
			{[]string{"-fail-on", "warning", "-reports", "none"}, want.warning},
		} {
			got, said := code(site, c.flags...)
			if got != c.want || strings.Contains(said, "1 site fails: "+site+".example (") != (got == cli.ExitFindings) {
				t.Errorf("%s %v: exit code %d, want %d\n%s", site, c.flags, got, c.want, said)
			}
		}
	}
	for _, c := range []struct {
		site, flags string
		want        int
		said        string
	}{
		{"part", "-fail-on error", cli.ExitFindings, "(1 error)"}, // a URL that the sitemap names is blocked
		{"part", "-fail-on warn", cli.ExitFindings, "robots-audit: -fail-on warn: 1 site fails: part.example (state warn)\n"},
		{"idle", "-fail-on error", cli.ExitDone, ""},
		{"idle", "-fail-on info", cli.ExitFindings, "infos)"},
		{"silent", "-fail-on info", cli.ExitUnknown, ""},
		{"most", "", cli.ExitDone, ""},
		{"most", "-fail-on-blocked 5%", cli.ExitFindings, "(99.9 % of 1,000 known URLs blocked for Googlebot)"},
		{"most", "-fail-on-blocked 100%", cli.ExitDone, ""},
		{"part", "-fail-on-blocked 5%", cli.ExitDone, ""},
		{"html", "-fail-on-blocked 5%", cli.ExitDone, ""},
		{"most", "-fail-on-blocked 0.999:yandexbot", cli.ExitFindings, "robots-audit: -fail-on-blocked 0.999:yandexbot: 1 site fails: most.example (99.9 % of 1,000 known URLs blocked for YandexBot)\n"},
		{"part", "-fail-on-blocked 0.1%", cli.ExitFindings, "0.1 % of 1,000 known URLs blocked for Googlebot"},
		{"ai", "-crawlers Googlebot,GPTBot -fail-on-blocked 5%", cli.ExitDone, ""},
		{"ai", "-crawlers Googlebot,GPTBot -fail-on-blocked 5%:GPTBot", cli.ExitFindings, "99.9 % of 1,000 known URLs blocked for GPTBot"},
		{"ai", "-crawlers Googlebot,GPTBot -fail-on critical", cli.ExitDone, ""},
		{"ai", "-crawlers GPTBot -fail-on critical", cli.ExitFindings, "(state critical)"},
		{"most", "-critical-share 100% -fail-on critical", cli.ExitDone, ""},
		{"part", "-critical-share 0.1% -fail-on critical", cli.ExitFindings, "robots-audit: -fail-on critical: 1 site fails: part.example (state critical)\n"},
		{"most", "-crawlers Googlebot@google-2019 -fail-on critical", cli.ExitFindings, "(state critical)"},
		{"most", "-fail-on dire", cli.ExitUsage, `-fail-on "dire": want info, warning, error or critical`},
		{"most", "-critical-share 50", cli.ExitUsage, "want a share of more than 0 and at most all, such as 50% or 0.5"},
		{"most", "-critical-share 0", cli.ExitUsage, "want a share"},
		{"most", "-fail-on-blocked 101%", cli.ExitUsage, `-fail-on-blocked "101%": want a share of more than 0 and at most all, such as 50% or 0.5; behind it perhaps a crawler, as in 5%:Googlebot`},
		{"most", "-fail-on-blocked 5%:Gogglebot", cli.ExitUsage, `-fail-on-blocked "5%:Gogglebot": the run has no crawler "Gogglebot": did you mean Googlebot?`},
		{"most", "-fail-on-blocked 5%:GPTBot", cli.ExitUsage, "the run does not ask for GPTBot; name it in -crawlers as well"},
		{"most", "-fail-on-blocked 5%:Thingamajig", cli.ExitUsage, `the run has no crawler "Thingamajig"; it has Googlebot, Bingbot and YandexBot`},
	} {
		if got, said := code(c.site, strings.Fields("-reports none "+c.flags)...); got != c.want || !strings.Contains(said, c.said) || c.said == "" && said != "" {
			t.Errorf("%s %s: exit code %d, want %d with %q\n%s", c.site, c.flags, got, c.want, c.said, said)
		}
	}
}
