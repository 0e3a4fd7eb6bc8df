package engine

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"robots-audit/engine/internal/match/matchtest"
)

// TestMatrixCompiled compares a Matrix with compiled patterns with one that tries them one
// by one in each group: verdicts by the same rules, counts, also between URLs, and watched
// rules.
func TestMatrixCompiled(t *testing.T) {
	t.Parallel()
	rules, paths := matchtest.Mix{Rules: 700, Wild: 0.3, Derived: 0.7}.Draw(400)
	urls := append(benchURLs(paths), "/robots.txt", "https://example.com/robots.txt", "/a/index.html", "/a/", "/%61/b", "/x?y", "/b/c/d", "/q/index.html/")
	one := string(benchBody(rules)) + "Disallow: /r*\nDisallow: /robots\nAllow: /a/index.html\nAllow: /*/\nDisallow: /a/*\nDisallow: /a\nAllow: /b*\nDisallow: /b/*/\nDisallow: /b/*$\nAllow: /q*/index.html\nDisallow: /$\n"
	google, rfc9309, oss, yandex := mustProfile(t, "google"), mustProfile(t, "rfc9309"), mustProfile(t, "google-oss"), mustProfile(t, "yandex")
	bodies := map[string]string{
		"one group":       one,
		"several":         one + "\nUser-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\nAllow: /x\n\nUser-agent: Bingbot\nDisallow: /b\nDisallow: /\n\nUser-agent: Yandex\nDisallow: /b/c\nAllow: /b\n",
		"lines that join": "User-agent: GPTBot\nDisallow: /\n\nUser-agent: Googlebot\nDisallow: /a\n\n" + one,
	}
	for name, body := range bodies {
		for _, crawlers := range [][]Crawler{Crawlers()[:24], readBy(Profiles()...), readBy(google, rfc9309), readBy(google, oss), readBy(google, yandex)} {
			t.Run(fmt.Sprintf("%s, %d crawlers", name, len(crawlers)), func(t *testing.T) {
				compareMatrices(t, body, crawlers, urls)
			})
		}
	}
}

// readBy is two crawlers by each profile.
func readBy(profiles ...*Profile) (list []Crawler) {
	for _, p := range profiles {
		for _, token := range []string{"GPTBot", "FooBot"} {
			list = append(list, Crawler{Name: token, Tokens: []string{token}, Profile: p.Name})
		}
	}
	return list
}

// compareMatrices compares the two ways.
func compareMatrices(t *testing.T, body string, crawlers []Crawler, urls []string) {
	t.Helper()
	groups := groupsOf(t, body, crawlers)
	fast, plain := NewMatrix(groups...), NewMatrix(groups...)
	for i, g := range groups {
		for rule := range g.Rules {
			if rule%50 == 7 {
				fast.Watch(i, rule)
				plain.Watch(i, rule)
			}
		}
	}
	plain.tried = math.MinInt // never enough to compile
	got, want := make([]Decision, len(groups)), make([]Decision, len(groups))
	for n, url := range urls {
		fast.tried = 1 << 30 // enough to compile
		fast.Verdicts(url, got)
		plain.Verdicts(url, want)
		if !slices.Equal(got, want) {
			t.Fatalf("%q: %v, want %v", url, got, want)
		}
		if a, b := watchedLines(fast), watchedLines(plain); !slices.Equal(a, b) {
			t.Fatalf("%q: watched lines %v match, want %v", url, a, b)
		}
		if n%200 != 199 && n != len(urls)-1 {
			continue
		}
		for i := range groups {
			if a, b := fast.AppendCounts(nil, i), plain.AppendCounts(nil, i); !slices.Equal(a, b) {
				t.Fatalf("after %d URLs the counts of group %d are not the same", n+1, i)
			}
		}
	}
}

// groupsOf returns the groups of crawlers in a file.
func groupsOf(t *testing.T, body string, crawlers []Crawler) (groups []*Group) {
	read := map[string]*Robots{}
	var files []*Robots
	for _, c := range crawlers {
		if read[c.Profile] == nil {
			read[c.Profile] = mustProfile(t, c.Profile).Read(File{Status: 200, Body: []byte(body)})
			files = append(files, read[c.Profile])
		}
	}
	Share(files...)
	for _, c := range crawlers {
		groups = append(groups, read[c.Profile].Group(c))
	}
	return groups
}

// watchedLines returns the lines of the watched rules that match, in order.
func watchedLines(m *Matrix) (lines []int) {
	for line := range m.Watched {
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}
