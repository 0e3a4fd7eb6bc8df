package alert

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/compare"
)

// askedURLs are those of askedAs, in its order. robots.txt of the site blocks the last one.
var askedURLs = []audit.AskedURL{
	{URL: "http://shop.example/robots.txt", Kind: audit.AskedRobots}, {URL: "http://shop.example/", Kind: audit.AskedHome},
	{URL: "http://shop.example/a", Kind: audit.AskedPage, Template: "/*"}, {URL: "http://shop.example/private/x", Kind: audit.AskedPage, Template: "/private/*"},
}

var askedReplies = map[rune]audit.Reply{
	'l': {Treatment: audit.LetIn, Status: 200}, 'r': {Treatment: audit.Refused, Why: audit.WhyStatus, Status: 403},
	'c': {Treatment: audit.Challenged, Why: audit.WhyChallenge, Status: 503}, 'u': {Treatment: audit.Unclear, Why: audit.WhyUnstable, Status: 200},
}

// askedAs are the answers to crawlers, each a letter for each of askedURLs: "Googlebot llll, GPTBot lrrr".
// Without letters they were to be asked for, and nothing is known. nil = they were not.
func askedAs(list string) *audit.Asked {
	if list == "" {
		return nil
	}
	a := &audit.Asked{}
	for of := range strings.SplitSeq(list, ", ") {
		name, letters, _ := strings.Cut(of, " ")
		c := audit.AskedCrawler{Name: name, Purpose: "AI training", UserAgent: name}
		if name == "Googlebot" {
			c.Purpose = "search"
		}
		for _, l := range letters {
			c.Replies = append(c.Replies, askedReplies[l])
		}
		if letters != "" {
			a.URLs = askedURLs
		}
		a.Crawlers = append(a.Crawlers, c)
	}
	return a
}

// treats is a site that treats crawlers' names in this way.
func treats(list string) served { return with(func(s *served) { s.asked = list }) }

// treatStories are runs with the treatments of crawlers' names.
var treatStories = []struct {
	name string
	runs []string // "" = not asked for
	want string   // by run
}{
	{"refused, and let in again", []string{"GPTBot llll", "GPTBot lrrr", "GPTBot lrrr", "GPTBot llll"}, "/raised AL18//ended AL18"},
	{"unclear for a day", []string{"GPTBot llll", "GPTBot lrrr", "GPTBot luuu", "GPTBot uuuu", "GPTBot lrrr", "GPTBot lluu", "GPTBot llll"}, "/raised AL18/////ended AL18"},
	{"no answers for a day", []string{"GPTBot llll", "GPTBot lrrr", "GPTBot", "GPTBot lrrr", "GPTBot", "GPTBot llll"}, "/raised AL18////ended AL18"},
	{"refused after an unclear day", []string{"GPTBot llll", "GPTBot uuuu", "GPTBot", "GPTBot lrrr", "GPTBot luuu", "GPTBot llll"}, "///raised AL18//ended AL18"},
	{"let in after an unclear day", []string{"GPTBot rrrr", "GPTBot uuuu", "GPTBot llll", "GPTBot rrrr"}, "raised AL18//ended AL18/raised AL18"},
	{"refused, challenged, refused, and let in", []string{"GPTBot llll", "GPTBot rrrr", "GPTBot cccc", "GPTBot rrrr", "GPTBot llll"}, "/raised AL18/worse AL18/worse AL18/ended AL18"},
	{"a part of the site, and then all of it", []string{"GPTBot llll", "GPTBot llrl", "GPTBot rrrr", "GPTBot lrll", "GPTBot llll"}, "/raised AL18///ended AL18"},
	{"one crawler after the other", []string{"GPTBot llll, Googlebot llll", "GPTBot rrrr, Googlebot llll", "GPTBot rrrr, Googlebot rrrr", "GPTBot uuuu, Googlebot rrrr", "GPTBot rrrr, Googlebot llll", "GPTBot llll, Googlebot llll"}, "/raised AL18/worse AL18///ended AL18"},
	{"not asked for any more", []string{"GPTBot llll", "GPTBot rrrr", "", "", "GPTBot rrrr"}, "/raised AL18///raised AL18"},
	{"the crawler is not asked for any more", []string{"GPTBot llll, Googlebot llll", "GPTBot rrrr, Googlebot llll", "Googlebot llll", "Googlebot llll"}, "/raised AL18//"},
	{"one of two is not asked for any more", []string{"GPTBot llll, Googlebot llll", "GPTBot rrrr, Googlebot rrrr", "Googlebot rrrr", "Googlebot llll"}, "/raised AL18//ended AL18"},
	{"a crawler is added", []string{"Googlebot rrrr", "Googlebot rrrr, GPTBot rrrr", "Googlebot rrrr, GPTBot rrrr", "Googlebot rrrr, GPTBot llll", "Googlebot llll, GPTBot llll"}, "raised AL18/worse AL18///ended AL18"},
	{"a crawler is added to a good site", []string{"Googlebot llll", "Googlebot llll, GPTBot rrrr", "Googlebot rrrr, GPTBot rrrr", "Googlebot rrrr, GPTBot llll", "Googlebot llll, GPTBot llll"}, "/raised AL18/worse AL18//ended AL18"},
	{"a crawler is added that is let in", []string{"Googlebot llll", "Googlebot llll, GPTBot llll", "Googlebot llll, GPTBot lrll"}, "//raised AL18"},
	{"first asked for", []string{"", "GPTBot lrrr", "GPTBot llll"}, "/raised AL18/ended AL18"},
	{"robots.txt blocks what is refused from the first run on", []string{"GPTBot lllr", "GPTBot lllr", "GPTBot llll", "GPTBot lllr"}, "///raised AL18"},
}

