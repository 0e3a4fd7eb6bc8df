package engine

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// yandexCrawler returns the crawler of a row of Yandex's parser: a robot of the
// list with its name or its full name. The parser read "Yandex" as the main
// robot, and every unknown robot as "*".
func yandexCrawler(agent string) Crawler {
	if strings.EqualFold(agent, "Yandex") {
		agent = "YandexBot"
	}
	for _, c := range crawlers {
		if c.Operator == "Yandex" && (equalFold(c.Name, agent) || equalFold(c.Agent, agent)) {
			return c
		}
	}
	for _, known := range [][]string{{"GoogleBot", "Google"}, {"Slurp"}, {"msnbot", "msn"}, {"Baiduspider", "Baidu"}} {
		if strings.EqualFold(agent, known[0]) {
			return token(known...)
		}
	}
	return token("*")
}

// oddities are bugs of Yandex's parser that no profile imitates: they lose
// rules or groups in ways that no page describes.
var oddities = map[string]string{
	"glob":    "its wildcards miss matches that need a second try",
	"ualen":   "the length of a user-agent line ranks robots that it does not name",
	"empty2":  `"**" and "*$" match nothing and swallow the next entry`,
	"crblank": "blank lines vanish where lines end in CR alone",
}

// untagged are verdicts of the parser that are caused by an oddity but not
// tagged so: file and path.
var untagged = map[string]string{
	"64 /showthread.php/aaab":            "glob",
	"177 /shop/papapaya?x=1":             "glob",
	"236 /Овощи/cgi-bin/":                "empty2",
	"236 /cgi-bin/":                      "empty2",
	"236 /p":                             "empty2",
	"369 /%D0%81%D0%9B%D0%9A%D0%90/ITEM": "empty2",
}

// TestYandexParser compares the profile yandex with Yandex's parser of 2022-23.
func TestYandexParser(t *testing.T) {
	p := mustProfile(t, "yandex")
	met := map[string]bool{}
	for _, f := range readCases(t, "yandex_parser.jsonl.gz") {
		r := p.Parse(f.body())
		for _, ask := range f.Asks {
			key := f.ID + " " + strings.TrimPrefix(ask.URL, "http://example.com")
			odd := slices.ContainsFunc(ask.Quirks, func(quirk string) bool { return oddities[quirk] != "" })
			if !odd && untagged[key] != "" {
				odd, met[key] = true, true
			}
			if d := r.Group(yandexCrawler(ask.Agents[0])).Verdict(ask.URL); d.Verdict.String() != ask.Verdict && !odd {
				t.Errorf("%s: %s on %s: %v, line %d; the parser says %s, line %d", f.ID, ask.Agents[0], ask.URL, d.Verdict, d.Line(), ask.Verdict, *ask.Line)
			}
		}
	}
	for key := range untagged {
		if !met[key] {
			t.Errorf("%s: no such row", key)
		}
	}
}

// yandexCase is a fact about Yandex's parser.
type yandexCase struct {
	ID, Kind, Note, URL, Quirk string
	Robots                     string
	Base64                     []byte `json:"robots_b64"`
	Generate                   *struct {
		Head, Line, Tail string
		Count            int
	} `json:"robots_gen"`
	Options   map[string]string `json:"parser_options"`
	UserAgent string            `json:"user_agent"`
	Expected  json.RawMessage
	Sitemaps  []string
}

func (c *yandexCase) body() []byte {
	switch {
	case c.Base64 != nil:
		return c.Base64
	case c.Generate != nil:
		var b strings.Builder
		b.WriteString(c.Generate.Head)
		for i := range c.Generate.Count {
			b.WriteString(strings.ReplaceAll(c.Generate.Line, "%d", fmt.Sprint(i)) + "\n")
		}
		b.WriteString(c.Generate.Tail)
		return []byte(b.String())
	}
	return []byte(c.Robots)
}

// yandexSays lists the facts in which yandex does not follow the parser, with
// the sentence of the help that contradicts the parser.
var yandexSays = map[string]string{
	"limit-04": helpRules, "limit-05": helpRules, "limit-08": helpRules,
	"limit-10": helpSize, "limit-11": helpSize, "limit-12": helpSize, "limit-17": helpSize, "limit-18": helpSize,
	"host-05": helpHost, "host-06": helpHost, "host-07": helpHost, "host-08": helpHost, "host-09": helpHost,
	"host-10": helpHost, "host-11": helpHost, "host-12": helpHost, "host-13": helpHost, "host-31": helpHost,
	"clean-13": helpCleanPath, "clean-35": helpCleanPath, "clean-14": helpCleanName, "clean-15": helpCleanName,
	"clean-37": helpCleanSize, "clean-39": helpCleanSize,
	"delay-32":   helpGlobal,
	"sitemap-09": helpSitemap, "sitemap-10": helpSitemap, "sitemap-11": helpSitemap, "sitemap-15": helpSitemap,
}

