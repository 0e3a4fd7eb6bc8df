package engine

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestCrawlers(t *testing.T) {
	names := map[string]bool{}
	purposes := map[string]bool{}
	for _, c := range Crawlers() {
		if names[strings.ToLower(c.Name)] {
			t.Errorf("%s is listed twice", c.Name)
		}
		names[strings.ToLower(c.Name)] = true
		purposes[c.Purpose] = true
		if _, ok := ProfileByName(c.Profile); !ok {
			t.Errorf("%s: no profile %q", c.Name, c.Profile)
		}
		if c.Operator == "" || c.Purpose == "" || c.Obeys == "" || !strings.HasPrefix(c.Source, "https://") {
			t.Errorf("%s: an empty column: %+v", c.Name, c)
		}
		for _, token := range c.Tokens {
			if token == "" || productToken(token) != token && token != c.Agent { // an agent finds its group even if the token does not
				t.Errorf("%s: %q is no product token", c.Name, token)
			}
		}
		if c.CrawlDelay != "" && c.CrawlDelay != delayOwn && c.CrawlDelay != delayInherit {
			t.Errorf("%s: delay %q", c.Name, c.CrawlDelay)
		}
	}
	for _, name := range []string{
		"Googlebot", "Googlebot-Image", "Googlebot-News", "Storebot-Google", "AdsBot-Google", "Mediapartners-Google", "APIs-Google",
		"Google-Extended", "Bingbot", "AdIdxBot", "YandexBot", "YandexImages", "YandexDirect", "YandexCalendar",
		"GPTBot", "OAI-SearchBot", "ChatGPT-User", "ClaudeBot", "Claude-SearchBot", "Claude-User", "Applebot-Extended",
		"PerplexityBot", "CCBot", "Amazonbot", "meta-externalagent", "Bytespider",
		"AhrefsBot", "SemrushBot", "MJ12bot", "DotBot", "PetalBot", "Diffbot", "AI2Bot", "Timpibot", "cohere-ai", "SeznamBot", "Yeti",
		"Google-Agent", "Twitterbot", "LinkedInBot", "facebookexternalhit", "Pinterestbot", "Baiduspider", "Sogou", "Qwantbot",
		"MojeekBot", "archive.org_bot", "Bravebot",
	} {
		if !names[strings.ToLower(name)] {
			t.Errorf("%s is missing", name)
		}
	}
	for _, purpose := range []string{"search", "ads", "AI training", "AI search", "user fetch", "control token"} {
		if !purposes[purpose] {
			t.Errorf("nobody crawls for %q", purpose)
		}
	}
}

// TestUserAgents checks the list of User-Agents against the list of crawlers.
func TestUserAgents(t *testing.T) {
	headers := map[string]string{}
	for _, c := range Crawlers() {
		of, ok := UserAgentOf(strings.ToUpper(c.Name))
		if !ok {
			continue
		}
		if other := headers[of.Header]; other != "" {
			t.Errorf("%s and %s send the same", other, c.Name)
		}
		headers[of.Header] = c.Name
		if of.Name != c.Name || !strings.HasPrefix(of.Source, "https://") || !strings.HasPrefix(of.Dated, "202") {
			t.Errorf("%s: %+v", c.Name, of)
		}
		token := c.Tokens[0]
		if !strings.Contains(strings.ToLower(of.Header), strings.ToLower(token)) || strings.Contains(of.Header, "W.X.Y.Z") {
			t.Errorf("%s: %s", c.Name, of.Header)
		}
		if strings.ContainsFunc(of.Header, func(r rune) bool { return r < ' ' || r > '~' }) || strings.TrimSpace(of.Header) != of.Header {
			t.Errorf("%s: %q is no header", c.Name, of.Header)
		}
		if c.Purpose == "control token" || strings.Contains(c.Purpose, "retired") {
			t.Errorf("%s sends no requests", c.Name)
		}
	}
	if rows := strings.Count(userAgentsTSV, "\n") - strings.Count(userAgentsTSV, "\n#") - 2; rows != len(headers) {
		t.Errorf("%d rows, and %d crawlers have one", rows, len(headers))
	}
	for _, name := range []string{"Googlebot", "Bingbot", "YandexBot", "Applebot", "GPTBot", "ClaudeBot", "PerplexityBot", "CCBot", "Amazonbot"} {
		if _, ok := UserAgentOf(name); !ok {
			t.Errorf("%s has none", name)
		}
	}
}

