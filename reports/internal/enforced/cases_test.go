package enforced

import (
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine"
)

var (
	forbidden = audit.Reply{Treatment: audit.Refused, Why: audit.WhyStatus, Status: 403, Asked: 2}
	open      = "User-agent: *\nAllow: /\n"
	crawlers  = []string{"OAI-SearchBot", "ChatGPT-User", "GPTBot"}
)

// cases have one contradiction or note each, with its words.
var cases = []struct {
	name     string
	world    *world
	headline string
	want     []string // "code crawler severity: sentence"
}{
	{"all let in", newWorld(open, "GPTBot", "ClaudeBot"), "GPTBot and ClaudeBot are let in when asked from here. No contradiction was found.", nil},
	{"refused", newWorld(open, "GPTBot", "ClaudeBot").answer(0, forbidden).answer(1, forbidden), "GPTBot and ClaudeBot are refused when asked from here, though robots.txt allows them.", []string{
		"allowed_refused GPTBot warning: robots.txt allows GPTBot, but the server refused all 3 pages when asked as GPTBot from here (HTTP 403).",
		"allowed_refused ClaudeBot warning: robots.txt allows ClaudeBot, but the server refused all 3 pages when asked as ClaudeBot from here (HTTP 403).",
	}},
	{"refused, the logs prove it", newWorld(open, "Googlebot").answer(0, forbidden).log("Googlebot", audit.LogTally{Requests: 97}, audit.LogTally{}, audit.LogCount{Name: "403", Requests: 97}),
		"Googlebot is refused when asked from here, though robots.txt allows it. In the logs, the genuine Googlebot got HTTP 403 in 97 of 97 requests.", []string{
			"allowed_refused Googlebot critical: robots.txt allows Googlebot, but the server refused all 3 pages when asked as Googlebot from here (HTTP 403). In the logs, the genuine Googlebot got HTTP 403 in 97 of 97 requests.",
		}},
	{"half of the requests in the logs", newWorld(open, "Googlebot").log("Googlebot", audit.LogTally{Requests: 60}, audit.LogTally{}, audit.LogCount{Name: "403", Requests: 30}, audit.LogCount{Name: "200", Requests: 30}),
		"In the logs, the genuine Googlebot got HTTP 403 in 30 of 60 requests.", []string{
			"allowed_refused_in_logs Googlebot error: robots.txt allows Googlebot, but in the logs the genuine Googlebot got HTTP 403 in 30 of 60 requests. The server served 3 pages when asked as Googlebot from here.",
		}},
	{"asked to pay in the logs, with a licence", newWorld(open, "GPTBot").file(3).log("GPTBot", audit.LogTally{Requests: 60}, audit.LogTally{}, audit.LogCount{Name: "402", Requests: 60}),
		"GPTBot is let in when asked from here. No contradiction was found.", nil},
	{"refused, but the genuine crawler gets pages", newWorld(open, "GPTBot").answer(0, forbidden).log("GPTBot", audit.LogTally{Requests: 97}, audit.LogTally{}, audit.LogCount{Name: "200", Requests: 95}, audit.LogCount{Name: "404", Requests: 2}),
		"GPTBot is refused when asked from here. No contradiction was found.", []string{
			"genuine_served GPTBot info: The server refused all 3 pages when asked as GPTBot from here (HTTP 403). The logs show success in 95 of 97 requests by the genuine GPTBot. The server seems to know its addresses.",
		}},
	{"refused, the logs prove nothing", newWorld(open, "GPTBot").answer(0, forbidden, audit.AskedHome).log("GPTBot", audit.LogTally{}, audit.LogTally{Requests: 90}, audit.LogCount{Name: "403", Requests: 50}, audit.LogCount{Name: "429", Requests: 40}),
		"GPTBot is refused for some pages when asked from here, though robots.txt allows it.", []string{
			"allowed_refused GPTBot warning: robots.txt allows GPTBot, but the server refused 1 of 3 pages when asked as GPTBot from here (HTTP 403). The logs show HTTP 403 or another error in 90 of 90 requests in the name of GPTBot, but not whether these were genuine.",
		}},
	{"challenged and something else", newWorld(open, "GPTBot").answer(0, audit.Reply{Treatment: audit.Challenged, Why: audit.WhyChallenge, Status: 200}, audit.AskedHome).answer(0, audit.Reply{Treatment: audit.Otherwise, Why: audit.WhySize, Status: 200}, audit.AskedPage),
		"GPTBot is challenged when asked from here, though robots.txt allows it. GPTBot is served something else when asked from here, though robots.txt allows it.", []string{
			"allowed_challenged GPTBot warning: robots.txt allows GPTBot, but the server challenged requests for 1 of 3 pages when asked as GPTBot from here (a challenge).",
			"allowed_something_else GPTBot warning: robots.txt allows GPTBot, but the server served something else for 2 of 3 pages when asked as GPTBot from here (far smaller or larger).",
		}},
	{"asked to pay", newWorld(open, "GPTBot").answer(0, audit.Reply{Treatment: audit.AskedToPay, Why: audit.WhyPayment, Status: 402, Evidence: map[string]string{"Server": "edge"}}, audit.AskedHome, audit.AskedPage),
		"GPTBot is asked to pay when asked from here, though robots.txt allows it.", []string{
			"allowed_asked_to_pay GPTBot warning: robots.txt allows GPTBot, but the server asked to pay for all 3 pages when asked as GPTBot from here (HTTP 402).",
		}},
	{"asked to pay a price", newWorld("User-agent: *\nDisallow: /\n", "GPTBot").answer(0, audit.Reply{Treatment: audit.AskedToPay, Why: audit.WhyPayment, Status: 402, Evidence: map[string]string{"Crawler-Price": "USD 0.01"}}, audit.AskedPage),
		"No contradiction was found for 1 of 1 crawler.", nil},
	{"refused in the logs only", newWorld(open, "GPTBot").log("ClaudeBot", audit.LogTally{Requests: 80}, audit.LogTally{}, audit.LogCount{Name: "403", Requests: 80}).log("GPTBot", audit.LogTally{Requests: 80}, audit.LogTally{}, audit.LogCount{Name: "503", Requests: 80}),
		"By the logs, the server refused at least half of the requests of the genuine GPTBot and ClaudeBot.", []string{
			"allowed_refused_in_logs GPTBot error: robots.txt allows GPTBot, but in the logs the genuine GPTBot got HTTP 503 in 80 of 80 requests. The server served 3 pages when asked as GPTBot from here.",
			"allowed_refused_in_logs ClaudeBot error: robots.txt allows ClaudeBot, but in the logs the genuine ClaudeBot got HTTP 403 in 80 of 80 requests.",
		}},
	{"blocked, but fetched", newWorld("User-agent: Bytespider\nDisallow: /\n", "GPTBot").log("Bytespider", audit.LogTally{Requests: 100, Disobeyed: 97}, audit.LogTally{}, audit.LogCount{Name: "200", Requests: 90}, audit.LogCount{Name: "404", Requests: 10}),
		"In the logs, Bytespider requested URLs that robots.txt blocks.", []string{
			"blocked_fetched Bytespider warning: robots.txt blocks URLs for Bytespider, but the logs show 97 requests for them from its own addresses. At least 87 of them got the page.",
		}},
	{"blocked and refused", newWorld("User-agent: GPTBot\nDisallow: /\n", "GPTBot").answer(0, forbidden).log("GPTBot", audit.LogTally{Requests: 90, Disobeyed: 90}, audit.LogTally{}, audit.LogCount{Name: "403", Requests: 90}), "GPTBot is refused when asked from here. No contradiction was found.", nil},
	{"blocked and let in", newWorld("User-agent: GPTBot\nDisallow: /\n", "GPTBot"), "GPTBot is let in when asked from here. No contradiction was found.", nil},
	{"blocked pages refused", newWorld("User-agent: *\nDisallow: /p\n", "GPTBot").answer(0, forbidden, audit.AskedPage), "No contradiction was found for 1 of 1 crawler.", nil},
	{"the server refuses us", newWorld(open, "GPTBot").answer(0, audit.Reply{Treatment: audit.Unclear, Why: audit.WhyRefusesUs, Status: 403}), "The server refuses us under our own name (HTTP 403). How it treats crawlers is not known.", nil},
	{"one is unclear", newWorld(open, "GPTBot", "ClaudeBot").answer(1, audit.Reply{Treatment: audit.Unclear, Why: audit.WhyUnstable, Status: 200}), "GPTBot is let in when asked from here. No contradiction was found. How the server treats ClaudeBot, or what robots.txt says to it, is unclear.", nil},
	{"robots.txt is not known", newWorld("", "GPTBot").answer(0, forbidden), "How the server treats GPTBot, or what robots.txt says to it, is unclear.", nil},
	{"another robots.txt", newWorld(open, "GPTBot").answer(0, audit.Reply{Treatment: audit.Otherwise, Why: audit.WhyContent, Status: 200}, audit.AskedRobots).answer(0, forbidden, audit.AskedPage),
		"The server served another robots.txt when asked as GPTBot from here. What it says to GPTBot is not known. How the server treats GPTBot, or what robots.txt says to it, is unclear.", []string{
			"other_robots GPTBot warning: The server served another robots.txt when asked as GPTBot from here. What it says to GPTBot is not known.",
		}},
	{"robots.txt refused", newWorld(open, "GPTBot").answer(0, forbidden, audit.AskedRobots), "The server served pages, but refused robots.txt when asked as GPTBot from here (HTTP 403).", []string{
		"parts_refused GPTBot warning: The server served pages, but refused robots.txt when asked as GPTBot from here (HTTP 403).",
	}},
	{"parts refused", newWorld(open, "Googlebot", "GPTBot").answer(0, forbidden, audit.AskedStyleSheet, audit.AskedScript).answer(1, forbidden, audit.AskedScript), "The server served pages, but refused the style sheet and script when asked as Googlebot from here (HTTP 403).", []string{
		"parts_refused Googlebot warning: The server served pages, but refused the style sheet and script when asked as Googlebot from here (HTTP 403).",
	}},
	{"noindex by name", newWorld(open, "Googlebot").answer(0, audit.Reply{Treatment: audit.Otherwise, Why: audit.WhyNoIndex, Status: 200, NoIndex: true}, audit.AskedPage), "robots.txt allows Googlebot, but 2 of 3 pages have noindex only when asked as Googlebot from here.", []string{
		"noindex_by_name Googlebot warning: robots.txt allows Googlebot, but 2 of 3 pages have noindex only when asked as Googlebot from here.",
	}},
	{"search without the fetcher", newWorld("User-agent: ChatGPT-User\nDisallow: /\n\nUser-agent: *\nAllow: /\n", crawlers...), "robots.txt allows OAI-SearchBot (AI search), but not ChatGPT-User (user fetch) of OpenAI.", []string{
		"operator_mixed ChatGPT-User warning: robots.txt allows OAI-SearchBot (AI search), but not ChatGPT-User (user fetch) of OpenAI.",
	}},
	{"training without search", newWorld(open, crawlers...).answer(0, forbidden), "OAI-SearchBot is refused when asked from here, though robots.txt allows it.", []string{
		"allowed_refused OAI-SearchBot warning: robots.txt allows OAI-SearchBot, but the server refused all 3 pages when asked as OAI-SearchBot from here (HTTP 403).",
		"operator_mixed OAI-SearchBot warning: When asked from here, the server lets in GPTBot (AI training), but not OAI-SearchBot (AI search) of OpenAI.",
	}},
	{"training forbidden, let in", newWorld("User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n", "GPTBot", "Googlebot"), "Line 2 of robots.txt says no to AI training. robots.txt allows GPTBot, and the server served 3 pages when asked as GPTBot from here.", []string{
		"said_no_let_in GPTBot warning: Line 2 of robots.txt says no to AI training. robots.txt allows GPTBot, and the server served 3 pages when asked as GPTBot from here.",
	}},
	{"the signal of another group", newWorld("User-agent: GPTBot\nAllow: /\n\nUser-agent: *\nContent-Signal: ai-train=no\nAllow: /\n", "GPTBot"), "GPTBot is let in when asked from here. No contradiction was found.", nil},
	{"noai on pages", newWorld(open, "GPTBot").page(audit.PolicyStatement{Source: "header", Text: "X-Robots-Tag: noai", Purpose: "all", Says: "no"}), "GPTBot is let in when asked from here. No contradiction was found.", []string{
		"said_no_let_in GPTBot info: A response header says no to all use. robots.txt allows GPTBot, and the server served 3 pages when asked as GPTBot from here.",
	}},
	{"training permitted, blocked", newWorld("User-agent: *\nDisallow: /\n", "GPTBot").file(3, audit.PolicyStatement{Purpose: "training", Says: "yes"}), "The RSL licence says yes to AI training, but robots.txt blocks 3 pages for GPTBot.", []string{
		"said_yes_blocked GPTBot warning: The RSL licence says yes to AI training, but robots.txt blocks 3 pages for GPTBot.",
	}},
	{"a licence to pay for, let in", newWorld(open, "GPTBot").file(3, audit.PolicyStatement{Purpose: "training", Says: "pay"}), "GPTBot is let in when asked from here. No contradiction was found.", []string{
		"pay_let_in GPTBot info: The RSL licence asks for payment or a licence for AI training. The server served 3 pages without it when asked as GPTBot from here.",
	}},
	{"a licence of a group", licensed(newWorld("User-agent: GPTBot\nAllow: /\nLicense: /l.xml\nUser-agent: *\nAllow: /\n", "GPTBot", "ClaudeBot").file(3, audit.PolicyStatement{Purpose: "training", Says: "pay"}), "GPTBot"), "GPTBot and ClaudeBot are let in when asked from here. No contradiction was found.", []string{
		"pay_let_in GPTBot info: The RSL licence asks for payment or a licence for AI training. The server served 3 pages without it when asked as GPTBot from here.",
	}},
	{"a licence of a group replaces the one of the site", licensed(newWorld("User-agent: *\nAllow: /\nLicense: /l.xml\n", "GPTBot").file(3, audit.PolicyStatement{Purpose: "training", Says: "yes"}), "*").licence(audit.PolicyStatement{Purpose: "training", Says: "pay"}), "GPTBot is let in when asked from here. No contradiction was found.", nil},
	{"statements disagree", newWorld("User-agent: *\nContent-Signal: ai-train=yes\nDisallow: /\n", "Googlebot").file(0, audit.PolicyStatement{Purpose: "mining", Says: "no", Path: "/p*"}), "Line 2 of robots.txt says yes to AI training, but tdmrep.json says no to text and data mining, for 2 of 3 pages.", []string{
		"statements_disagree  warning: Line 2 of robots.txt says yes to AI training, but tdmrep.json says no to text and data mining, for 2 of 3 pages.",
	}},
	{"logs of errors and pages", newWorld(open, "GPTBot").answer(0, forbidden).log("GPTBot", audit.LogTally{Requests: 10}, audit.LogTally{}, audit.LogCount{Name: "200", Requests: 5}, audit.LogCount{Name: "403", Requests: 4}, audit.LogCount{Name: "404", Requests: 1}),
		"GPTBot is refused when asked from here, though robots.txt allows it.", []string{"allowed_refused GPTBot warning: robots.txt allows GPTBot, but the server refused all 3 pages when asked as GPTBot from here (HTTP 403)."}},
	{"the logs have robots.txt, too", robotsLogged(newWorld(open, "GPTBot").answer(0, forbidden).log("GPTBot", audit.LogTally{Requests: 150}, audit.LogTally{}, audit.LogCount{Name: "200", Requests: 80}, audit.LogCount{Name: "403", Requests: 70})),
		"GPTBot is refused when asked from here, though robots.txt allows it. In the logs, the genuine GPTBot got HTTP 403 in 60 of 60 requests.", []string{
			"allowed_refused GPTBot error: robots.txt allows GPTBot, but the server refused all 3 pages when asked as GPTBot from here (HTTP 403). In the logs, the genuine GPTBot got HTTP 403 in 60 of 60 requests.",
		}},
	{"it disobeyed a rule that is no more", unblocked(newWorld(open, "GPTBot").log("GPTBot", audit.LogTally{Requests: 90, Disobeyed: 90}, audit.LogTally{}, audit.LogCount{Name: "200", Requests: 90})), "GPTBot is let in when asked from here. No contradiction was found.", nil},
	{"the most severe first", newWorld(open, "GPTBot", "ClaudeBot").answer(0, forbidden, audit.AskedHome).log("ClaudeBot", audit.LogTally{Requests: 80}, audit.LogTally{}, audit.LogCount{Name: "403", Requests: 80}),
		"GPTBot is refused for some pages when asked from here, though robots.txt allows it. In the logs, the genuine ClaudeBot got HTTP 403 in 80 of 80 requests.", []string{
			"allowed_refused_in_logs ClaudeBot error: robots.txt allows ClaudeBot, but in the logs the genuine ClaudeBot got HTTP 403 in 80 of 80 requests. The server served 3 pages when asked as ClaudeBot from here.",
			"allowed_refused GPTBot warning: robots.txt allows GPTBot, but the server refused 1 of 3 pages when asked as GPTBot from here (HTTP 403).",
		}},
	{"blocked parts refused", newWorld("User-agent: *\nDisallow: /a.css\n", "Googlebot").answer(0, forbidden, audit.AskedStyleSheet), "No contradiction was found for 1 of 1 crawler.", nil},
	{"the sitemap is another", newWorld(open, "GPTBot").answer(0, audit.Reply{Treatment: audit.Otherwise, Why: audit.WhyContent, Status: 200}, audit.AskedSitemap), "No contradiction was found for 1 of 1 crawler.", nil},
	{"an operator that was not asked", newWorld("User-agent: ChatGPT-User\nDisallow: /\n\nUser-agent: *\nAllow: /\n", "ClaudeBot"), "ClaudeBot is let in when asked from here. No contradiction was found.", nil},
	{"all of an operator refused", newWorld(open, "GPTBot", "OAI-SearchBot").answer(0, forbidden).answer(1, forbidden), "GPTBot and OAI-SearchBot are refused when asked from here, though robots.txt allows them.", []string{
		"allowed_refused GPTBot warning: robots.txt allows GPTBot, but the server refused all 3 pages when asked as GPTBot from here (HTTP 403).",
		"allowed_refused OAI-SearchBot warning: robots.txt allows OAI-SearchBot, but the server refused all 3 pages when asked as OAI-SearchBot from here (HTTP 403).",
	}},
	{"partly blocked fetcher", newWorld("User-agent: ChatGPT-User\nDisallow: /p1\n\nUser-agent: *\nAllow: /\n", crawlers...), "OAI-SearchBot, ChatGPT-User and GPTBot are let in when asked from here. No contradiction was found.", nil},
	{"some refuse us", newWorld(open, "GPTBot").answer(0, audit.Reply{Treatment: audit.Unclear, Why: audit.WhyRefusesUs, Status: 403}, audit.AskedSitemap).answer(0, forbidden, audit.AskedHome), "GPTBot is refused for some pages when asked from here, though robots.txt allows it.", []string{
		"allowed_refused GPTBot warning: robots.txt allows GPTBot, but the server refused 1 of 3 pages when asked as GPTBot from here (HTTP 403).",
	}},
	{"a name after all names", newWorld(open, "GPTBot").file(1, audit.PolicyStatement{Purpose: "training", Says: "yes"}, audit.PolicyStatement{Purpose: "training", Token: "GPTBot", Says: "no"}), "ai.txt says no to AI training. robots.txt allows GPTBot, and the server served 3 pages when asked as GPTBot from here.", []string{
		"said_no_let_in GPTBot warning: ai.txt says no to AI training. robots.txt allows GPTBot, and the server served 3 pages when asked as GPTBot from here.",
	}},
	{"yes and no in one file", newWorld(open, "GPTBot").file(0, audit.PolicyStatement{Purpose: "mining", Says: "yes", Path: "/p1"}, audit.PolicyStatement{Purpose: "mining", Says: "no"}), "tdmrep.json says no to text and data mining. robots.txt allows GPTBot, and the server served 2 pages when asked as GPTBot from here.", []string{
		"said_no_let_in GPTBot warning: tdmrep.json says no to text and data mining. robots.txt allows GPTBot, and the server served 2 pages when asked as GPTBot from here.",
	}},
	{"a pattern with a rule in it", newWorld(open, "GPTBot").file(0, audit.PolicyStatement{Purpose: "mining", Says: "no", Path: "/x\ndisallow: /"}), "GPTBot is let in when asked from here. No contradiction was found.", nil},
	{"statements about all use", elsewhere(newWorld(open, "GPTBot").answer(0, audit.Reply{Treatment: audit.Unclear, Why: audit.WhyUnstable}).file(1, audit.PolicyStatement{Purpose: "all", Says: "yes"}).file(3, audit.PolicyStatement{Purpose: "all", Says: "no"})),
		"ai.txt says yes to all use, but the RSL licence says no to all use, for 3 of 4 pages. How the server treats GPTBot, or what robots.txt says to it, is unclear.", []string{
			"statements_disagree  warning: ai.txt says yes to all use, but the RSL licence says no to all use, for 3 of 4 pages.",
		}},
	{"llms.txt and a fetcher that obeys nothing", linked(newWorld("User-agent: Perplexity-User\nDisallow: /docs\n", "Perplexity-User")), "Perplexity-User is let in when asked from here. No contradiction was found.", nil},
	{"llms.txt and another robots.txt", linked(newWorld("User-agent: *\nDisallow: /docs\n", "OAI-SearchBot").answer(0, audit.Reply{Treatment: audit.Otherwise, Why: audit.WhyContent, Status: 200}, audit.AskedRobots)),
		"The server served another robots.txt when asked as OAI-SearchBot from here. What it says to OAI-SearchBot is not known. How the server treats OAI-SearchBot, or what robots.txt says to it, is unclear.", []string{
			"other_robots OAI-SearchBot warning: The server served another robots.txt when asked as OAI-SearchBot from here. What it says to OAI-SearchBot is not known.",
		}},
	{"a crawler of a later version", later(newWorld("User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n", "GPTBot")), "How the server treats LaterBot, or what robots.txt says to it, is unclear.", nil},
	{"llms.txt", linked(newWorld("User-agent: OAI-SearchBot\nUser-agent: GPTBot\nDisallow: /docs\n", "OAI-SearchBot", "GPTBot")), "llms.txt links to 2 URLs that robots.txt blocks for OAI-SearchBot, such as `https://shop.example/docs/a`.", []string{
		"llms_blocked OAI-SearchBot warning: llms.txt links to 2 URLs that robots.txt blocks for OAI-SearchBot, such as `https://shop.example/docs/a`.",
	}},
}

