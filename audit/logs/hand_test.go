package logs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/logs"
	"robots-audit/engine"
)

// handContents are the answers for robots.txt in hand-written cases.
var handContents = map[string]engine.File{
	"allow":    {Status: 200, Body: []byte("User-agent: *\nDisallow: /z\n")},
	"block":    {Status: 200, Body: []byte("User-agent: *\nDisallow: /a\n")},
	"all":      {Status: 200, Body: []byte("User-agent: *\nDisallow: /\n")},
	"ads":      {Status: 200, Body: []byte("User-agent: *\nDisallow: /a\n\nUser-agent: AdsBot-Google\nDisallow: /a\n")},
	"adsfree":  {Status: 200, Body: []byte("User-agent: *\nDisallow: /a\n\nUser-agent: AdsBot-Google\nDisallow: /z\n")},
	"conflict": {Status: 200, Body: []byte("User-agent: *\nAllow: /a\nDisallow: /*.html\n")},
	"html":     {Status: 200, Body: []byte("User-agent: *\nDisallow: /a.html\n")},
	"404":      {Status: 404},
	"401":      {Status: 401},
	"503":      {Status: 503},
	"doubt":    {Status: 200, Body: []byte("<html>")},
	"half":     {Status: 200, Body: []byte("User-agent: *\nDis"), Error: "timeout"},
}

