//go:build soak

package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mostOfKind is how many findings of one id are tried in one file: some files have
// thousands alike.
const mostOfKind = 15

// TestHarmlessCorpus makes every edit that lint says to change no verdict in real
// files (ROBOTS_AUDIT_CORPUS names their folder), and asks what it changes.
func TestHarmlessCorpus(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(os.Getenv("ROBOTS_AUDIT_CORPUS"), "*.txt"))
	if err != nil || len(names) == 0 {
		t.Skip("ROBOTS_AUDIT_CORPUS names no folder with files")
	}
	counts, said := map[string]int{}, map[string]int{}
	for i, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all := Profiles()
		others := all // in turn with each of them alone
		if i %= len(all) + 1; i < len(all) {
			others = all[i:][:1]
		}
		for _, profiles := range [][]*Profile{{mustProfile(t, "google"), mustProfile(t, "yandex"), mustProfile(t, "rfc9309")}, others} {
			found := Lint(body, LintOptions{Profiles: profiles, MaxPerID: -1})
			of := map[string]int{}
			for i := range found {
				if said[found[i].ID+" not harmless"]++; found[i].Harmless {
					said[found[i].ID+" not harmless"]--
				}
			}
			found = slices.DeleteFunc(found, func(f Finding) bool {
				if f.Harmless {
					of[f.ID]++
				}
				return of[f.ID] > mostOfKind
			})
			checkHarmless(t, fmt.Sprintf("%s by %d profiles", filepath.Base(name), len(profiles)), string(body), found, profiles, counts)
		}
	}
	t.Logf("%d files: %v", len(names), counts)
	for id, n := range said {
		if counts[id[:6]] > 0 {
			t.Logf("%s: %d", id, n)
		}
	}
}

// TestOffersCorpus makes the edits that lint offers for real files, in ROBOTS_AUDIT_CORPUS.
func TestOffersCorpus(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(os.Getenv("ROBOTS_AUDIT_CORPUS"), "*.txt"))
	if err != nil || len(names) == 0 {
		t.Skip("ROBOTS_AUDIT_CORPUS names no folder with files")
	}
	counts := map[string]int{}
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		host, _, _ := strings.Cut(filepath.Base(name), "__")
		checkOffers(t, filepath.Base(name), string(body), LintOptions{
			Profiles: []*Profile{mustProfile(t, "google"), mustProfile(t, "yandex"), mustProfile(t, "bing"), mustProfile(t, "rfc9309")},
			URL:      "https://" + host + "/robots.txt",
		}, counts)
	}
	t.Logf("%d files: %v", len(names), counts)
}