// TestTreatments lets crawlers' names be treated in other ways, or the answers be unclear.
func TestTreatments(t *testing.T) {
	for _, test := range treatStories {
		t.Run(test.name, func(t *testing.T) {
			var runs []served
			for _, of := range test.runs {
				runs = append(runs, treats(of))
			}
			s := newSite(t, runs[0])
			if got := strings.Join(s.story(runs...), "/"); got != test.want {
				t.Errorf("told %s\ndue  %s", got, test.want)
			}
		})
	}
}

// TestTreatmentBlocked: robots.txt now blocks what the server refuses, so the two agree.
func TestTreatmentBlocked(t *testing.T) {
	s := newSite(t, treats("GPTBot lrrr"))
	blocked := treats("GPTBot lrrr")
	blocked.robots += "\nUser-agent: GPTBot\nDisallow: /\n"
	if got := strings.Join(s.story(treats("GPTBot lrrr"), blocked), "/"); got != "raised AL18/ended AL18, raised AL10" {
		t.Errorf("told %s", got)
	}
}

// TestTreatmentAccepted: what is accepted is not reported again, but another treatment is.
func TestTreatmentAccepted(t *testing.T) {
	s := newSite(t, treats("GPTBot rrrr"))
	s.next(treats("GPTBot rrrr"))
	s.open[0].Accepted = s.at.Add(time.Minute)
	got := s.story(treats("GPTBot rrrr"), treats("GPTBot rrrr"), treats("GPTBot cccc"), treats("GPTBot rrrr"))
	if got := strings.Join(got, "/"); got != "ended AL18//raised AL18/ended AL18" {
		t.Errorf("told %s", got)
	}
}

