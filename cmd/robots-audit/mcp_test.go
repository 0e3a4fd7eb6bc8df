package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"robots-audit/audit/watch/history"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// assistant is a client of robots-audit mcp.
type assistant struct {
	*mcp.ClientSession
	t *testing.T
}

// newAssistantOf starts robots-audit mcp in its own process.
func newAssistantOf(t *testing.T, args ...string) assistant {
	t.Helper()
	return connect(t, &mcp.CommandTransport{Command: exec.Command("robots-audit", append([]string{"mcp"}, args...)...)})
}

func connect(t *testing.T, transport mcp.Transport) assistant {
	t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return assistant{session, t}
}

// ask calls a tool. The answer is its structured data, and is also in the texts. failed is the text of an error.
func (a assistant) ask(tool string, arguments any) (answer map[string]any, failed string) {
	a.t.Helper()
	began := time.Now()
	result, err := a.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if took := time.Since(began); took > time.Second {
		a.t.Logf("%s %.100v took %v", tool, arguments, took)
	}
	if err != nil {
		a.t.Fatalf("%s %.300v: %v", tool, arguments, err)
	}
	whole, err := json.Marshal(result)
	if err != nil || len(whole) > 25_000 || bytes.ContainsRune(whole, '\u202e') || bytes.ContainsRune(whole, 0x1b) {
		a.t.Errorf("%s %.300v: %d bytes, %v", tool, arguments, len(whole), err)
	}
	text := result.Content[0].(*mcp.TextContent).Text
	if result.IsError {
		return nil, text
	}
	answer = result.StructuredContent.(map[string]any)
	var same map[string]any
	if err := json.Unmarshal([]byte(result.Content[1].(*mcp.TextContent).Text), &same); err != nil || !reflect.DeepEqual(same, answer) || answer["summary"] != text || text == "" {
		a.t.Errorf("%s %.300v: the texts differ from the data: %.300q, %v", tool, arguments, text, err)
	}
	return answer, ""
}

// must is ask for a call that works.
func (a assistant) must(tool string, arguments any) map[string]any {
	a.t.Helper()
	answer, failed := a.ask(tool, arguments)
	if failed != "" {
		a.t.Fatalf("%s %.300v: %s", tool, arguments, failed)
	}
	return answer
}

type object = map[string]any