// later gives its only crawler a name that is not in the list of this version.
func later(w *world) *world {
	w.asked.Crawlers[0].Name = "LaterBot"
	return w
}

// linked adds an llms.txt.
func linked(w *world) *world {
	w.file(2)
	w.asked.Files[2].Links = []string{origin + "/", origin + "/docs/a", origin + "/docs/b", "https://elsewhere.example/docs"}
	return w
}

// robotsLogged makes 90 of the requests in the logs those for robots.txt.
func robotsLogged(w *world) *world {
	w.logs.Crawlers[0].Robots = audit.LogRobots{Requests: 90, Statuses: []audit.LogCount{{Name: "200", Requests: 80}, {Name: "403", Requests: 10}}}
	return w
}

// unblocked says that the newest robots.txt blocks nothing that was requested.
func unblocked(w *world) *world {
	w.logs.Crawlers[0].Waste.Blocked = 0
	return w
}

// elsewhere adds a page of another site.
func elsewhere(w *world) *world {
	w.asked.URLs = append(slices.Clone(w.asked.URLs), audit.AskedURL{URL: "https://shop.example.net/", Kind: audit.AskedPage})
	return w
}

// TestCases checks the words of each kind of contradiction, and that there is no other.
func TestCases(t *testing.T) {
	for _, c := range cases {
		s := c.world.join()
		var got []string
		for _, of := range slices.Concat(s.Contradictions, s.Notes) {
			if note := slices.Contains(s.Notes, of); note != (of.Severity == engine.Info) {
				t.Errorf("%s: %s is a note: %v", c.name, of.Severity, note)
			}
			got = append(got, of.Code+" "+of.Crawler+" "+of.Severity.String()+": "+of.Sentence)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
		if got := s.Headline(); got != c.headline {
			t.Errorf("%s: headline %q, want %q", c.name, got, c.headline)
		}
	}
}

// licensed makes the RSL licence one of a group.
func licensed(w *world, tokens ...string) *world {
	w.asked.Files[3].Tokens = tokens
	return w
}

// licence adds an RSL licence for all crawlers.
func (w *world) licence(of audit.PolicyStatement) *world {
	of.Source = audit.FileRSL
	w.asked.Files = append(w.asked.Files, audit.PolicyFile{Kind: audit.FileRSL, URL: origin + "/site.xml", Status: 200, Found: true, Statements: []audit.PolicyStatement{of}})
	return w
}