// TestTreatmentHiccup: what is not confirmed is neither reported nor forgotten, and a hiccup ends nothing.
func TestTreatmentHiccup(t *testing.T) {
	good, bad := treats("GPTBot llll, Googlebot llll"), treats("GPTBot rrrr, Googlebot llll")
	s := settledSite(t, good)
	s.serves(bad)
	if j := s.run(time.Hour, false, []served{good, good}); tell(j) != "" || j.Settled {
		t.Errorf("not confirmed: told %q, settled %v", tell(j), j.Settled)
	}
	s.serves(bad)
	if j := s.run(time.Hour, false, []served{good}); tell(j) != "raised AL18" || !j.Settled {
		t.Errorf("confirmed at the second try: told %q, settled %v", tell(j), j.Settled)
	}
	s.serves(treats("GPTBot cccc, Googlebot llll"))
	if j := s.run(time.Hour, false, []served{good, good}); tell(j) != "" {
		t.Errorf("challenged, not confirmed: told %q", tell(j))
	}
	s.serves(treats("GPTBot llll, Googlebot rrrr"))
	if j := s.run(time.Hour, false, []served{good, good}); tell(j) != "ended AL18" || j.Settled {
		t.Errorf("another crawler's hiccup: told %q, settled %v", tell(j), j.Settled)
	}
	if got := tell(s.next(good)); got != "" {
		t.Errorf("told %q", got)
	}
	s = settledSite(t, bad)
	s.serves(treats("GPTBot cccc, Googlebot llll"))
	if j := s.run(time.Hour, false, []served{good, good}); tell(j) != "" {
		t.Errorf("refused from the first run on, and challenged, not confirmed: told %q", tell(j))
	}
}

// TestTreatmentMessage: a mail about it is short, and says that it was only asked as the crawler.
func TestTreatmentMessage(t *testing.T) {
	for _, text := range []string{treatedMail(t, "GPTBot llll", "GPTBot lrrl"), treatedMail(t, "", "GPTBot lrrl"), treatedMail(t, "GPTBot llll", "GPTBot lrrl", "GPTBot llll")} {
		if n := len(strings.Fields(text)); n > 120 || !strings.Contains(text, "when asked as") {
			t.Errorf("%d words: %s", n, text)
		}
	}
}

// treatedMail is the subject and the text of the mail after some runs, up to the links.
func treatedMail(t *testing.T, runs ...string) string {
	s := newSite(t, plain())
	var j Judged
	for _, of := range runs {
		j = s.next(treats(of))
	}
	m, _ := Digest(Context{Run: s.runs[len(s.runs)-1].id, Schedule: "shops", At: s.at}, j.Events)
	text, _, _ := strings.Cut(m.Text(), "\nRun:")
	if len([]rune(m.Subject())) > maxSubject || strings.Contains(m.Subject(), "…") {
		t.Errorf("subject %q", m.Subject())
	}
	return m.Subject() + "\n" + text
}

// TestTreatmentQuestions asks about one URL with the new treatment for each crawler, and not again while the
// alert is open.
func TestTreatmentQuestions(t *testing.T) {
	s := settledSite(t, treats("GPTBot llll, Googlebot llrl"))
	s.serves(treats("GPTBot llcr, Googlebot lrrr"))
	s.at = s.at.Add(time.Hour)
	in := Input{Site: host, Run: "2", Started: s.at, Settled: s.runs[0].id, Compared: s.compared(0, s.audit())}
	want := []Question{
		{Origin: "http://" + host, Asker: "GPTBot: refused", Treated: compare.Treated{Crawler: "GPTBot", URL: "http://shop.example/private/x", Treatment: audit.Refused}},
		{Origin: "http://" + host, Asker: "Googlebot: refused", Treated: compare.Treated{Crawler: "Googlebot", URL: "http://shop.example/", Treatment: audit.Refused}},
	}
	if got := Questions(in); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}

// TestTreatmentsRandom has runs in which each part of a site is let in, refused or unclear. A refusal raises
// the alert, and only a run that shows all parts as let in ends it.
func TestTreatmentsRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 18))
	for range 20 {
		runs := []string{"GPTBot llll"}
		s := newSite(t, treats(runs[0]))
		s.next(treats(runs[0]))
		for open := false; len(runs) < 9; {
			letters := make([]byte, len(askedURLs))
			for i := range letters {
				letters[i] = "llllllru"[random.IntN(8)]
			}
			want := ""
			switch {
			case !open && slices.Contains(letters, 'r'):
				open, want = true, "raised AL18"
			case open && string(letters) == "llll":
				open, want = false, "ended AL18"
			}
			runs = append(runs, "GPTBot "+string(letters))
			if got := tell(s.next(treats(runs[len(runs)-1]))); got != want {
				t.Fatalf("after %q told %q, due %q", runs, got, want)
			}
		}
	}
}