// Sentences of Yandex's help.
const (
	helpSize      = "a file of more than 500 KB is considered open: the help counts the file, the parser what it stores of it"
	helpRules     = "more than 2,048 rules are an error of the analyser; that rules then stop counting the help does not say, and the parser did so only where its caller asked for it"
	helpHost      = "a host name as of RFC 952 with an optional port, https:// before it: the 13 forms that the help of 2016 lists are ignored"
	helpCleanPath = "the path of Clean-param holds letters, digits and . - / * _ alone"
	helpCleanName = "Clean-param: p0[&p1&..&pn] [path], at least one parameter"
	helpCleanSize = "a Clean-param rule has at most 500 characters"
	helpGlobal    = `robots that do not obey "User-agent: *" obey none of that group`
	helpSitemap   = "a Sitemap line holds a full URL; no further condition is set on it"
)

func TestYandexCases(t *testing.T) {
	readRows(t, "yandex_cases.jsonl.gz", func(line []byte) error {
		var c yandexCase
		if err := json.Unmarshal(line, &c); err != nil {
			return err
		}
		got, want, ok := yandexFact(t, &c)
		if !ok {
			return nil
		}
		agree := got == want
		switch reason := yandexSays[c.ID]; {
		case !agree && reason == "" && oddities[c.Quirk] == "":
			t.Errorf("%s %s: %s, the parser says %s: %s\n%.80q", c.Kind, c.ID, got, want, c.Note, c.body())
		case agree && reason != "":
			t.Errorf("%s agrees: %s", c.ID, reason)
		}
		return nil
	})
}

// yandexFact returns the result of the profile for a case, and the recorded
// result of the parser, both as text.
func yandexFact(t *testing.T, c *yandexCase) (got, want string, ok bool) {
	p := *mustProfile(t, "yandex")
	p.CrawlDelay, p.Host = true, true // as the parser did
	r := p.Parse(c.body())
	g := r.Group(yandexCrawler(c.UserAgent))
	switch c.Kind {
	case "verdict":
		verdict := unmarshalled[string](t, c.Expected)
		return g.Verdict(c.URL).Verdict.String(), verdict, true
	case "group":
		e := unmarshalled[struct {
			Section string
			Lines   []int `json:"rule_lines"`
			Verdict string
		}](t, c.Expected)
		lines := []int{}
		g.rank()
		for i := range g.ranked {
			lines = append(lines, g.Rules[g.ranked[i].rule].Line)
		}
		slices.Sort(lines)
		section := map[GroupReason]string{Exact: "own", Fallback: "own", Global: "*", None: "none", Exempt: "none"}[g.Reason]
		return fmt.Sprintln(section, lines, g.Verdict(c.URL).Verdict), fmt.Sprintln(e.Section, e.Lines, e.Verdict), true
	case "host":
		return r.Host(), unmarshalled[string](t, c.Expected), true // null is ""
	case "crawl_delay":
		ms := unmarshalled[float64](t, c.Expected)
		return fmt.Sprint(math.Floor(g.CrawlDelay * 1000)), fmt.Sprint(max(0, ms)), true
	case "clean_param":
		rules := unmarshalled[[]string](t, c.Expected)
		list := []string{}
		for _, rule := range r.CleanParams() {
			if rule.Problem == "" {
				name, _, _ := strings.Cut(rule.Value, " ")
				list = append(list, name+" "+strings.ReplaceAll(strings.ReplaceAll(rule.Path, ".", `\.`), "*", ".*")+".*")
			}
		}
		slices.Sort(list)
		return fmt.Sprintf("%q", slices.Compact(list)), fmt.Sprintf("%q", rules), true
	}
	if c.Sitemaps == nil {
		return "", "", false
	}
	list := []string{}
	for _, line := range r.Sitemaps() {
		list = append(list, line.Value)
	}
	slices.Sort(list)
	return fmt.Sprintf("%q", slices.Compact(list)), fmt.Sprintf("%q", c.Sitemaps), true
}

func unmarshalled[V any](t *testing.T, text json.RawMessage) (v V) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}
