package audit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"robots-audit/engine"
)

// Crawler is a column of the audit: a crawler and the profile it reads by.
type Crawler struct {
	Label    string   `json:"label"`    // "Googlebot", or "Googlebot@google-2019" if the user asked for that profile: the key of summary.json
	Name     string   `json:"name"`     // "Googlebot", "token:MyBot"
	Profile  string   `json:"profile"`  // "google"
	Operator string   `json:"operator"` // "Google"; "" = not in the crawler list
	Purpose  string   `json:"purpose"`
	Tokens   []string `json:"tokens"` // product tokens in order of preference

	// The fields that also decide for a crawler of the user's own list, because a record is read
	// without that list.
	Own           bool   `json:"own,omitempty"`
	Agent         string `json:"agent,omitempty"`
	IgnoresGlobal bool   `json:"ignores_global,omitempty"`
	CrawlDelay    string `json:"crawl_delay,omitempty"`

	robot   engine.Crawler
	profile *engine.Profile
}

// ParseCrawlers reads a comma-separated list of crawlers, such as
// "Googlebot,purpose:ai-training,Googlebot@google-2019,token:MyBot", see engine.CrawlerNames and
// engine.ParseCrawler. Own crawlers override those of the built-in list. A crawler named twice
// counts once. The error names the entry that cannot be read, and why.
func ParseCrawlers(list string, own ...engine.Crawler) ([]Crawler, error) {
	var crawlers []Crawler
	seen := map[string]bool{}
	var labels []string
	for _, name := range strings.Split(list, ",") {
		names, err := engine.CrawlerNames(name, own...)
		if err != nil {
			return nil, err
		}
		labels = append(labels, names...)
	}
	for _, label := range labels {
		label = strings.TrimSpace(label)
		if label == "" || seen[strings.ToLower(label)] {
			continue
		}
		seen[strings.ToLower(label)] = true
		robot, err := engine.ParseCrawler(label, own...)
		if err != nil {
			return nil, err
		}
		profile, ok := engine.ProfileByName(robot.Profile)
		if !ok {
			return nil, fmt.Errorf("crawler %q: no profile %q", label, robot.Profile)
		}
		name := robot.Name
		if _, of, ok := strings.Cut(label, "@"); ok {
			name += "@" + of
		}
		c := Crawler{
			Label: name, Name: robot.Name, Profile: robot.Profile, Operator: robot.Operator,
			Purpose: robot.Purpose, Tokens: robot.Tokens, robot: robot, profile: profile,
		}
		if slices.ContainsFunc(own, func(o engine.Crawler) bool { return o.Name == c.Name }) {
			c.Own, c.Agent, c.IgnoresGlobal, c.CrawlDelay = true, robot.Agent, robot.IgnoresGlobal, robot.CrawlDelay
		}
		crawlers = append(crawlers, c)
	}
	if len(crawlers) == 0 {
		return nil, errors.New("no crawler given: expected names such as Googlebot,GPTBot,Googlebot@google-2019")
	}
	return crawlers, nil
}

// Robot returns the crawler and its profile as values of the engine; false if this version of the
// program does not know the profile.
func (c *Crawler) Robot() (engine.Crawler, *engine.Profile, bool) {
	p, ok := engine.ProfileByName(c.Profile)
	if !ok {
		return engine.Crawler{}, nil, false
	}
	if c.Own {
		return engine.Crawler{
			Name: c.Name, Operator: c.Operator, Purpose: c.Purpose, Profile: c.Profile, Tokens: c.Tokens,
			Agent: c.Agent, IgnoresGlobal: c.IgnoresGlobal, CrawlDelay: c.CrawlDelay,
		}, p, true
	}
	r, err := engine.ParseCrawler(c.Name + "@" + c.Profile)
	if err != nil { // recorded with a crawler list that had the name, or before the name needed to be in the list
		r = engine.Crawler{Name: c.Name, Profile: c.Profile, Agent: c.Name}
	}
	r.Tokens = c.Tokens // in the case that the user wrote
	return r, p, true
}

// Labels returns the labels of crawlers, in their order.
func Labels(crawlers []Crawler) (list []string) {
	for i := range crawlers {
		list = append(list, crawlers[i].Label)
	}
	return list
}

// Restored returns a crawler of a stored run as ParseCrawlers would make it; false if this version
// of the program does not know the profile.
func (c Crawler) Restored() (Crawler, bool) {
	var ok bool
	c.robot, c.profile, ok = c.Robot()
	return c, ok
}

// forAI reports whether a crawler collects for AI: "AI training", "AI search".
func (c *Crawler) forAI() bool { return strings.HasPrefix(c.Purpose, "AI ") }

// Leads reports whether a crawler's blocked URLs can decide a site's state. It must find pages for
// a search engine, and its profile must be current. Blocking crawlers for AI, ads or an archive is
// a policy, and a superseded profile shows only history.
func (c *Crawler) Leads() bool {
	p, ok := engine.ProfileByName(c.Profile)
	return ok && !p.Superseded && Searches(c.Purpose)
}

// Searches reports whether a crawler with this purpose finds pages for a search engine: "search", "image search".
func Searches(purpose string) bool {
	return purpose == "news" || purpose == "search" || strings.HasSuffix(purpose, " search") && !strings.HasPrefix(purpose, "AI ")
}

// Leading returns the indices of the crawlers that decide the states of an audit's sites: those
// that lead; if none does, those that find pages; else all. So the crawlers that the user chose
// always count.
func Leading(crawlers []Crawler) (list []int) {
	for _, kind := range []func(*Crawler) bool{(*Crawler).Leads, (*Crawler).FindsPages, func(*Crawler) bool { return true }} {
		for i := range crawlers {
			if kind(&crawlers[i]) {
				list = append(list, i)
			}
		}
		if list != nil {
			return list
		}
	}
	return nil
}
