package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// docRow is a statement or an example of a source document.
type docRow struct {
	ID, Profile, Kind, Note string
	Robots                  string
	UserAgent               string   `json:"user_agent"`
	ProductTokens           []string `json:"product_tokens"`
	URL                     string
	URLs                    []string
	Expected                string

	ExpectedRule       *string   `json:"expected_rule"`
	ExpectedRules      *[]string `json:"expected_rules"`
	ExpectedGroup      int       `json:"expected_group"`
	ExpectedGroupCount int       `json:"expected_group_count"`

	RobotsURL     string `json:"robots_url"`
	Applies       bool   `json:"expected_applies"`
	AppliesStrict *bool  `json:"expected_applies_strict"` // the result of the rule, if the printed row contradicts it
	ValidLocation *bool  `json:"expected_valid_location"`

	Status           int
	Error            string
	Hops             int      `json:"redirect_hops"`
	FinalStatus      int      `json:"final_status"`
	HopBlocked       bool     `json:"chain_has_disallowed_url"`
	Missing5xx       bool     `json:"body_says_not_found"`
	UnreachableDays  float64  `json:"unreachable_days"`
	UnreachableHours float64  `json:"unreachable_hours"`
	HaveCached       bool     `json:"have_cached"`
	SiteAvailable    bool     `json:"site_available"`
	ContentType      string   `json:"content_type"`
	BodyIsText       *bool    `json:"body_is_text"`
	CacheAge         *float64 `json:"cache_age_hours"`

	SizeBytes  int `json:"size_bytes"`
	RuleOffset int `json:"rule_offset"`
	RuleCount  int `json:"rule_count"`

	Seconds   float64 `json:"expected_seconds"` // null is 0
	Host      string  `json:"expected_host"`
	Canonical string  `json:"expected_canonical"`

	Representative string   `json:"expected_representative"`
	ClassCount     int      `json:"expected_class_count"`
	RuleLength     int      `json:"rule_length"`
	Sitemaps       []string `json:"expected_sitemaps"`
	Lint           []string `json:"expected_lint"`
}

// TestDocuments runs every row of the source documents through the public
// functions. The findings' tests check the lint codes of a row; here its lines
// are checked.
func TestDocuments(t *testing.T) {
	checks := map[string]func(*testing.T, *Profile, *docRow){
		"verdict": docVerdict, "group": docGroup, "scope": docScope, "status": docStatus, "size": docSize,
		"crawl_delay": docDelay, "host": docHost, "clean_param": docClean, "lint": docSitemaps,
	}
	readRows(t, "documents.jsonl", func(line []byte) error {
		var row docRow
		if err := json.Unmarshal(line, &row); err != nil {
			return err
		}
		check := checks[row.Kind]
		if check == nil {
			return fmt.Errorf("unknown kind %q", row.Kind)
		}
		t.Run(row.ID, func(t *testing.T) {
			check(t, mustProfile(t, row.Profile), &row)
			if row.Profile == "google-2023" && !slices.Contains(notToday, row.ID) {
				check(t, mustProfile(t, "google"), &row) // such rows are also valid today
			}
		})
		return nil
	})
}

// notToday lists the rows of google-2023 that differ on today's page: the
// schedule over time now begins with 12 hours, and after 30 days depends on the
// site's availability.
var notToday = []string{"FA-STATUS-018", "FA-STATUS-019"}

// crawlerFor returns the crawler of a row: Yandex's robots from the list,
// others from the unchanged token.
func (row *docRow) crawler() Crawler {
	if row.ProductTokens != nil {
		return token(row.ProductTokens...)
	}
	if strings.HasPrefix(row.UserAgent, "Yandex") {
		if c, err := ParseCrawler(row.UserAgent + "@" + row.Profile); err == nil {
			return c
		}
	}
	return token(row.UserAgent)
}

