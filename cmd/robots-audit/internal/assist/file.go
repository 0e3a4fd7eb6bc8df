package assist

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// defaultCrawlers are those of an audit.
var defaultCrawlers = []string{"Googlebot", "Bingbot", "YandexBot"}

// addFileTools adds the tools that work without a run.
func (s *Server) addFileTools() {
	add(s, tool{
		name: "check", title: "Test a URL against robots.txt", network: true,
		about: "Tests one URL for crawlers: blocked or allowed, by which line, and why. Without robots, it fetches the robots.txt of the URL's host from the internet. Private addresses are refused.",
	}, s.check)
	add(s, tool{
		name: "explain", title: "Explain why a URL is blocked",
		about: "Explains the verdict on a URL for each crawler: the group, the lines that took part, the line that decides, and what happens without it. By the text of a robots.txt, or by a run, which also shows where the URL was found and its verdicts in earlier runs.",
	}, s.explain)
	add(s, tool{
		name: "lint", title: "Find mistakes in a robots.txt", list: "findings",
		about:  "Finds mistakes in the text of a robots.txt, and how to fix them. Findings are in the order of the file.",
		values: map[string][]string{"severity": {"info", "warning", "error", "critical"}},
	}, s.lint)
}

// checkArguments are the arguments of check.
type checkArguments struct {
	URL      string   `json:"url" jsonschema:"the URL to test, such as https://www.example.com/shop/a. With robots, a path such as /shop/a is enough"`
	Robots   *string  `json:"robots,omitempty" jsonschema:"the text of a robots.txt to test with. Without it, the robots.txt of the URL's host is fetched"`
	Crawlers []string `json:"crawlers,omitempty" jsonschema:"names of crawlers, such as Googlebot, GPTBot, token:MyBot, Googlebot@google-2019, or purpose:ai-training for all crawlers with this purpose. Without it: Googlebot, Bingbot and YandexBot"`
}

// checkAnswer is the answer of check, and of explain with a text.
type checkAnswer struct {
	Summary   string   `json:"summary" jsonschema:"the answer in words"`
	URL       string   `json:"url"`
	RobotsURL string   `json:"robots_url,omitempty" jsonschema:"the robots.txt that was fetched"`
	Verdicts  []any    `json:"verdicts" jsonschema:"a verdict for each crawler: allow, disallow, undefined or unknown, with the line, the rule, the group and the reason"`
	Notes     []string `json:"notes,omitempty" jsonschema:"what to know about the robots.txt"`
}

func (s *Server) check(ctx context.Context, in *checkArguments) (*checkAnswer, error) {
	a := &checkAnswer{URL: in.URL, Verdicts: []any{}}
	crawlers, err := crawlersOf(in.Crawlers)
	if err != nil {
		return nil, err
	}
	answers := &audit.Answers{}
	if in.Robots != nil {
		answers.Add(0, "", &crawl.RobotsFile{Outcome: crawl.Outcome{Status: 200}, Body: []byte(*in.Robots)})
	} else if answers, a.RobotsURL, err = s.fetch(ctx, in.URL); err != nil {
		return nil, err
	}
	var words verdictWords
	for _, c := range crawlers {
		profile, err := engine.ParseProfile(c.Profile)
		if err != nil {
			return nil, err
		}
		if problem := profile.URLProblem(in.URL); problem != "" {
			return nil, fmt.Errorf("url: %s %s", shortened(in.URL), problem)
		}
		reader := answers.Reader(0, profile, c)
		var v map[string]any
		if err := decodeView(strings.NewReader("{"+strings.TrimPrefix(string(s.o.Verdict(&reader, in.URL)), ",")+"}"), &v); err != nil {
			return nil, err
		}
		why := audit.ReadWhy(reader.Robots.Why)
		v["crawler"], v["profile"], v["access"], v["access_why"] = c.Name, profile.Name, reader.Robots.Access.String(), why
		a.Verdicts = append(a.Verdicts, v)
		if reader.Robots.Access == engine.Parsed {
			why = text(v["why"])
		}
		words.add(c.Name, v, why)
		if a.RobotsURL != "" && a.Notes == nil {
			a.Notes = s.o.Notes(a.RobotsURL, answers, c, profile)
		}
	}
	a.Summary = words.about(in.URL)
	return a, nil
}