// TestHandCases judges one request each. Both judges must give the class that was found by hand.
func TestHandCases(t *testing.T) {
	const (
		google    = "Googlebot"
		fakes     = "fake Googlebot" // its address proves nothing
		ads       = "AdsBot-Google"
		yandex    = "YandexBot"
		google19  = "Googlebot@google-2019"
		old       = "token:Old@rep-1994"
		steady    = "0h block, 900h block"
		newRule   = "0h allow, 9h allow, 10h block, 100h block"
		cameBack  = "0h block, 30h allow, 40h block, 100h block"
		noFile    = "0h block, 30h 404, 40h block, 100h block"
		unsure    = "0h block, 30h doubt, 40h block, 100h block"
		unchecked = "run: 50h block"
		modified  = "run: 10h block, 50h block"
		file      = "file: 0h block"
	)
	for _, c := range []struct {
		crawler, path string
		runs          string
		reads         string // times and statuses; "visitor" = of somebody else
		at            string
		want          logs.Class
		why           string
	}{
		// The window is a day, to the second.
		{google, "/a", newRule, "", "34h", logs.Disobeyed, "the window begins in the second of the run that saw the rule"},
		{google, "/a", newRule, "", "33h59m59s", logs.Unclear, "a second before that run the rule may have been new"},
		{google, "/a", "0h allow, 10h allow, 10h1s block, 100h block", "", "34h", logs.Grace, "a day before it was allowed"},
		{google, "/a", "0h allow, 10h allow, 10h1s block, 100h block", "", "34h1s", logs.Disobeyed, "a day before it was blocked"},
		{google, "/a", "0h allow, 10h0.5s block, 100h block", "", "34h", logs.Unclear, "the run was in the second, and not at its start"},
		{google, "/a", "0h allow, 10h0.5s block, 100h block", "", "34h1s", logs.Disobeyed, "the whole window is after the run"},
		{google, "/a", newRule, "9h 200", "34h", logs.Stale, "what it read allowed it, and a day has gone"},
		{google, "/a", newRule, "9h 200", "33h59m59s", logs.Grace, "what it read allowed it, and no day has gone"},
		{google, "/a", newRule, "10h 200", "34h", logs.Disobeyed, "it read the rule a day ago"},
		{google, "/a", newRule, "33h 200", "33h59m59s", logs.Unclear, "it read the rule, but a copy of a day ago may still count"},
		{fakes, "/a", newRule, "9h 200 visitor", "34h", logs.Blocked, "nobody knows who it is, or what it read"},
		{fakes, "/a", newRule, "", "33h59m59s", logs.Unclear, "the address changes only disobedience"},

		// Contents that come back.
		{google, "/a", cameBack, "", "35h", logs.Unclear, "within the time of the other content"},
		{google, "/a", cameBack, "", "64h", logs.Disobeyed, "the window begins when the rule was seen again"},
		{google, "/a", cameBack, "", "63h59m59s", logs.Unclear, "the rule may have come back a second later"},
		{google, "/a", cameBack, "30h 200", "64h", logs.Stale, "it has read the content without the rule"},
		{google, "/a", cameBack, "30h 200", "63h", logs.Grace, "the same, within a day"},
		{google, "/a", cameBack, "35h 200", "64h", logs.Unclear, "it read one of two contents"},
		{google, "/a", cameBack, "20h 200, 40h 304", "64h", logs.Disobeyed, "it has read the rule again"},
		{google, "/a", cameBack, "20h 200", "64h", logs.Unclear, "it may have read again where the log does not show it"},

		// Answers 4xx.
		{google, "/a", noFile, "", "64h", logs.Disobeyed, "the window begins when the file was back"},
		{google, "/a", noFile, "", "63h59m59s", logs.Unclear, "the file may have been missing"},
		{google, "/a", noFile, "30h 404", "64h", logs.Stale, "it knows of no file"},
		{google, "/a", noFile, "30h 404", "54h", logs.Grace, "it was told so a day ago"},
		{google, "/a", noFile, "35h 200", "64h", logs.Unclear, "it got the file, but others may have seen none after that"},
		{google, "/z", noFile, "30h 200", "64h", logs.Unclear, "it got a file that no run saw"},
		{google, "/z", noFile, "35h 200", "64h", logs.Obeyed, "it got the only file that there was"},
		{google, "/a", steady, "10h 404 visitor", "34h", logs.Unclear, "in the first second of the window there was no file"},
		{google, "/a", steady, "10h 404 visitor", "34h1s", logs.Disobeyed, "that was before the window"},
		{google, "/a", steady, "34h 404 visitor", "34h", logs.Unclear, "in the second of the request there was no file"},
		{google, "/a", steady, "34h1s 404 visitor", "34h", logs.Disobeyed, "that was after the request"},
		{google, "/a", steady, "10h 404, 11h 200", "34h", logs.Unclear, "a day ago it was told that there is none"},
		{google, "/a", steady, "10h 404, 11h 200", "40h", logs.Disobeyed, "since then it read the rule"},
		{google, "/a", steady, "10h 200, 10h 404", "40h", logs.Unclear, "two machines got two answers"},
		{google, "/z", steady, "10h 200, 10h 404", "40h", logs.Obeyed, "both allow it"},
		{google, "/a", steady, "10h 402", "40h", logs.Stale, "payment required is no file"},
		{google, "/a", steady, "10h 200, 20h 429", "60h", logs.Disobeyed, "too many requests is no missing file"},
		{google, "/a", newRule, "9h 200, 12h 204", "60h", logs.Stale, "no content is no file"},

		// The file could not be read.
		{google, "/a", steady, "10h 200, 20h 503", "739h59m59s", logs.Disobeyed, "for less than 30 days"},
		{google, "/a", steady, "10h 200, 20h 503", "740h", logs.Unclear, "for 30 days: it may take the file as missing"},
		{google, "/a", steady, "10h 200, 20h 0", "740h", logs.Unclear, "no answer is the same"},
		{google, "/a", steady, "10h 200, 20h 500, 700h 599", "740h", logs.Unclear, "and so is each server error"},
		{google, "/a", steady, "10h 200, 700h 500", "740h", logs.Disobeyed, "the errors began late"},
		{google, "/a", steady, "10h 200, 20h 503 visitor", "740h", logs.Disobeyed, "others could not read it"},
		{google, "/a", steady, "10h 200, 20h 503, 700h 304", "740h", logs.Disobeyed, "it has read the file again"},
		{google, "/a", steady, "10h 503, 10h 200", "740h", logs.Disobeyed, "in the same second it got the file"},
		{google, "/a", steady, "40h 503", "40h", logs.Unclear, "it never read the file"},
		{google, "/a", steady, "40h1s 503", "40h", logs.Disobeyed, "that was after the request"},

		{google, "/a", steady, "10h 200, 20h 202", "44h", logs.Grace, "a success without the file allows all"},
		{google, "/a", steady, "20h 204 visitor", "44h", logs.Unclear, "to a visitor as well"},
		{yandex, "/a", steady, "10h 200, 20h 503", "60h", logs.Unclear, "Yandex takes an error as no file"},
		{yandex, "/a", steady, "10h 200, 20h 503, 21h 200", "44h1s", logs.Disobeyed, "since then it read the rule"},
		{yandex, "/a", steady, "10h 200, 20h 503 visitor", "60h", logs.Unclear, "and so may a part of the log that is missing"},
		{yandex, "/a", "0h block, 30h 503, 100h block", "", "54h", logs.Unclear, "a run met the error"},
		{yandex, "/a", "0h block, 30h 503, 100h block", "", "54h1s", logs.Disobeyed, "that was before the window"},
		{yandex, "/a", newRule, "9h 200, 30h 503 visitor", "40h", logs.Grace, "it may have met the error"},

		// What runs do not know.
		{google, "/a", "0h block, 50h allow, 50h block, 100h block", "", "74h", logs.Unclear, "two runs of one time disagree"},
		{google, "/a", "0h block, 50h block, 50h all, 100h all", "", "50h", logs.Disobeyed, "two runs of one time agree"},
		{google, "/z", "0h half, 100h half", "", "50h", logs.Unclear, "half of a file is no content"},
		{google, "/z", "0h block, 30h half, 100h block", "", "50h", logs.Obeyed, "it says nothing"},
		{google, "/a", "0h block, 30h half, 100h block", "", "50h", logs.Disobeyed, "it does not change what is in force"},
		{google, "/a", unsure, "40h 200", "64h", logs.Disobeyed, "the run after the doubt saw the rule"},
		{google, "/a", unsure, "40h 200", "63h59m59s", logs.Unclear, "a day ago the content was in doubt"},
		{google, "/z", unsure, "20h 200", "50h", logs.Unclear, "what it read is in doubt"},
		{google, "/a", "0h block, 30h 503, 100h block", "", "40h", logs.Disobeyed, "a failed run says nothing"},
		{google, "/a", unchecked, "", "50h", logs.Unclear, "one run knows nothing of the day before"},
		{google, "/a", modified, "", "34h", logs.Disobeyed, "the file was not modified for a day"},
		{google, "/a", modified, "", "33h59m59s", logs.Unclear, "the file before is not known"},
		{google, "/a", modified, "", "50h1s", logs.Unclear, "the file after the run is not known"},
		{google, "/z", modified, "20h 200", "50h", logs.Obeyed, "it read the file of the run"},
		{google, "/a", file, "", "500h", logs.Disobeyed, "the user's file is always in force"},
		{google, "/a", file, "490h 404 visitor", "500h", logs.Unclear, "somebody saw that there was no file"},
		{google, "/a", file, "490h 404", "500h", logs.Grace, "the crawler saw it"},
		{google, "/z", file, "", "500h", logs.Obeyed, "the user's file allows it"},

		// Readers differ.
		{google, "/a", "0h 401, 100h 401", "", "50h", logs.Obeyed, "401 is no file"},
		{old, "/a", "0h 401, 100h 401", "", "50h", logs.Disobeyed, "by the standard of 1994 it closes the site"},
		{old, "/a", "0h 401, 100h 401", "40h 401", "50h", logs.Grace, "but few know that"},
		{google19, "/a.html", "0h conflict, 100h conflict", "", "50h", logs.Unclear, "the page of 2019 leaves it open"},
		{google, "/a.html", "0h conflict, 100h conflict", "", "50h", logs.Disobeyed, "today the longer rule counts"},
		{google19, "/a.html", "0h conflict, 20h conflict, 21h html, 100h html", "20h 200", "60h", logs.Unclear, "what it read leaves it open"},
		{"GPTBot", "/%61", steady, "", "40h", logs.Disobeyed, "%61 is a by RFC 9309"},
		{google, "/%61", steady, "", "40h", logs.Obeyed, "and not to Google"},

		// Crawlers that do not obey *.
		{ads, "/a", "0h ads, 100h ads", "", "50h", logs.Disobeyed, "its own group counts"},
		{ads, "/a", "0h adsfree, 100h adsfree", "", "50h", logs.Obeyed, "its own group allows it"},
		{ads, "/a", "0h ads, 40h block, 100h ads", "", "39h", logs.Exempt, "its group may be gone"},
		{ads, "/a", "0h block, 30h block, 40h ads, 100h ads", "", "64h", logs.Disobeyed, "it has its own group for a day"},
		{ads, "/a", "0h block, 30h block, 40h ads, 100h ads", "30h 200", "50h", logs.Grace, "it read when it had none"},
		{ads, "/z", steady, "", "40h", logs.Obeyed, "nothing blocks it"},

		// URLs that are not judged.
		{google, "/.well-known/", "0h all, 100h all", "", "50h", logs.Exempt, "all crawlers may ask for these"},
		{google, "/.well-known", "0h all, 100h all", "", "50h", logs.Disobeyed, "it is a page"},
		{google, "/x/.well-known/y", "0h all, 100h all", "", "50h", logs.Disobeyed, "it is a page"},
		{google, "/robots.txt/", "0h all, 100h all", "", "50h", logs.Disobeyed, "it is a page"},
		{google, "/ROBOTS.TXT", "0h all, 100h all", "", "50h", logs.Disobeyed, "case counts"},
		{google, "", "0h all, 100h all", "", "50h", logs.Disobeyed, "it is the home page"},
		{google, "?q", "0h all, 100h all", "", "50h", logs.Disobeyed, "it is the home page"},
		{"ChatGPT-User", "/a", unchecked, "", "500h", logs.Exempt, "a person asks"},
	} {
		name := strings.TrimPrefix(c.crawler, "fake ")
		t.Run(fmt.Sprint(name, c.path, " at ", c.at, ": ", c.why), func(t *testing.T) {
			source, runs := handRuns(t, c.runs)
			crawler, err := engine.ParseCrawler(name)
			if err != nil {
				t.Fatal(err)
			}
			crawlers, user := []engine.Crawler{crawler}, []bool{name == "ChatGPT-User"}
			var reads logs.Reads
			var list []robotsRead
			for _, part := range parts(c.reads) {
				r := robotsRead{at: handTime(t, part[0]).Unix()}
				if _, err := fmt.Sscan(part[1], &r.status); err != nil {
					t.Fatal(err)
				}
				if len(part) > 2 {
					r.crawler = logs.Visitor
				}
				reads.Add(r.crawler, r.at, r.status)
				list = append(list, r)
			}
			at, genuine, url := handTime(t, c.at).Unix(), name == c.crawler, origin+c.path
			b := newBrute(source, runs, list, crawlers, user, worldStart-day, at)
			if got := b.class(0, url, at, genuine); got != c.want {
				t.Errorf("the slow judge: %v, want %v", got, c.want)
			}
			judge := logs.NewJudge(logs.NewTimeline(source, runs), crawlers, user)
			got, version, line, rule := judge.Class(&reads, 0, judge.Vector(0, url), at, genuine)
			if got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
			if v, l, r, _ := b.where(c.want, 0, url, at); v != version || l != line || r != rule {
				t.Errorf("version %d, line %d %q; the slow judge: %d, %d %q", version, line, rule, v, l, r)
			}
		})
	}
}

// parts splits "1h 200, 2h 404 visitor".
func parts(text string) (list [][]string) {
	for _, part := range strings.Split(text, ", ") {
		if words := strings.Fields(part); len(words) > 0 {
			list = append(list, words)
		}
	}
	return list
}

func handTime(t *testing.T, text string) time.Time {
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return time.Unix(worldStart, 0).UTC().Add(d)
}

// handRuns reads "0h allow, 10h block" of a history, "run: 10h block" or "file: 0h block".
func handRuns(t *testing.T, text string) (source audit.LogSource, runs []logs.Observation) {
	source = audit.LogHistory
	if name, rest, ok := strings.Cut(text, ": "); ok {
		source, text = audit.LogSource(name), rest
	}
	for _, part := range parts(text) {
		f, ok := handContents[part[1]]
		if !ok {
			t.Fatalf("no content %q", part[1])
		}
		o := logs.Observation{At: handTime(t, part[0]), File: f, Told: part[1] != "doubt"}
		if f.Status == 200 {
			o.SHA256 = part[1]
		}
		runs = append(runs, o)
	}
	return source, runs
}