func docVerdict(t *testing.T, p *Profile, row *docRow) {
	d := p.Parse([]byte(row.Robots)).Group(row.crawler()).Verdict(row.URL)
	if d.Verdict.String() != row.Expected {
		t.Errorf("%s: %v, want %s: %s\n%s", p.Name, d.Verdict, row.Expected, row.Note, row.Robots)
	}
	if row.ExpectedRule == nil {
		return
	}
	field, value, _ := strings.Cut(*row.ExpectedRule, ":")
	if want := strings.ToLower(field) + ": " + strings.TrimSpace(value); d.Rule == nil || d.Rule.String() != want {
		t.Errorf("%s: rule %v, want %q", p.Name, d.Rule, want)
	}
}

func docGroup(t *testing.T, p *Profile, row *docRow) {
	r := p.Parse([]byte(row.Robots))
	if row.ExpectedGroupCount > 0 {
		if n := len(r.Groups()); n != row.ExpectedGroupCount {
			t.Errorf("%d groups, want %d", n, row.ExpectedGroupCount)
		}
		return
	}
	g := r.Group(row.crawler())
	if row.ExpectedGroup > 0 {
		if want := r.Groups()[row.ExpectedGroup-1]; g.Line != want.Line {
			t.Errorf("group of line %d, want that of line %d: %s", g.Line, want.Line, row.Note)
		}
		return
	}
	if row.ExpectedRules == nil {
		if g.Reason != None || len(g.Rules) > 0 {
			t.Errorf("%s: group of line %d (%s), want none: %s", p.Name, g.Line, g.Reason, row.Note)
		}
		return
	}
	rules := []string{}
	for _, rule := range g.Rules {
		rules = append(rules, rule.String())
	}
	if g.Line == 0 || !slices.Equal(rules, *row.ExpectedRules) {
		t.Errorf("%s: rules %q, want %q: %s", p.Name, rules, *row.ExpectedRules, row.Note)
	}
}

func docScope(t *testing.T, p *Profile, row *docRow) {
	want := row.Applies
	if row.AppliesStrict != nil {
		want = *row.AppliesStrict
	}
	if got := p.Governs(row.RobotsURL, row.URL); got != want {
		t.Errorf("%s governs %s: %v, want %v: %s", row.RobotsURL, row.URL, got, want, row.Note)
	}
	if row.ValidLocation != nil && IsRobotsURL(row.RobotsURL) != *row.ValidLocation {
		t.Errorf("%s: valid location %v, want %v", row.RobotsURL, IsRobotsURL(row.RobotsURL), *row.ValidLocation)
	}
}

func docStatus(t *testing.T, p *Profile, row *docRow) {
	if row.CacheAge != nil {
		return // the crawler decides how long it uses a copy
	}
	const served, cached = "user-agent: *\ndisallow: /served\n", "user-agent: *\ndisallow: /cached\n"
	f := File{
		Status: row.Status, Error: row.Error, Hops: row.Hops, HopBlocked: row.HopBlocked, Missing5xx: row.Missing5xx,
		ContentType: row.ContentType, Body: []byte(served),
		UnreachableHours: row.UnreachableHours + 24*row.UnreachableDays, SiteAvailable: row.SiteAvailable,
	}
	if row.FinalStatus != 0 {
		f.Status = row.FinalStatus
	}
	if row.BodyIsText != nil && !*row.BodyIsText {
		f.Body = []byte(served + "\x00\x01\x02")
	}
	if row.HaveCached {
		f.Cached = []byte(cached)
	}
	r := p.Read(f)
	access := map[string]Access{"conditional": Parsed, "use_cached": Parsed, "allow_all": AllowAll, "disallow_all": DisallowAll}[row.Expected]
	if r.Access != access || r.Why == "" {
		t.Fatalf("%s: %v (%s), want %s: %s", p.Name, r.Access, r.Why, row.Expected, row.Note)
	}
	g := r.Group(token("examplebot"))
	for path, blocked := range map[string]bool{
		"/served": row.Expected == "conditional" || row.Expected == "disallow_all",
		"/cached": row.Expected == "use_cached" || row.Expected == "disallow_all",
	} {
		if got := g.Verdict(path).Verdict; (got == Disallow) != blocked || got != Allow && got != Disallow {
			t.Errorf("%s: %s: %v", p.Name, path, got)
		}
	}
}

