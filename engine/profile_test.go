package engine

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// profileQuestions has a question for every field of Profile. A profile that
// differs from RFC 9309 only in this field (and in on) gives another answer to
// it.
var profileQuestions = map[string]struct {
	ask func(*Profile) string
	set func(*Profile)
	on  func(*Profile) // common settings of both profiles
}{
	"Limit":     {asked("user-agent: *\n#45678901234\ndisallow: /a\n", "/a"), func(p *Profile) { p.Limit = 20 }, nil},
	"OverLimit": {asked("user-agent: *\ndisallow: /a\n#####\n", "/a"), func(p *Profile) { p.OverLimit = AllowAll }, func(p *Profile) { p.Limit = 30 }},
	"LineLimit": {asked("user-agent: *\ndisallow: /abc\n", "/ab"), func(p *Profile) { p.LineLimit = 13 }, nil},
	"WholeBOM":  {asked("\xEF\xBBuser-agent: *\ndisallow: /a\n", "/a"), func(p *Profile) { p.WholeBOM = true }, nil},
	"NULCuts":   {asked("user-agent: *\ndisallow: /a\x00b\n", "/a"), func(p *Profile) { p.NULCuts = true }, nil},
	"TextOnly":  {asked("<html>\nuser-agent: *\ndisallow: /a\n", "/a"), func(p *Profile) { p.TextOnly = true }, nil},

	"Misspellings": {asked("user-agent: *\ndisalow: /a\n", "/a"), func(p *Profile) { p.Misspellings = true }, nil},
	"MissingColon": {asked("user-agent: *\ndisallow /a\n", "/a"), func(p *Profile) { p.MissingColon = true }, nil},
	"NoAllow":      {asked("user-agent: *\ndisallow: /\nallow: /a\n", "/a"), func(p *Profile) { p.NoAllow = true }, nil},

	"Agents":          {asked("user-agent: FOO\ndisallow: /a\n", "/a"), func(p *Profile) { p.Agents = AgentCased }, nil},
	"Fallback":        {asked("user-agent: bar\ndisallow: /a\n", "/a"), func(p *Profile) { p.Fallback = true }, nil},
	"Unite":           {asked("user-agent: foo\nallow: /a\n\nuser-agent: bar\ndisallow: /a/b\n", "/a/b"), func(p *Profile) { p.Unite = true }, nil},
	"FirstGroup":      {asked("user-agent: foo\nallow: /b\n\nuser-agent: foo\ndisallow: /a\n", "/a"), func(p *Profile) { p.FirstGroup = true }, nil},
	"BlankLine":       {asked("user-agent: foo\n\ndisallow: /a\n", "/a"), func(p *Profile) { p.BlankLine = BlankEndsRecord }, nil},
	"OtherFieldSplit": {asked("user-agent: foo\nnoindex: /\nuser-agent: bar\ndisallow: /a\n", "/a"), func(p *Profile) { p.OtherFieldSplit = true }, nil},
	"Exemptions":      {asked("user-agent: *\ndisallow: /a\n", "/a"), func(p *Profile) { p.Exemptions = true }, nil},

	"Literal":          {asked("user-agent: *\ndisallow: /*a\n", "/xa"), func(p *Profile) { p.Literal = true }, nil},
	"FirstMatch":       {asked("user-agent: *\ndisallow: /\nallow: /a\n", "/a"), func(p *Profile) { p.FirstMatch = true }, nil},
	"Length":           {asked("user-agent: *\nallow: /a\ndisallow: /a*\n", "/a"), func(p *Profile) { p.Length = LengthNoTrailing }, nil},
	"Encoding":         {asked("user-agent: *\ndisallow: /%61\n", "/a"), func(p *Profile) { p.Encoding = EncodingNone }, nil},
	"SlashOnly":        {asked("user-agent: *\ndisallow: *a\n", "/a"), func(p *Profile) { p.SlashOnly = true }, nil},
	"EmptyAllow":       {asked("user-agent: *\nallow:\n", "/a"), func(p *Profile) { p.EmptyAllow = EmptyBlocksAll }, nil},
	"EmptyDisallow":    {asked("user-agent: *\ndisallow: /\ndisallow:\n", "/a"), func(p *Profile) { p.EmptyDisallow = EmptyAllowsAll }, nil},
	"IndexTwin":        {asked("user-agent: *\ndisallow: /\nallow: /a/index.html\n", "/a/"), func(p *Profile) { p.IndexTwin = true }, nil},
	"WildcardConflict": {asked("user-agent: *\nallow: /a\ndisallow: /*aa\n", "/aa"), func(p *Profile) { p.WildcardConflict = true }, nil},
	"RobotsTxtJudged":  {asked("user-agent: *\ndisallow: /\n", "/robots.txt"), func(p *Profile) { p.RobotsTxtJudged = true }, nil},

	"AnyURL": {func(p *Profile) string { return p.URLProblem("not a url") }, func(p *Profile) { p.AnyURL = true }, nil},

	"CrawlDelay": {otherFields, func(p *Profile) { p.CrawlDelay = true }, nil},
	"Host":       {otherFields, func(p *Profile) { p.Host = true }, nil},
	"CleanParam": {otherFields, func(p *Profile) { p.CleanParam = CleanReduced }, nil},

	"Statuses":         {answered(File{Status: 429}), func(p *Profile) { p.Statuses = googleStatuses }, nil},
	"WhileUnreachable": {answered(File{Status: 503, UnreachableHours: 20}), func(p *Profile) { p.WhileUnreachable = []UnreachableStep{{Do: AllowAll}} }, nil},
	"MaxHops":          {answered(File{Status: 200, Hops: 6}), func(p *Profile) { p.MaxHops = -2 }, nil},
	"BlockedHopOpen":   {answered(File{Status: 200, Hops: 1, HopBlocked: true}), func(p *Profile) { p.BlockedHopOpen = true }, nil},
	"Missing5xx":       {answered(File{Status: 500, Missing5xx: true}), func(p *Profile) { p.Missing5xx = true }, nil},
	"HTTPOnly": {func(p *Profile) string {
		return fmt.Sprint(p.Governs("ftp://a.example/robots.txt", "ftp://a.example/"))
	},
		func(p *Profile) { p.HTTPOnly = true }, nil},
}