func TestCrawlersCannotBeChanged(t *testing.T) {
	list := Crawlers()
	list[0].Name = "Changed"
	if Crawlers()[0].Name == "Changed" {
		t.Error("the list can be changed from outside")
	}
}

func TestParseCrawler(t *testing.T) {
	for _, tt := range []struct {
		in, name, profile string
		tokens            []string
	}{
		{"Googlebot", "Googlebot", "google", []string{"Googlebot"}},
		{"Googlebot@google-2019", "Googlebot", "google-2019", []string{"Googlebot"}},
		{"googlebot-image@google-2019", "Googlebot-Image", "google-2019", []string{"googlebot-image", "Googlebot"}},
		{"Bingbot", "Bingbot", "bing", []string{"Bingbot", "msnbot"}},
		{"YandexBot", "YandexBot", "yandex", []string{"YandexBot", "Yandex"}},
		{"YandexMetrika/4.0", "YandexMetrika/4.0", "yandex", []string{"YandexMetrika"}},
		{" token:MJ12bot ", "token:MJ12bot", "rfc9309", []string{"MJ12bot"}},
		{"token:FooBot@yandex", "token:FooBot", "yandex", []string{"FooBot"}},
		{"Token: Foo Bot ", "token:Foo Bot", "rfc9309", []string{"Foo Bot"}},
		{"token:Googlebot", "token:Googlebot", "rfc9309", []string{"Googlebot"}}, // not the listed one
		{"BINGBOT", "Bingbot", "bing", []string{"BINGBOT", "msnbot"}},
	} {
		c, err := ParseCrawler(tt.in)
		if err != nil || c.Name != tt.name || c.Profile != tt.profile || !slices.Equal(c.Tokens, tt.tokens) {
			t.Errorf("%q: %+v, %v", tt.in, c, err)
		}
	}
	for _, in := range []string{"", " ", "@google", "Googlebot@", "Googlebot@baidu", "Googlebot@google@google", "token:", "token:@google", "token: ", "token:a,b", "token:a#b", "token:a\nb", "token:\x00", "token:a\xff", "token:" + strings.Repeat("x", 201), "token:MyBot@gogle"} {
		if c, err := ParseCrawler(in); err == nil {
			t.Errorf("%q: %+v", in, c)
		}
	}
	for _, c := range Crawlers() {
		if again, err := ParseCrawler(c.Name); err != nil || again.Name != c.Name {
			t.Errorf("%s is listed, and found as %+v, %v", c.Name, again, err)
		}
	}
}

// TestUnknownCrawler: an unknown name is an error with the name that was probably
// intended, and is never taken for a product token.
func TestUnknownCrawler(t *testing.T) {
	for in, want := range map[string]string{
		"Googelbot": "Googlebot", "Google Bot!": "Googlebot", "googlebot-images": "Googlebot-Image", "Googlebot/2.1": "Googlebot",
		"Yandex": "YandexBot", "yandex-bot": "YandexBot", "Bing": "Bingbot", "GPT-Bot": "GPTBot", "Claude Bot@google": "ClaudeBot",
		"Anthropic": "anthropic-ai", "facebook": "facebookexternalhit", "Google_Extended": "Google-Extended",
		"MyBot": "", "FooBot": "", "*": "", "tokn:MyBot": "", "x": "", "Googlebot,Bingbot": "",
	} {
		c, err := ParseCrawler(in)
		var unknown *UnknownCrawlerError
		if !errors.As(err, &unknown) || unknown.Meant != want {
			t.Errorf("%q: %+v, %v; want %q", in, c, err, want)
			continue
		}
		if unknown.Written != in {
			t.Errorf("%q is told as %q", in, unknown.Written)
		}
		if asked := strings.Contains(err.Error(), "did you mean "+want+"?"); asked != (want != "") || !strings.Contains(err.Error(), "token:") {
			t.Errorf("%q: %v", in, err)
		}
	}
	if _, err := ParseCrawler(strings.Repeat("x", 1<<20)); err == nil || len(err.Error()) > 1000 {
		t.Error("a name of 1 MiB")
	}
	if _, err := ParseCrawler("MyBot"); err == nil || err.Error() != `unknown crawler "MyBot": to use a product token that is not in the list, write token:MyBot` {
		t.Error(err)
	}
}

