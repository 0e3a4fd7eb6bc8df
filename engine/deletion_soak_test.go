//go:build soak

package engine

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDeletionCorpus deletes lines of real files, in ROBOTS_AUDIT_CORPUS: all that decide
// one of 40 URLs drawn from the file's rules, those whose deletion joins groups,
// and some others.
func TestDeletionCorpus(t *testing.T) {
	dir := os.Getenv("ROBOTS_AUDIT_CORPUS")
	if dir == "" {
		t.Skip("ROBOTS_AUDIT_CORPUS is not set")
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%d files: %v", len(names), err)
	}
	var askers []asker
	for _, name := range []string{"Googlebot", "Bingbot", "YandexBot", "GPTBot@rfc9309", "token:SomeNewBot"} {
		c, err := ParseCrawler(name)
		if err != nil {
			t.Fatal(err)
		}
		askers = append(askers, asker{mustProfile(t, c.Profile), c})
	}
	for seed := range uint64(2) {
		d := deletions{some: 10}
		for i, name := range names {
			body, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			text := string(body)
			d.check(t, text, drawnURLs(rand.New(rand.NewPCG(seed, uint64(i))), text, 40), askers...)
		}
		t.Logf("seed %d: %d files, %+v", seed, len(names), d)
		if d.questions == 0 || d.joins == 0 {
			t.Error("nothing was tested")
		}
	}
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
