package audit

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"robots-audit/engine"
)

func TestParseCrawlers(t *testing.T) {
	list, err := ParseCrawlers("googlebot, token:MyBot,Token:mybot ,token:MyBot@google,Bingbot@google-2019,GOOGLEBOT")
	noError(t, err)
	var labels []string
	for _, c := range list {
		labels = append(labels, c.Label)
		robot, p, ok := c.Robot()
		if !ok || p.Name != c.Profile || robot.Name != c.Name || !slices.Equal(robot.Tokens, c.Tokens) {
			t.Errorf("%s: %+v, %v, %v", c.Label, robot, p, ok)
		}
	}
	if want := []string{"Googlebot", "token:MyBot", "token:MyBot@google", "Bingbot@google-2019"}; !slices.Equal(labels, want) {
		t.Errorf("%q, want %q", labels, want)
	}
	for _, list := range []string{"Googlebot,Bimgbot", "MyBot", "Google Bot!"} {
		var unknown *engine.UnknownCrawlerError
		if got, err := ParseCrawlers(list); !errors.As(err, &unknown) {
			t.Errorf("%q: %+v, %v", list, got, err)
		}
	}
}

// TestRobotOfOldRecords: runs recorded when any name was a product token are read
// as they were.
func TestRobotOfOldRecords(t *testing.T) {
	c := Crawler{Label: "MJ12bot", Name: "MJ12bot", Profile: "rfc9309", Tokens: []string{"MJ12bot"}}
	robot, p, ok := c.Robot()
	if !ok || p.Parse([]byte("User-agent: MJ12bot\nDisallow: /\n")).Group(robot).Verdict("/").Verdict != engine.Disallow {
		t.Errorf("%+v, %v", robot, ok)
	}
}

// TestCrawlersAreNoCredentials: a crawler's label looks as a name and password do, and
// is shown.
func TestCrawlersAreNoCredentials(t *testing.T) {
	for message, want := range map[string]string{
		`-crawlers "token:MyBot@google": no`:                    `-crawlers "token:MyBot@google": no`,
		"-crawlers Googlebot,token:MyBot@google,token:B@yandex": "-crawlers Googlebot,token:MyBot@google,token:B@yandex",
		`["Googlebot@google","token:MyBot@rfc9309"]; go on`:     `["Googlebot@google","token:MyBot@rfc9309"]; go on`,
		"token:s3cret@example.com":                              "…@example.com",
		"token:s3cret@google.com":                               "…@google.com",
		"n4me:s3cret@google":                                    "…@google",
		"n4me:s3cret@example.com,token:MyBot@google":            "…@google",
		"https://token:s3cret@google/":                          "https://…@google/",
	} {
		if got := HideCredentials(message); got != want {
			t.Errorf("%s: %s, want %s", message, got, want)
		}
	}
}

// TestLeading finds the crawlers whose losses decide a site's state.
func TestLeading(t *testing.T) {
	for list, want := range map[string]string{
		"Googlebot,Bingbot,YandexBot":                                       "Googlebot Bingbot YandexBot",
		"GPTBot,Googlebot,AdsBot-Google,CCBot,Googlebot-News,OAI-SearchBot": "Googlebot Googlebot-News",
		"Googlebot@google-2019,Googlebot@rep-1994,Bingbot":                  "Bingbot",
		"Googlebot@google-2019,GPTBot":                                      "Googlebot@google-2019", // the only one that is there to find pages
		"AdsBot-Google,GPTBot,token:MyBot":                                  "AdsBot-Google token:MyBot",
		"GPTBot,Google-Extended":                                            "GPTBot Google-Extended", // no one else is asked about
		"Googlebot,token:MyBot":                                             "Googlebot",
	} {
		crawlers, err := ParseCrawlers(list)
		noError(t, err)
		var got []string
		for _, i := range Leading(crawlers) {
			got = append(got, crawlers[i].Label)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", list, got, want)
		}
	}
}

// TestOwnCrawlerTravels: a record has all data that decides for a crawler of the user's own list,
// so that readers need no list.
func TestOwnCrawlerTravels(t *testing.T) {
	own := engine.Crawler{
		Name: "ShopBot", Operator: "Shop", Purpose: "search", Profile: "google", Tokens: []string{"ShopBot", "Googlebot"},
		Agent: "ShopBot/2.0", IgnoresGlobal: true, CrawlDelay: "own",
	}
	list, err := ParseCrawlers("ShopBot,purpose:ai-training,GPTBot", own)
	if err != nil || list[1].Label == "" || slices.IndexFunc(list[1:], func(c Crawler) bool { return c.Own }) >= 0 {
		t.Fatalf("%+v, %v", list, err)
	}
	text, err := json.Marshal(list[0])
	noError(t, err)
	var read Crawler
	noError(t, json.Unmarshal(text, &read))
	if got, p, ok := read.Robot(); !ok || p.Name != "google" || !reflect.DeepEqual(got, own) {
		t.Errorf("%s is read as %+v", text, got)
	}
	if text, _ := json.Marshal(list[1]); strings.Contains(string(text), "own") {
		t.Errorf("%s", text)
	}
}
