package engine

import (
	"reflect"
	"testing"
)

// TestGoogleMatcher compares google-oss with recorded results of Google's
// open-source matcher: verdict and line.
func TestGoogleMatcher(t *testing.T) {
	p := mustProfile(t, "google-oss")
	for _, set := range []struct {
		file string
		asks int
	}{
		{"google_matcher.jsonl.gz", 20000},
		{"google_divergences.jsonl.gz", 52},
		{"suites.jsonl.gz", 1669},
	} {
		asks := 0
		for _, f := range readCases(t, set.file) {
			if f.Profile != "" && f.Profile != "google" {
				continue
			}
			r := p.Parse(f.body())
			for _, ask := range f.Asks {
				d := r.Group(token(ask.Agents...)).Verdict(p.AsURL(ask.URL))
				asks++
				if d.Verdict.String() != ask.Verdict || ask.Line != nil && d.Line() != *ask.Line {
					t.Errorf("%s %s: agents %q url %q: %v, line %d; matcher says %s, line %d\n%q",
						set.file, f.ID, ask.Agents, ask.URL, d.Verdict, d.Line(), ask.Verdict, lineOf(ask), f.body())
				}
			}
		}
		if asks != set.asks {
			t.Errorf("%s holds %d asks, not %d", set.file, asks, set.asks)
		}
	}
}

func lineOf(a ask) int {
	if a.Line == nil {
		return -1
	}
	return *a.Line
}

// Sentences of Google's page, of 2023 and of 2026, where its profiles differ from
// Google's matcher.
const (
	saysSize     = "Google enforces a robots.txt file size limit of 500 kibibytes. Content which is after the maximum file size is ignored."
	saysOneGroup = "Only one group is valid for a particular crawler: the group with the most specific user agent. Other groups are ignored."
	saysExempt   = "The global user agent (*) is ignored." // the page on special-case crawlers
	saysTrailing = "/fish*: Equivalent to /fish. The trailing wildcard is ignored."
	saysUTF8     = "Non-7-bit ASCII characters in a path may be included as UTF-8 characters or as percent-escaped UTF-8 encoded characters per RFC 3986."
	saysEmpty    = "Crawlers ignore rules without a [path]."
)

// spokenFields are the points on which Google's page contradicts its matcher.
var spokenFields = map[string]string{
	"Limit": saysSize, "Fallback": saysOneGroup, "Unite": saysOneGroup, "Exemptions": saysExempt,
	"Length": saysTrailing, "Encoding": saysUTF8, "EmptyAllow": saysEmpty, "EmptyDisallow": saysEmpty,
}

// spokenRows are the divergences, by their ids, in which the profiles follow
// the page.
var spokenRows = map[string]string{
	"no-size-limit": saysSize, "ua-union": saysOneGroup, "trailing-star": saysTrailing,
	"index-prio":      saysTrailing, // "/x/**" is "/x/", which is shorter than "/x/$"
	"same-kind-tie":   saysTrailing, // "/a*" is "/a", which is shorter than "/ab"
	"url-rawutf8":     saysUTF8,
	"url-lowerpct":    saysUTF8,
	"empty-rule-line": saysEmpty, // the verdict is the same; no rule decides
}

// TestGoogleSilence: where Google's page is silent, its profiles follow Google's
// matcher, in every field that changes verdicts and in every recorded divergence.
// Each exception has its sentence, and is a real one.
func TestGoogleSilence(t *testing.T) {
	matcher := reflect.ValueOf(mustProfile(t, "google-oss")).Elem()
	about := map[string]bool{"Name": true, "Title": true, "Dated": true, "Source": true, "Proof": true, "WhileUnreachable": true, "AnyURL": true, "Superseded": true} // the matcher sees no answers, and no browser
	for _, name := range []string{"google", "google-2023"} {
		p := mustProfile(t, name)
		for i := range matcher.NumField() {
			field := matcher.Type().Field(i).Name
			same := reflect.DeepEqual(reflect.ValueOf(p).Elem().Field(i).Interface(), matcher.Field(i).Interface())
			if sentence := spokenFields[field]; !about[field] && same != (sentence == "") {
				t.Errorf("%s: %s is that of google-oss: %v; the page: %q", name, field, same, sentence)
			}
		}
		rows := 0
		for _, f := range readCases(t, "google_divergences.jsonl.gz") {
			for _, ask := range f.Asks {
				rows++
				d := p.Parse(f.body()).Group(token(ask.Agents...)).Verdict(ask.URL)
				same := d.Verdict.String() == ask.Verdict && d.Line() == lineOf(ask)
				if sentence := spokenRows[f.ID]; same != (sentence == "") {
					t.Errorf("%s: %s (%s): %v by line %d, matcher %s by line %d; the page: %q", name, f.ID, f.What, d.Verdict, d.Line(), ask.Verdict, lineOf(ask), sentence)
				}
			}
		}
		if rows != 52 {
			t.Errorf("%d rows, not 52", rows)
		}
	}
}