// bodyOf returns a body of n bytes with a rule for path at each of the offsets.
func bodyOf(n int, rules map[int]string) []byte {
	body := bytes.Repeat([]byte("#23456789012345678901234567890123456789012345678\n"), n/49+1)[:n]
	copy(body, "user-agent: *\n#")
	for offset, path := range rules {
		copy(body[offset:], "\ndisallow: "+path+"\n#")
	}
	return body
}

func docSize(t *testing.T, p *Profile, row *docRow) {
	n, late := row.SizeBytes, row.SizeBytes-len("\ndisallow: /late")
	if row.RuleCount > 0 {
		body := "user-agent: *\n" + strings.Repeat("disallow: /a\n", row.RuleCount)
		if r := p.Parse([]byte(body)); len(r.Rules()) != row.RuleCount {
			t.Errorf("%d rules, want %d: for the finding about their number", len(r.Rules()), row.RuleCount)
		}
		return
	}
	if row.RuleOffset > 1000 {
		late = row.RuleOffset
	}
	r := p.Parse(bodyOf(n, map[int]string{late: "/late", 1000: "/early"}))
	g := r.Group(token("examplebot"))
	want := map[string]Verdict{"/early": Disallow, "/late": Disallow}
	switch row.Expected {
	case "all_rules_read", "rule_at_offset_1000_used":
		if row.RuleOffset == 1000 {
			delete(want, "/late")
		}
	case "truncated_at_512000": // the last byte of the rule is lost, and "/lat" remains
		want["/lat"] = Disallow
	case "rule_at_offset_550000_ignored":
		want["/late"] = Allow
	case "allow_all":
		want["/early"], want["/late"] = Allow, Allow
	default:
		t.Fatalf("expected %q", row.Expected)
	}
	if (r.Access == AllowAll) != (row.Expected == "allow_all") {
		t.Errorf("%s: access %v", p.Name, r.Access)
	}
	for path, verdict := range want {
		if got := g.Verdict(path).Verdict; got != verdict {
			t.Errorf("%s: %d bytes: %s: %v, want %v", p.Name, n, path, got, verdict)
		}
	}
}

func docDelay(t *testing.T, p *Profile, row *docRow) {
	if got := p.Parse([]byte(row.Robots)).Group(row.crawler()).CrawlDelay; got != row.Seconds {
		t.Errorf("%s: %v seconds, want %v: %s", p.Name, got, row.Seconds, row.Note)
	}
}

func docHost(t *testing.T, p *Profile, row *docRow) {
	if got := p.Parse([]byte(row.Robots)).Host(); got != row.Host {
		t.Errorf("%s: host %q, want %q: %s", p.Name, got, row.Host, row.Note)
	}
}

func docClean(t *testing.T, p *Profile, row *docRow) {
	robots := row.Robots
	if row.RuleLength > 0 {
		robots = "Clean-param: " + strings.Repeat("p", row.RuleLength) + "\n"
	}
	r := p.Parse([]byte(robots))
	switch {
	case row.URLs != nil:
		classes := r.Classes(row.URLs)
		if len(classes) != row.ClassCount || classes[0].Representative != row.Representative {
			t.Errorf("%s: %+v, want %d, kept as %s", p.Name, classes, row.ClassCount, row.Representative)
		}
	case row.URL != "":
		if got := r.Canonical(row.URL); got != row.Canonical {
			t.Errorf("%s: %s, want %s: %s", p.Name, got, row.Canonical, row.Note)
		}
	default: // ignored, and reported by a finding
		if rules := r.CleanParams(); len(rules) != 1 || rules[0].Problem == "" {
			t.Errorf("%s: %+v, want a problem: %s", p.Name, rules, row.Note)
		}
	}
}

func docSitemaps(t *testing.T, p *Profile, row *docRow) {
	if row.Lint == nil {
		t.Error("no findings named")
	}
	if row.Sitemaps == nil {
		return
	}
	got := []string{}
	for _, line := range p.Parse([]byte(row.Robots)).Sitemaps() {
		got = append(got, line.Value)
	}
	if !slices.Equal(got, row.Sitemaps) {
		t.Errorf("%s: sitemaps %q, want %q", p.Name, got, row.Sitemaps)
	}
}
