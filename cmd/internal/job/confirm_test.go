package job

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/history"
)

// TestConfirmationsAreRead checks that the file of confirmations is read as written, separately for
// each origin and asker.
func TestConfirmationsAreRead(t *testing.T) {
	j := &Job{Dir: t.TempDir()}
	asked := time.Date(2026, 11, 23, 6, 5, 0, 0, time.UTC)
	again := func(same ...bool) (list []history.Confirmation) {
		for i, s := range same {
			list = append(list, history.Confirmation{Number: i + 2, Asked: asked, Answer: history.AnswerOK, Status: 200, Same: s})
		}
		return list
	}
	const site, far = "http://shop.example", "http://img.shop.example"
	const bot, www = site + "/robots.txt to Googlebot's User-Agent", "http://www.shop.example/robots.txt"
	of := &confirmations{Run: "1", Tries: 3, questions: []question{
		{site: "shop", Question: alert.Question{Origin: site, Asker: bot}, again: again(false, true)},
		{site: "shop", Question: alert.Question{Origin: site, Asker: www}, again: again(false, false)},
		{site: "shop", Question: alert.Question{Origin: site, Asker: "GPTBot: refused"}, again: again(false, false)},
		{site: "shop", Question: alert.Question{Origin: site, Asker: "Googlebot: refused"}, again: again(true)},
		{site: "shop", Question: alert.Question{Origin: far}, again: again(false, false)},
		{site: "other", Question: alert.Question{Origin: "http://other.example"}}, // no request was made
		{site: "third", Question: alert.Question{Origin: "http://third.example"}, again: again(true)},
	}}
	if err := j.writeConfirmations(of); err != nil {
		t.Fatal(err)
	}
	read, err := j.readConfirmations("1")
	if err != nil {
		t.Fatal(err)
	}
	for site, want := range map[string][]string{"shop": {www, "GPTBot: refused", far}, "other": {"http://other.example"}, "third": nil, "none": nil} {
		before, list := of.ofSite(site)
		hiccups, others := read.ofSite(site)
		if !slices.Equal(before, want) || !slices.Equal(hiccups, want) || !slices.Equal(list, others) {
			t.Errorf("%s: hiccups %q, read %q, want %q; answers %+v, read %+v", site, before, hiccups, want, list, others)
		}
	}
}

// TestConfirmationsOfBefore reads a file without askers, from versions that asked for all in one:
// the answers are those of the origin.
func TestConfirmationsOfBefore(t *testing.T) {
	j := &Job{Dir: t.TempDir()}
	const text = `{"run":"1","tries":3,"quiet":["b.example"]}
{"site":"a.example","origin":"http://a.example","number":2,"asked":"2026-11-23T06:05:00Z","answer":"200","status":200,"same":false}
{"site":"a.example","origin":"http://a.example","number":3,"asked":"2026-11-23T06:10:00Z","answer":"200","status":200,"same":false}
{"site":"b.example","origin":"http://b.example","number":2,"asked":"2026-11-23T06:05:00Z","answer":"5xx","status":503,"same":true}
`
	if err := os.Mkdir(filepath.Join(j.Dir, confirmationsFolder), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(j.Dir, confirmationsFolder, "1.jsonl"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	of, err := j.readConfirmations("1")
	if err != nil {
		t.Fatal(err)
	}
	a, again := of.ofSite("a.example")
	b, _ := of.ofSite("b.example")
	if !slices.Equal(a, []string{"http://a.example"}) || len(again) != 2 || b != nil || !slices.Equal(of.Quiet, []string{"b.example"}) {
		t.Errorf("%q, %+v, %q, %q", a, again, b, of.Quiet)
	}
}