// outputLines is the JSON that a command prints.
func outputLines(t *testing.T, in string, args ...string) (list []object) {
	t.Helper()
	var out, said bytes.Buffer
	if code := run(args, cli.Streams{In: strings.NewReader(in), Out: &out, Err: &said}); code == cli.ExitUsage || code == cli.ExitFailed {
		t.Fatalf("%q: exit code %d: %s", args, code, &said)
	}
	for d := json.NewDecoder(&out); ; {
		var v object
		if err := d.Decode(&v); err == io.EOF {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
}

// TestMCPTools checks the descriptions: each tool only reads, and each argument is explained.
func TestMCPTools(t *testing.T) {
	names := func(a assistant) (list []string) {
		tools, err := a.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range tools.Tools {
			list = append(list, tool.Name)
			if !tool.Annotations.ReadOnlyHint || *tool.Annotations.DestructiveHint || *tool.Annotations.OpenWorldHint != (tool.Name == "check") || tool.Description == "" || tool.Title == "" {
				t.Errorf("%s: %+v", tool.Name, tool.Annotations)
			}
			var in, out jsonschema.Schema
			for into, from := range map[*jsonschema.Schema]any{&in: tool.InputSchema, &out: tool.OutputSchema} {
				text, _ := json.Marshal(from)
				if err := json.Unmarshal(text, into); err != nil {
					t.Fatal(err)
				}
			}
			for name, of := range in.Properties {
				if of.Description == "" {
					t.Errorf("%s: %s has no description", tool.Name, name)
				}
			}
			if in.AdditionalProperties == nil || out.AdditionalProperties != nil || out.Properties["summary"] == nil {
				t.Errorf("%s: its schemas are %v and %v", tool.Name, &in, &out)
			}
		}
		return list
	}
	if list, want := names(newAssistantOf(t, demoRun(t))), []string{"check", "compare_runs", "explain", "lint", "search_urls", "simulate", "site_summary", "smallest_change"}; !slices.Equal(list, want) {
		t.Errorf("%q, want %q", list, want)
	}
	if list := names(newAssistantOf(t)); !slices.Equal(list, []string{"check", "explain", "lint"}) {
		t.Errorf("without a run: %q", list)
	}
}

// TestMCPFiles compares the answers on a text with those of the commands.
func TestMCPFiles(t *testing.T) {
	a := newAssistantOf(t)
	for _, robots := range []string{"", "User-agent: *\nDisallow: /shop/\nAllow: /shop/a$\nDisalow: /x\nDisallow: /100%\n", "user-agent: GPTBot\ndisallow: /\nUser-agent: Googlebot\nDisallow: /*?\nCrawl-delay: 5\n\n\nDisallow: \u202e/x\x00\n"} {
		var want []any
		for _, crawler := range []string{"Googlebot", "GPTBot", "token:MyBot", "YandexBot"} {
			question, _ := json.Marshal(object{"robots": robots, "crawler": crawler, "urls": []string{"https://a.example/shop/a"}, "explain": true})
			answer := outputLines(t, string(question), "check", "-jsonl")[0]
			v := answer["verdicts"].([]any)[0].(object)
			delete(v, "url")
			v["access"], v["access_why"] = answer["access"], answer["why"]
			want = append(want, v)
		}
		is := a.must("check", object{"url": "https://a.example/shop/a", "robots": robots, "crawlers": []string{"Googlebot", "GPTBot", "token:MyBot", "YandexBot"}})
		explained := a.must("explain", object{"url": "https://a.example/shop/a", "robots": robots, "crawlers": []string{"Googlebot", "GPTBot", "token:MyBot", "YandexBot"}})
		if !reflect.DeepEqual(is["verdicts"], explained["verdicts"]) {
			t.Errorf("%q: explain differs: %v", robots, explained)
		}
		for _, v := range is["verdicts"].([]any) {
			delete(v.(object), "crawler")
			delete(v.(object), "profile")
		}
		if !reflect.DeepEqual(is["verdicts"], want) {
			t.Errorf("%q:\n%v\nwant\n%v", robots, is["verdicts"], want)
		}
		file := filepath.Join(t.TempDir(), "robots.txt")
		clitest.WriteFile(t, file, robots)
		findings := outputLines(t, "", "lint", "-json", "-fail-on", "never", file)
		linted := a.must("lint", object{"robots": robots})
		if list := linted["findings"].([]any); len(list) != len(findings) || int(linted["total"].(float64)) != len(findings) {
			t.Errorf("%q: %d findings, want %d", robots, len(list), len(findings))
			continue
		}
		for i, f := range linted["findings"].([]any) {
			delete(findings[i], "file")
			delete(findings[i], "fingerprint")
			if is := f.(object); is["id"] != findings[i]["id"] || is["line"] != findings[i]["line"] || is["fix"] != findings[i]["fix"] || is["severity"] != findings[i]["severity"] {
				t.Errorf("%q:\n%v\nwant\n%v", robots, is, findings[i])
			}
		}
	}
	many := a.must("lint", object{"robots": strings.Repeat("Disalow: /a\nUser-agent: *\nCrawl-delay: x\n", 200)})
	more := a.must("lint", object{"robots": strings.Repeat("Disalow: /a\nUser-agent: *\nCrawl-delay: x\n", 200), "from": many["next"]})
	if many["next"] == nil || more["from"] != many["next"] || reflect.DeepEqual(many["findings"].([]any)[0], more["findings"].([]any)[0]) || int(many["next"].(float64)) != len(many["findings"].([]any)) {
		t.Errorf("the second part of %v findings begins at %v", many["total"], many["next"])
	}
}

// TestMCPRuns compares the answers on runs with those of the commands and of the dashboard.
func TestMCPRuns(t *testing.T) {
	dir := t.TempDir()
	old, new := filepath.Join(dir, "old"), filepath.Join(dir, "new")
	robots := filepath.Join(dir, "robots.txt")
	const text = "User-agent: *\nDisallow: /old/\nDisallow: /m\n"
	clitest.WriteFile(t, robots, text)
	for _, flags := range [][]string{{"-out", old}, {"-out", new, "-robots", "magazine.example=" + robots}} {
		if code, said := call(append([]string{"demo", "-quiet"}, flags...)...); code != cli.ExitDone {
			t.Fatalf("exit code %d: %s", code, said)
		}
		time.Sleep(1100 * time.Millisecond) // the newer run begins in another second
	}
	before := clitest.Read(t, new, "run.json")
	a := newAssistantOf(t, old, new)
	base, _ := startServe(t, old, new)
	const site = "www.bookshop.example"
	view := func(path string) (v object) {
		t.Helper()
		r, _ := http.NewRequest(http.MethodGet, base+path, nil)
		r.Header.Set("Accept", "application/json")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if err := json.NewDecoder(answer.Body).Decode(&v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	equal := func(what string, is, want any) {
		t.Helper()
		if is == nil || !reflect.DeepEqual(is, want) {
			t.Errorf("%s:\n%v\nwant\n%v", what, is, want)
		}
	}

	summary := view("/runs/old")
	is := a.must("site_summary", object{"run": "old"})
	equal("totals", is["totals"], summary["totals"])
	equal("the number of sites", len(is["sites"].([]any)), len(summary["sites"].([]any)))
	equal("the first site", is["sites"].([]any)[0].(object)["lead"], summary["sites"].([]any)[0].(object)["lead"])
	equal("the default run", a.must("site_summary", object{})["run"], "new")
	equal("the second part", a.must("site_summary", object{"run": "old", "from": 7})["sites"].([]any)[0].(object)["site"], summary["sites"].([]any)[7].(object)["domain"])
	of := a.must("site_summary", object{"run": "old", "site": "https://bookshop.example/x"})["site"].(object)
	at := slices.IndexFunc(summary["sites"].([]any), func(s any) bool { return s.(object)["domain"] == site })
	for _, key := range []string{"state", "lead", "blocked", "findings", "robots", "urls"} {
		equal(key, of[key], summary["sites"].([]any)[at].(object)[key])
	}

	deadline := time.Now().Add(time.Minute)
	found := view("/runs/old/search?q=/cart")
	for found["urls"] == nil && time.Now().Before(deadline) {
		found = view("/runs/old/search?q=/cart")
	}
	is = a.must("search_urls", object{"run": "old", "query": "/cart"})
	equal("total", is["total"], found["urls"].(object)["total"])
	equal("verdicts", is["urls"].([]any)[0].(object)["verdicts"], found["urls"].(object)["list"].([]any)[0].(object)["verdicts"])
	equal("the second part", a.must("search_urls", object{"run": "old", "query": "/cart", "from": 1, "filters": object{"blocked": "any"}, "sort": "url"})["from"], 1.0)

	is = a.must("explain", object{"run": "old", "url": "http://" + site + "/cartography"})
	equal("verdicts", is["verdicts"], view("/runs/old/sites/" + site + "/url?u=/cartography")["verdicts"])

	tried := outputLines(t, "", "simulate", "-robots", robots, "-site", site, "-json", old)[0]["sites"].([]any)[0].(object)
	is = a.must("simulate", object{"run": "old", "site": site, "robots": text})
	for _, key := range []string{"totals", "flips", "lead", "causes"} {
		equal(key, is["comparison"].(object)[key], tried[key])
	}

	var out bytes.Buffer
	if code := run([]string{"simulate", old, "-out", filepath.Join(dir, "out"), "-free", "http://" + site + "/cartography"}, cli.Streams{In: strings.NewReader(""), Out: &out, Err: io.Discard}); code != cli.ExitDone {
		t.Fatalf("simulate: exit code %d", code)
	}
	is = a.must("smallest_change", object{"run": "old", "urls": []string{"http://" + site + "/cartography"}, "want": "allow"})
	for _, part := range strings.Split(is["summary"].(string), "; ") {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q is not in\n%s", part, &out)
		}
	}
	if after := a.must("explain", object{"url": "/cartography", "robots": is["robots"], "crawlers": []string{"Googlebot"}}); after["verdicts"].([]any)[0].(object)["verdict"] != "allow" {
		t.Errorf("with the edited robots.txt: %v", after)
	}

	compared := outputLines(t, "", "compare", "-json", old, new)[0]
	is = a.must("compare_runs", object{})
	equal("lead", is["summary"], compared["lead"])
	equal("totals", is["totals"], compared["totals"])
	equal("changed sites", len(is["sites"].([]any)), 1)
	is = a.must("compare_runs", object{"old": "old", "new": "new", "site": "magazine.example"})
	for _, key := range []string{"totals", "flips", "lead"} {
		equal(key, is["site"].(object)[key], compared["sites"].([]any)[0].(object)[key])
	}
	equal("an unchanged site", a.must("compare_runs", object{"site": site})["summary"], "Nothing changed on "+site+".")
	if clitest.Read(t, new, "run.json") != before || noFile(filepath.Join(new, ".robots-audit", "index", "urls")) == nil {
		t.Error("a tool has written something")
	}
}

// TestMCPHistory reads a comparison that the history has, and otherwise compares again.
func TestMCPHistory(t *testing.T) {
	dir := t.TempDir()
	db, err := history.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	robots := filepath.Join(t.TempDir(), "robots.txt")
	clitest.WriteFile(t, robots, "User-agent: *\nDisallow: /\n")
	var ids []string
	for _, flags := range [][]string{nil, {"-robots", "magazine.example=" + robots}, nil} {
		started := time.Now().UTC().Truncate(time.Second)
		id := started.Format("20060102T150405Z")
		ids = append(ids, id)
		if code, said := call(append([]string{"demo", "-quiet", "-out", filepath.Join(dir, "runs", id)}, flags...)...); code != cli.ExitDone {
			t.Fatalf("exit code %d: %s", code, said)
		}
		tx, err := db.Begin(t.Context())
		if err == nil {
			err = errors.Join(tx.AddRun(history.Run{ID: id, Folder: "runs/" + id, Schedule: "s", Started: started, Finished: started.Add(time.Second), Program: "0.1.0"}), tx.Commit())
		}
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(1100 * time.Millisecond)
	}
	db.Close()
	stored := filepath.Join(dir, "comparisons", ids[2])
	if code, said := call("compare", filepath.Join(dir, "runs", ids[1]), filepath.Join(dir, "runs", ids[2]), "-out", stored); code != cli.ExitDone && code != cli.ExitUnknown {
		t.Fatalf("exit code %d: %s", code, said)
	}
	text := clitest.Read(t, stored, "changes.json")
	lead := outputLines(t, text, "compare", "-json", filepath.Join(dir, "runs", ids[1]), filepath.Join(dir, "runs", ids[2]))[0]["lead"].(string)
	quoted, _ := json.Marshal(lead)
	text = strings.Replace(text, `"lead":`+string(quoted), `"lead":"The history says so."`, 1)
	var head struct{ Old struct{ ID string } }
	if json.Unmarshal([]byte(text), &head) != nil {
		t.Fatal("not JSON")
	}
	clitest.WriteFile(t, filepath.Join(stored, "changes.json"), strings.Replace(text, `"id":"`+head.Old.ID+`"`, `"id":"`+ids[1]+`"`, 1))
	a := newAssistantOf(t, dir)
	for _, c := range []struct {
		arguments object
		want      string
	}{
		{object{}, "The history says so."},
		{object{"old": ids[0]}, "Nothing changed"},
		{object{"old": ids[0], "new": ids[1]}, "now blocked for Googlebot"},
		{object{"new": ids[1]}, "now blocked for Googlebot"},
		{object{"site": "magazine.example"}, "URLs appeared"},
	} {
		if is := a.must("compare_runs", c.arguments); !strings.Contains(is["summary"].(string), c.want) {
			t.Errorf("%v: %s, want %q", c.arguments, is["summary"], c.want)
		}
	}
	if is := a.must("explain", object{"url": "http://magazine.example/x"}); is["past"] == nil {
		t.Errorf("no past: %v", is)
	}
}

// TestMCPHostile calls tools with wrong arguments. Each is refused with a sentence.
func TestMCPHostile(t *testing.T) {
	run := demoRun(t)
	a := newAssistantOf(t, run)
	long := strings.Repeat("a", 10<<20)
	for _, c := range []struct {
		tool      string
		arguments any
		want      string
	}{
		{"check", nil, "url is missing"},
		{"check", object{"url": 5}, "url is a number. Expected a text"},
		{"check", object{"url": nil}, "url is null. Expected a text"},
		{"check", object{"url": []string{"/a"}, "robots": ""}, "url is a list. Expected a text"},
		{"check", object{"url": "/a", "robots": "", "allow_private": true}, "there is no argument `allow_private`. Expected: url, robots, crawlers"},
		{"check", object{"URL": "/a", "robots": ""}, "there is no argument `URL`"},
		{"check", object{"url": "/a", "robots": "", "crawlers": "Googlebot"}, "crawlers is a text. Expected a list of texts"},
		{"check", object{"url": "/a", "robots": "", "crawlers": []any{"Googlebot", 1}}, "crawlers[1] is a number"},
		{"check", object{"url": "/a", "robots": "", "crawlers": []string{"Nobody"}}, "Nobody"},
		{"check", object{"url": "/a", "robots": "", "crawlers": slices.Repeat([]string{"Googlebot"}, 200)}, "At most 100"},
		{"check", object{"url": "/a\x00", "robots": ""}, "control character U+0000"},
		{"check", object{"url": "/a\x1b[2J", "robots": ""}, "control character U+001B"},
		{"check", object{"url": long, "robots": ""}, "the arguments are too large"},
		{"check", object{"url": "/", "robots": long}, "the arguments are too large"},
		{"check", object{"url": "/", "robots": long[:2<<20]}, "robots has 2097152 bytes. At most 1048576"},
		{"check", object{"url": long[:3000], "robots": ""}, "url has 3000 bytes. At most 2000"},
		{"check", object{"url": "shop", "robots": ""}, "url: `shop`"},
		{"check", object{"url": "/a"}, "expected a URL that begins with http"},
		{"check", object{"url": "file:///etc/passwd"}, "expected a URL that begins with http"},
		{"check", object{"url": "http://user:secret@example.com/"}, "a name or a password"},
		{"check", object{"url": "http://127.0.0.1/"}, "is refused"},
		{"check", object{"url": "http://[::1]/"}, "is refused"},
		{"check", object{"url": "http://localhost/"}, "is refused"},
		{"check", object{"url": "http://169.254.169.254/latest/meta-data"}, "is refused"},
		{"check", object{"url": "http://localhost:7070/"}, "is refused"},
		{"lint", object{}, "robots is missing"},
		{"lint", object{"robots": "", "severity": "grave"}, "severity is `grave`. Expected: info, warning, error, critical"},
		{"lint", object{"robots": "", "from": -1}, "from is `-1`. Expected a whole number, 0 or more"},
		{"lint", object{"robots": "", "from": 1.5}, "Expected a whole number"},
		{"lint", object{"robots": "", "from": 1e300}, "Expected a whole number"},
		{"site_summary", object{"run": "../../etc"}, "there is no run"},
		{"site_summary", object{"run": ".."}, "there is no run"},
		{"site_summary", object{"run": "."}, "there is no run"},
		{"site_summary", object{"run": "/etc"}, "there is no run"},
		{"site_summary", object{"site": "../records"}, "has no site"},
		{"site_summary", object{"site": ".."}, "has no site"},
		{"site_summary", object{"site": "book"}, "www.bookshop.example"},
		{"search_urls", object{}, "name what to search"},
		{"search_urls", object{"filters": object{"unknown": "x"}}, "there is no argument `filters.unknown`"},
		{"search_urls", object{"filters": []string{"x"}}, "filters is a list. Expected an object"},
		{"search_urls", object{"filters": object{"rule": 17}}, "filters.rule is a number. Expected a text"},
		{"search_urls", object{"query": "a", "sort": "random"}, "sort is `random`"},
		{"search_urls", object{"query": "a", "from": -5}, "0 or more"},
		{"explain", object{"url": "http://other.example/a"}, "has no site"},
		{"explain", object{"url": "/a"}, "has 8 sites. Name one with site"},
		{"explain", object{"url": "/a", "crawlers": []string{"Googlebot"}}, "crawlers needs robots"},
		{"simulate", object{"robots": "x"}, "has 8 sites. Name one with site"},
		{"simulate", object{"site": "www.bookshop.example"}, "robots is missing"},
		{"smallest_change", object{"site": "www.bookshop.example", "urls": []string{}, "want": "allow"}, "urls is empty"},
		{"smallest_change", object{"site": "www.bookshop.example", "urls": slices.Repeat([]string{"/a"}, 2000), "want": "allow"}, "urls has 2000 entries. At most 1000"},
		{"smallest_change", object{"site": "www.bookshop.example", "urls": []string{"/a"}, "want": "free"}, "want is `free`. Expected: allow, disallow"},
		{"smallest_change", object{"site": "www.bookshop.example", "urls": []string{"/a"}, "want": "allow", "crawlers": []string{"Nobody"}}, "did not test the crawler"},
		{"smallest_change", object{"site": "www.bookshop.example", "urls": []string{"a\u202eb"}, "want": "allow"}, "is not a URL"},
		{"smallest_change", object{"site": "www.bookshop.example", "urls": []string{"/a"}, "want": "allow", "below": "yes"}, "below is a text. Expected true or false"},
		{"compare_runs", object{}, "there is no run before run"},
		{"compare_runs", object{"old": "../x", "new": "run"}, "old: there is no finished run"},
		{"compare_runs", object{"new": "nothing"}, "new: there is no finished run"},
	} {
		began := time.Now()
		_, failed := a.ask(c.tool, c.arguments)
		if !strings.Contains(failed, c.want) || len(failed) > 500 || strings.Contains(failed, filepath.Dir(run)) {
			t.Errorf("%s %.200v: %.600q, want %q", c.tool, c.arguments, failed, c.want)
		}
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%s %.200v took %v", c.tool, c.arguments, took)
		}
	}
}

// TestMCPPrivate fetches from this machine, which only the command line allows.
func TestMCPPrivate(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!DOCTYPE html><title>\u202ex</title>")
	}))
	defer server.Close()
	if _, failed := newAssistantOf(t).ask("check", object{"url": server.URL + "/a"}); !strings.Contains(failed, "is refused") {
		t.Errorf("without the flag: %q", failed)
	}
	is := newAssistantOf(t, "-allow-private").must("check", object{"url": server.URL + "/a", "crawlers": []string{"Googlebot"}})
	if is["robots_url"] != server.URL+"/robots.txt" || is["verdicts"].([]any)[0].(object)["verdict"] != "allow" || is["notes"] == nil {
		t.Errorf("with the flag: %v", is)
	}
}
