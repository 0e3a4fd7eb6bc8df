package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
	"robots-audit/reports"
)

// TestLogsNever: which URLs of sitemaps a crawler may fetch but ignores is the same in an audit and for its run. The
// verdicts are of the run, so with another robots.txt nothing is said of them.
func TestLogsNever(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.WriteFile(t, "robots.txt", "User-agent: *\nDisallow: /a\n")
	clitest.WriteFile(t, "access.log", `66.249.66.1 - - [24/Nov/2026:06:12:00 +0000] "GET /c HTTP/1.1" 200 12 "-" "Googlebot/2.1"`+"\n"+
		`157.55.39.1 - - [24/Nov/2026:06:12:00 +0000] "GET /a HTTP/1.1" 200 12 "-" "bingbot/2.0"`+"\n"+
		`5.255.231.1 - - [24/Nov/2026:06:12:00 +0000] "GET /c HTTP/1.1" 200 12 "-" "YandexBot/3.0"`+"\n")
	for _, args := range [][]string{
		{"-domains", "-", "-no-cache", "-retries", "0", "-crawlers", "Googlebot@google-2019,Bingbot", "-logs", "shop.example=access.log", "-connect-to", ":80:" + loggedShop(t), "-out", "run"},
		{"logs", "-run", "run", "-out", "of-run", "access.log"},
		{"logs", "-run", "run", "-rules", "robots.txt", "-out", "by-rules", "access.log"},
	} {
		if code, said := callWith("http://shop.example\n", args...); code != cli.ExitDone {
			t.Fatal(args, code, said)
		}
	}
	run, err := reports.OpenStored("run", cli.Version)
	if err != nil {
		t.Fatal(err)
	}
	sites := map[string]*audit.Logs{}
	for rec, err := range run.Sites[0].Records() {
		if err != nil {
			t.Fatal(err)
		}
		if rec.Logs != nil {
			sites["audit"] = rec.Logs
		}
	}
	for _, name := range []string{"of-run", "by-rules"} {
		var of struct{ Sites []audit.Logs }
		if err := json.Unmarshal([]byte(clitest.Read(t, name+"/logs.json")), &of); err != nil || len(of.Sites) != 1 {
			t.Fatal(name, len(of.Sites), err)
		}
		sites[name] = &of.Sites[0]
	}
	const judged = "Bingbot 1 never, 1 blocked: , Googlebot 2 never, 1 blocked: /a, YandexBot 2 never, 0 blocked: "
	for name, want := range map[string]string{
		"audit":    judged + "/a", // it keeps examples for the crawlers that it tests
		"of-run":   judged + "/a /private/b",
		"by-rules": "Bingbot 1 never, 0 blocked: /private/b, Googlebot 2 never, 0 blocked: /a /private/b, YandexBot 2 never, 0 blocked: /a /private/b",
	} {
		var got []string
		for _, c := range sites[name].Crawlers {
			urls := strings.ReplaceAll(strings.Join(c.Never, " "), "http://shop.example", "")
			got = append(got, fmt.Sprintf("%s %d never, %d blocked: %s", c.Name, c.NeverFetched, c.NeverBlocked, urls))
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
