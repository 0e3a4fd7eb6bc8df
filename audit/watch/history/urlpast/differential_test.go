package urlpast

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/audit/watch/history"
	"robots-audit/engine"
)

// texts are versions of robots.txt: real ones, and some made of a few lines, so that versions share
// most rules in other lines.
func texts(t *testing.T, rnd *rand.Rand) (list []string) {
	t.Helper()
	files, err := filepath.Glob("../../../../cmd/robots-audit/demo/*/robots.txt")
	if err != nil || len(files) < 3 {
		t.Fatalf("%d files (%v)", len(files), err)
	}
	for _, name := range files {
		body, err := os.ReadFile(name)
		noError(t, err)
		list = append(list, string(body))
	}
	lines := []string{
		"User-agent: *", "User-agent: Googlebot", "User-agent: bingbot", "User-agent: Yandex", "Disallow: /", "Disallow: /a", "Disallow: /a/b", "Allow: /a",
		"Allow: /a/b", "Disallow: /*?", "Allow: /$", "Disallow:", "# a comment", "", "Sitemap: https://example.com/s.xml", "<html>", "Clean-param: q /a",
	}
	for range 12 {
		var b strings.Builder
		for range rnd.IntN(12) {
			b.WriteString(lines[rnd.IntN(len(lines))] + "\n")
		}
		list = append(list, b.String())
	}
	return list
}

// TestAgainstEngine compares random histories with the engine, for each run, crawler and URL.
func TestAgainstEngine(t *testing.T) {
	crawlers := mustCrawlers(t, "Googlebot,Bingbot,YandexBot,GPTBot,AdsBot-Google,Googlebot@google-2019,Googlebot@rep-1994,Googlebot@google-oss,YandexBot@yandex-2016")
	for seed := range uint64(30) {
		rnd := rand.New(rand.NewPCG(seed, 16))
		bodies := texts(t, rnd)
		special := []string{"404", "503", "loop", "unasked", "unconfirmed", "lost", "unknown", ""}
		var list []string
		for len(list) < 40 {
			a := bodies[rnd.IntN(len(bodies))]
			if rnd.IntN(3) == 0 {
				a = special[rnd.IntN(len(special))]
			}
			for range 1 + rnd.IntN(4) {
				list = append(list, a)
			}
		}
		runs, versions := answers(list...)
		rnd.Shuffle(len(versions), func(i, k int) { versions[i], versions[k] = versions[k], versions[i] })
		bodyOf := map[string][]byte{}
		for _, v := range versions {
			bodyOf[v.SHA256] = v.Body
		}
		for _, url := range []string{origin + "/", origin + "/a", origin + "/a/b?q=1", origin + "/search?q=x", origin + "/robots.txt"} {
			pasts, err := Of(url, origin, crawlers, runs, versions)
			noError(t, err)
			for i := range pasts {
				robot, profile, _ := crawlers[i].Robot()
				plain := func(r *history.SiteRun) engine.Decision {
					f := engine.File{Status: r.Status, Error: r.Code}
					if r.SHA256 != "" {
						if f.Body = bodyOf[r.SHA256]; f.Body == nil {
							return engine.Decision{}
						}
					}
					return profile.Read(f).Group(robot).Verdict(url)
				}
				if err := pasts[i].differs(runs, plain); err != nil {
					t.Fatalf("seed %d, %s, %s: %v\n%s", seed, crawlers[i].Label, url, err, pasts[i].Sentence())
				}
			}
		}
	}
}

// differs says in what a past differs from the decisions of its runs.
func (p *Past) differs(runs []history.SiteRun, plain func(*history.SiteRun) engine.Decision) error {
	told, counted := 0, p.Before
	for n := range p.Stretches {
		s := &p.Stretches[n]
		counted += s.Runs + s.Unclear
		if n > 0 && (p.Stretches[n-1].Verdict == s.Verdict || p.Stretches[n-1].Until != s.Since) || s.Late > s.Unclear {
			return fmt.Errorf("stretch %d does not follow the one before: %+v", n, s)
		}
		of := 0
		for k, r := range s.Reasons {
			if of += r.Runs; k > 0 && s.Reasons[k-1].Rule == r.Rule && s.Reasons[k-1].Why == r.Why {
				return fmt.Errorf("reason %d of stretch %d is the one before", k, n)
			}
		}
		if of != s.Runs || s.Reasons[0].Since != s.Since {
			return fmt.Errorf("stretch %d has %d runs, its reasons %d", n, s.Runs, of)
		}
	}
	if counted != len(runs) || p.Runs != len(runs) {
		return fmt.Errorf("%d runs of %d are counted", counted, len(runs))
	}
	late := 0 // runs that could not tell, after the last one that could
	for i := len(runs) - 1; i >= 0; i-- {
		r := &runs[i]
		if !r.Settled || r.Answer == history.AnswerNotAsked {
			late++
			continue
		}
		late = 0
		told++
		s, reason := p.at(r)
		d := plain(r)
		var rule engine.Rule
		if d.Rule != nil {
			rule = *d.Rule
		}
		if s == nil || s.Verdict != d.Verdict || reason.Rule != rule || (reason.Why == "") != (d.Rule != nil) {
			return fmt.Errorf("%s was %s by line %d %q, and is told as %+v", r.Run.ID, d.Verdict, rule.Line, rule, s)
		}
	}
	if now := p.Now(); now != nil && now.Late != late {
		return fmt.Errorf("the last %d runs could not tell, want %d", now.Late, late)
	}
	for _, s := range p.Stretches {
		told -= s.Runs
	}
	if told != 0 {
		return fmt.Errorf("%d runs that could tell are not told", told)
	}
	return nil
}

// at are the stretch and the reason of a run.
func (p *Past) at(r *history.SiteRun) (s *Stretch, reason *Reason) {
	for i := range p.Stretches {
		if !p.Stretches[i].Since.Started.After(r.Run.Started) {
			s = &p.Stretches[i]
		}
	}
	for i := 0; s != nil && i < len(s.Reasons); i++ {
		if !s.Reasons[i].Since.Started.After(r.Run.Started) {
			reason = &s.Reasons[i]
		}
	}
	return s, reason
}