func TestParseProfile(t *testing.T) {
	for in, want := range map[string]string{
		"google2023": `unknown profile "google2023": did you mean google-2023?`,
		"Yandex":     `unknown profile "Yandex": did you mean yandex?`,
		"netscape":   `unknown profile "netscape": expected one of google, google-2023, google-2019, google-oss, yandex, yandex-2016, bing, rfc9309, rep-1994`,
		"":           `unknown profile "": expected one of google, google-2023, google-2019, google-oss, yandex, yandex-2016, bing, rfc9309, rep-1994`,
	} {
		if p, err := ParseProfile(in); err == nil || err.Error() != want {
			t.Errorf("%q: %v, %v", in, p, err)
		}
	}
	for _, p := range Profiles() {
		if found, err := ParseProfile(p.Name); found != p || err != nil {
			t.Errorf("%s: %v, %v", p.Name, found, err)
		}
	}
}

// TestDigits: a crawler whose name is not a valid product token of RFC 9309
// still finds its group under rfc9309, by its full name.
func TestDigits(t *testing.T) {
	c := mustCrawler(t, "token:MJ12bot")
	const body = "user-agent: *\ndisallow: /a\n\nuser-agent: MJ12bot\ndisallow: /\n"
	g := mustProfile(t, "rfc9309").Parse([]byte(body)).Group(c)
	if g.Reason != Exact || g.Line != 4 {
		t.Errorf("%s, line %d", g.Reason, g.Line)
	}
	if g := mustProfile(t, "google").Parse([]byte(body)).Group(c); g.Reason != Global {
		t.Errorf("google: %s, line %d: its matcher cuts the value to MJ", g.Reason, g.Line)
	}
}

const ownColumns = "name\toperator\tpurpose\tprofile\ttokens\tagent\tstar\tobeys\tdelay\tsource\tdated\n"

