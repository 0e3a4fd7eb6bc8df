//go:build soak

package engine

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mostOfKind is how many findings of one id are tried in one file: some files have
// thousands alike.
const mostOfKind = 15

// TestCorpus does with real files (ROBOTS_AUDIT_CORPUS names their folder) what tests do with
// files made up: it deletes lines, makes the edits that lint offers or says to change no verdict,
// and asks the second implementation.
func TestCorpus(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(os.Getenv("ROBOTS_AUDIT_CORPUS"), "*.txt"))
	if err != nil || len(names) == 0 {
		t.Skip("ROBOTS_AUDIT_CORPUS names no folder with files")
	}
	each := func(what string, check func(t *testing.T, i int, name, body string)) {
		t.Run(what, func(t *testing.T) {
			for i, name := range names {
				body, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				check(t, i, filepath.Base(name), string(body))
			}
		})
	}
	var askers []asker
	for _, name := range []string{"Googlebot", "Bingbot", "YandexBot", "GPTBot@rfc9309", "token:SomeNewBot"} {
		c := mustCrawler(t, name)
		askers = append(askers, asker{mustProfile(t, c.Profile), c})
	}
	for seed := range uint64(2) {
		// All lines that decide one of 40 URLs drawn from the file's rules, those whose deletion joins
		// groups, and some others.
		d := deletions{some: 10}
		measured := false // unless a filter leaves this part out
		each(fmt.Sprint("deletions ", seed), func(t *testing.T, i int, _, body string) {
			measured = true
			d.check(t, body, drawnURLs(rand.New(rand.NewPCG(seed, uint64(i))), body, 40), askers...)
		})
		t.Logf("seed %d: %+v", seed, d)
		if measured && (d.questions == 0 || d.joins == 0) {
			t.Error("nothing was tested")
		}
	}
	usual := []*Profile{mustProfile(t, "google"), mustProfile(t, "yandex"), mustProfile(t, "bing"), mustProfile(t, "rfc9309")}
	counts := map[string]int{}
	each("readers", func(t *testing.T, _ int, name, body string) { checkReaders(t, name, body, usual, counts) })
	each("harmless edits", func(t *testing.T, i int, name, body string) {
		others := Profiles() // in turn with each of them alone
		if i %= len(others) + 1; i < len(others) {
			others = others[i:][:1]
		}
		for _, profiles := range [][]*Profile{usual, others} {
			of := map[string]int{}
			found := slices.DeleteFunc(Lint([]byte(body), LintOptions{Profiles: profiles, MaxPerID: -1}), func(f Finding) bool {
				if f.Harmless {
					of[f.ID]++
				}
				return of[f.ID] > mostOfKind
			})
			checkHarmless(t, fmt.Sprintf("%s by %d profiles", name, len(profiles)), body, found, profiles, counts)
		}
	})
	each("offers", func(t *testing.T, _ int, name, body string) {
		host, _, _ := strings.Cut(name, "__")
		checkOffers(t, name, body, LintOptions{Profiles: usual, URL: "https://" + host + "/robots.txt"}, counts)
	})
	each("fixes", func(t *testing.T, _ int, name, body string) { checkFix(t, name, body, LintOptions{}, counts) })
	r := rand.New(rand.NewPCG(1, 9309))
	each("second implementation", func(t *testing.T, _ int, _, body string) {
		if wideText(body) != "" {
			return // nothing is read of it
		}
		rules := mustProfile(t, "rfc9309").Parse([]byte(body)).Rules()
		rules = rules[:min(len(rules), 2000)]
		paths := []string{"/", "/robots.txt", "/a?b=c"}
		for range 27 {
			if len(rules) > 0 {
				paths = append(paths, pathFor(r, rules[r.IntN(len(rules))].Value))
			}
		}
		counts["questions of the second implementation"] += checkSecond(t, body, paths)
	})
	t.Logf("%d files: %v", len(names), counts)
}

// drawnURLs makes URLs of a file's rules, of every group.
func drawnURLs(r *rand.Rand, body string, n int) []string {
	rules := profiles[0].Parse([]byte(body)).Rules()
	urls := []string{"https://www.example.com/", "/index.html"}
	for len(urls) < n && len(rules) > 0 {
		path := strings.NewReplacer("*", []string{"", "x", "a/b"}[r.IntN(3)], "$", "").Replace(rules[r.IntN(len(rules))].Value)
		if !strings.HasPrefix(path, "/") {
			path = "/" + path
		}
		urls = append(urls, path+[]string{"", "", "x", "/a", "?b=c"}[r.IntN(5)])
	}
	return urls
}