// fetch fetches the robots.txt that applies to a URL.
func (s *Server) fetch(ctx context.Context, of string) (answers *audit.Answers, address string, err error) {
	u, err := url.Parse(of)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, "", errors.New("url: expected a URL that begins with http:// or https://, or the text of a robots.txt in robots")
	case u.User != nil:
		return nil, "", errors.New("url: it has a name or a password. Remove them")
	}
	address, ok := engine.RobotsURL(of)
	if !ok {
		return nil, "", fmt.Errorf("url: %s is not absolute", shortened(of))
	}
	if answers, err = s.o.Fetch(ctx, strings.TrimSuffix(address, "/robots.txt")); err == nil {
		err = ctx.Err()
	}
	return answers, address, err
}

// crawlersOf reads names of crawlers.
func crawlersOf(list []string) (crawlers []engine.Crawler, err error) {
	if len(list) == 0 {
		list = defaultCrawlers
	}
	for _, entry := range list {
		names, err := engine.CrawlerNames(entry)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			c, err := engine.ParseCrawler(name)
			if err != nil {
				return nil, err
			}
			crawlers = append(crawlers, c)
		}
	}
	if len(crawlers) > maxCrawlers {
		return nil, fmt.Errorf("crawlers: %d crawlers. At most %d are possible", len(crawlers), maxCrawlers)
	}
	return crawlers, nil
}

// maxCrawlers limits the crawlers of one call.
const maxCrawlers = 100

// verdictWords are verdicts in words.
type verdictWords []sentence

// sentence is a verdict, and the crawlers that share it.
type sentence struct {
	verdict, reason string
	crawlers        []string
}

// add adds the verdict for a crawler, and why it is so if no line decides.
func (w *verdictWords) add(crawler string, v map[string]any, why string) {
	of := sentence{verdict: verdictNames[text(v["verdict"])], reason: strings.TrimSuffix(cmp.Or(why, "no rule matches"), ".")}
	if line := number(v["line"]); line > 0 {
		of.reason = fmt.Sprintf("line %d %s", line, shortened(text(v["rule"])))
	}
	at := slices.IndexFunc(*w, func(o sentence) bool { return o.verdict == of.verdict && o.reason == of.reason })
	if at < 0 {
		at, *w = len(*w), append(*w, of)
	}
	(*w)[at].crawlers = append((*w)[at].crawlers, crawler)
}

var verdictNames = map[string]string{"allow": "Allowed", "disallow": "Blocked", "undefined": "Undefined", "unknown": "Unknown"}

// about is the text for a URL.
func (w verdictWords) about(url string) string {
	text := shortened(url) + ":"
	for _, s := range w {
		text += fmt.Sprintf(" %s for %s: %s.", s.verdict, wording.Some(s.crawlers), s.reason)
	}
	return text
}

// lintArguments are the arguments of lint.
type lintArguments struct {
	Robots   string `json:"robots" jsonschema:"the text of the robots.txt"`
	Severity string `json:"severity,omitempty" jsonschema:"lowest severity to list. Without it: info, which is all findings"`
	From     int64  `json:"from,omitempty" jsonschema:"number of findings to skip, for the next part of the list"`
}

// lintAnswer is the answer of lint.
type lintAnswer struct {
	Summary  string         `json:"summary" jsonschema:"the answer in words"`
	Counts   map[string]int `json:"counts" jsonschema:"number of findings by severity"`
	Findings []any          `json:"findings" jsonschema:"findings with their line, what is wrong, why it matters and the fix. Line 0 is the whole file"`
	From     int64          `json:"from"`
	Total    int64          `json:"total"`
	Next     *int64         `json:"next,omitempty" jsonschema:"value of from for the next part; missing = this is the last"`
}

func (s *Server) lint(_ context.Context, in *lintArguments) (*lintAnswer, error) {
	lowest := engine.Info
	if in.Severity != "" && lowest.UnmarshalText([]byte(in.Severity)) != nil {
		return nil, errors.New("severity: expected info, warning, error or critical")
	}
	a := &lintAnswer{Counts: map[string]int{}, Findings: []any{}, From: in.From}
	for s := engine.Info; s <= engine.Critical; s++ {
		a.Counts[s.String()] = 0
	}
	var parts []string
	for _, f := range engine.Lint([]byte(in.Robots), engine.LintOptions{}) {
		if f.Severity < lowest {
			continue
		}
		a.Counts[f.Severity.String()] += 1 + f.More
		if a.Total++; a.Total > in.From && len(a.Findings) < maxEntries {
			a.Findings = append(a.Findings, f)
		}
	}
	for s := int(engine.Critical); s >= int(engine.Info); s-- {
		name := engine.Severity(s).String()
		if n := a.Counts[name]; n > 0 {
			parts = append(parts, wording.Thousands(n)+" "+name)
		}
	}
	if a.Summary = "Findings: " + strings.Join(parts, ", ") + "."; parts == nil {
		a.Summary = "Nothing found."
	}
	return a, nil
}