// TestReadCrawlers: a user's list has the columns of crawlers.tsv, and every mistake is
// reported with file and line.
func TestReadCrawlers(t *testing.T) {
	const good = "ShopBot\tShop\tsearch\tgoogle\tShopBot,Googlebot\t\tno\tyes\town\t\t\n"
	for _, text := range []string{good, "\uFEFF" + ownColumns + good, "# ours\r\n\r\n" + strings.ReplaceAll(good, "\n", "\r\n")} {
		list, err := ReadCrawlers("more.tsv", text)
		if err != nil || len(list) != 1 || list[0].Name != "ShopBot" || !list[0].IgnoresGlobal || !slices.Equal(list[0].Tokens, []string{"ShopBot", "Googlebot"}) {
			t.Errorf("%q: %+v, %v", text, list, err)
		}
	}
	for text, want := range map[string]string{
		"": "more.tsv:1: no crawler", "# none\n": "more.tsv:1: no crawler",
		"name\ttokens\n":   "more.tsv:1: wrong columns",
		"ShopBot\n":        "more.tsv:1: 1 columns instead of 11",
		good + "\n" + good: "more.tsv:3: ShopBot is already in line 1",
		strings.Replace(good, "google", "gogle", 1):       `more.tsv:1: unknown profile "gogle"`,
		strings.Replace(good, "\tno\t", "\tnever\t", 1):   `more.tsv:1: star "never"`,
		strings.Replace(good, "\town\t", "\tsome\t", 1):   `more.tsv:1: delay "some"`,
		strings.Replace(good, "ShopBot,", "*,", 1):        "more.tsv:1: tokens",
		strings.Replace(good, "ShopBot,Googlebot", "", 1): "more.tsv:1: tokens",
		strings.Replace(good, "ShopBot", "Shop@Bot", 1):   "more.tsv:1: name",
		strings.Replace(good, "ShopBot", "", 1):           "more.tsv:1: name",
		strings.Replace(good, "Shop\t", "Sh\xffop\t", 1):  "more.tsv:1: not UTF-8",
		"Bad\n" + good + "Worse\t\n":                      "more.tsv:3: 2 columns",
	} {
		if _, err := ReadCrawlers("more.tsv", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestOwnCrawlers: a user's crawlers are found by name and similar name, and replace those of
// the list. Nothing changes for users who do not name them.
func TestOwnCrawlers(t *testing.T) {
	own := []Crawler{{Name: "ShopBot", Purpose: "search", Profile: "google", Tokens: []string{"ShopBot"}}, {Name: "GPTBot", Purpose: "ours", Profile: "google", Tokens: []string{"OtherBot"}}}
	if c, err := ParseCrawler("shopbot", own...); err != nil || c.Name != "ShopBot" || c.Profile != "google" {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err := ParseCrawler("GPTBot", own...); err != nil || c.Profile != "google" || c.Tokens[0] != "OtherBot" {
		t.Errorf("the list's wins: %+v, %v", c, err)
	}
	if c, err := ParseCrawler("ClaudeBot", own...); err != nil || c.Operator != "Anthropic" {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := ParseCrawler("Shop-Bot", own...); err == nil || !strings.Contains(err.Error(), "did you mean ShopBot?") {
		t.Error(err)
	}
	if _, err := ParseCrawler("ShopBot"); err == nil {
		t.Error("ShopBot is known to all now")
	}
	findings := Lint([]byte("User-agent: Shop-Bot\nDisallow: /\n"), LintOptions{Own: own})
	if !slices.ContainsFunc(findings, func(f Finding) bool { return strings.Contains(f.What, `almost "ShopBot"`) }) {
		t.Errorf("lint does not know ShopBot: %+v", findings)
	}
}

// TestCrawlerNames: a purpose means all crawlers that have it, in any spelling.
func TestCrawlerNames(t *testing.T) {
	own := Crawler{Name: "ShopBot", Purpose: "AI training", Profile: "google", Tokens: []string{"ShopBot"}}
	for _, in := range []string{"purpose:ai-training", " Purpose:AI training", "purpose:ai_training"} {
		names, err := CrawlerNames(in, own)
		if err != nil || !slices.Contains(names, "GPTBot") || !slices.Contains(names, "AI2Bot") || !slices.Contains(names, "ShopBot") || slices.Contains(names, "OAI-SearchBot") {
			t.Errorf("%q: %v, %v", in, names, err)
		}
	}
	if names, err := CrawlerNames("purpose:news@rfc9309"); err != nil || !slices.Contains(names, "Googlebot-News@rfc9309") {
		t.Errorf("%v, %v", names, err)
	}
	if names, err := CrawlerNames("Googlebot"); err != nil || !slices.Equal(names, []string{"Googlebot"}) {
		t.Errorf("%v, %v", names, err)
	}
	if _, err := CrawlerNames("purpose:training"); err == nil || !strings.Contains(err.Error(), "ai-training") {
		t.Error(err)
	}
	for in, want := range map[string]string{"AI": "did you mean purpose:ai-search or purpose:ai-training?", "searhc": "did you mean purpose:search?", "a": "expected one of"} {
		if _, err := CrawlerNames("purpose:" + in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", in, err, want)
		}
	}
	if _, err := ParseCrawler("purpose:search"); err == nil || !strings.Contains(err.Error(), "several crawlers") {
		t.Error(err)
	}
}

// TestTokensOfTheirOperators: a token that RFC 9309 does not allow finds its group. It is not a
// finding, since its operator writes it so.
func TestTokensOfTheirOperators(t *testing.T) {
	for _, name := range []string{"MJ12bot", "AI2Bot", "archive.org_bot", "Sogou"} {
		c := mustCrawler(t, name)
		p, _ := ProfileByName(c.Profile)
		body := []byte("User-agent: " + c.Tokens[0] + "\nDisallow: /\n")
		if p.Parse(body).Group(c).Verdict("/a").Verdict != Disallow {
			t.Errorf("%s does not find its group", name)
		}
		for _, f := range Lint(body, LintOptions{}) {
			if strings.HasPrefix(f.ID, "GRP") {
				t.Errorf("%s: %s %s", name, f.ID, f.What)
			}
		}
	}
}