// asked returns the verdict on a path for a crawler foo, also known as bar, that
// does not obey "*" if the profile has Exemptions.
func asked(body, path string) func(*Profile) string {
	return func(p *Profile) string {
		c := Crawler{Tokens: []string{"foo", "bar"}, IgnoresGlobal: true}
		return cell(p.Parse([]byte(body)).Group(c).Verdict(path))
	}
}

func answered(f File) func(*Profile) string {
	return func(p *Profile) string { return p.Read(f).Access.String() }
}

func otherFields(p *Profile) string {
	r := p.Parse([]byte("user-agent: *\ncrawl-delay: 2\nhost: a.example\nclean-param: s\n"))
	return fmt.Sprint(r.Group(Crawler{Tokens: []string{"foo"}}).CrawlDelay, r.Host(), r.Canonical("/a?s=1"))
}

// TestProfileFields checks that every field of Profile makes a difference.
func TestProfileFields(t *testing.T) {
	about := map[string]bool{"Name": true, "Title": true, "Dated": true, "Source": true, "Proof": true, "Superseded": true}
	fields := reflect.TypeFor[Profile]()
	for i := range fields.NumField() {
		name := fields.Field(i).Name
		if about[name] {
			continue
		}
		question, ok := profileQuestions[name]
		if !ok {
			t.Errorf("%s: no question", name)
			continue
		}
		var without, with Profile
		if question.on != nil {
			question.on(&without)
			question.on(&with)
		}
		question.set(&with)
		if a, b := question.ask(&without), question.ask(&with); a == b {
			t.Errorf("%s makes no difference: %s", name, a)
		}
		used := false
		for _, p := range profiles {
			used = used || !reflect.ValueOf(p).Elem().Field(i).IsZero()
		}
		if !used {
			t.Errorf("%s: no profile sets it", name)
		}
	}
	if len(profileQuestions) != fields.NumField()-len(about) {
		t.Errorf("%d questions for %d fields", len(profileQuestions), fields.NumField()-len(about))
	}
}

// TestProfiles checks the form of the profiles. The list of them and their order
// is above each table of TestVerdicts.
func TestProfiles(t *testing.T) {
	for _, p := range Profiles() {
		if found, ok := ProfileByName(p.Name); !ok || found != p {
			t.Errorf("%s is not found by its name", p.Name)
		}
		if p.Title == "" || p.Dated == "" || p.Proof == "" || !strings.HasPrefix(p.Source, "https://") {
			t.Errorf("%s does not say where it comes from", p.Name)
		}
	}
	if p, ok := ProfileByName("baidu"); ok {
		t.Error(p)
	}
	rfc := *mustProfile(t, "rfc9309")
	rfc.Name, rfc.Title, rfc.Dated, rfc.Source, rfc.Proof = "", "", "", "", ""
	if !reflect.ValueOf(rfc).IsZero() {
		t.Errorf("the zero Profile is not RFC 9309: %+v", rfc)
	}
}
