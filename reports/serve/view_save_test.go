package serve

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestSaveAtOnce saves from many browsers at the same moment: each gets its own proposal.
func TestSaveAtOnce(t *testing.T) {
	const n = 40
	proposals := filepath.Join(t.TempDir(), "proposals")
	now := time.Date(2026, 11, 26, 6, 0, 0, 0, time.UTC)
	d, a, _ := guarded(t, Options{Proposals: proposals, Now: func() time.Time { return now }})
	session := &http.Cookie{Name: sessionCookie, Value: strings.Repeat("A", 43)}
	body := `{"robots":"User-agent: *\nDisallow: /\n","note":"n","form_token":"` + d.guard.formToken(session.Value) + `"}`
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			answer, text := a.do("POST", "/runs/monday/sites/shop.example/save", body, "Content-Type", "application/json", "Cookie", session.String())
			if answer.StatusCode != 200 || strings.Contains(text, proposals) {
				t.Errorf("%s: %s", answer.Status, text)
			}
		})
	}
	all.Wait()
	for _, end := range []string{"Z.txt", ".note.txt"} {
		if saved, err := filepath.Glob(filepath.Join(proposals, "shop.example", "*"+end)); err != nil || len(saved) != n {
			t.Errorf("%d files *%s are saved, want %d: %v", len(saved), end, n, err)
		}
	}
	if hidden, _ := filepath.Glob(filepath.Join(proposals, "shop.example", ".*")); len(hidden) > 0 {
		t.Errorf("left behind: %q", hidden)
	}
}

// TestNoPaths causes disk errors: no answer says where the folders are.
func TestNoPaths(t *testing.T) {
	proposals := filepath.Join(t.TempDir(), "proposals")
	d, a, run := guarded(t, Options{Proposals: proposals})
	session := &http.Cookie{Name: sessionCookie, Value: strings.Repeat("A", 43)}
	body := `{"robots":"User-agent: *\nDisallow: /\n","form_token":"` + d.guard.formToken(session.Value) + `"}`
	ask := func(want int, method, path, body string) {
		t.Helper()
		answer, text := a.do(method, path, body, "Content-Type", "application/json", "Accept", "application/json", "Cookie", session.String())
		if answer.StatusCode != want || strings.Contains(text, filepath.Dir(run)) || strings.Contains(text, filepath.Dir(proposals)) {
			t.Errorf("%s: %s: %s", path, answer.Status, text)
		}
	}
	noError(t, os.WriteFile(proposals, nil, 0o644)) // in the place of a folder
	const site = "/runs/monday/sites/shop.example"
	ask(500, "POST", site+"/save", body)
	records := filepath.Join(run, "records", "shop.example.jsonl.zst")
	noError(t, os.Truncate(records, 30))
	ask(500, "GET", site+"/url?u=/shop/1", "")
	ask(500, "POST", site+"/try", body)
	noError(t, os.WriteFile(filepath.Join(run, "run.json"), []byte("{"), 0o644))
	ask(500, "GET", site+"/edit", "")
	ask(200, "GET", "/", "")
}

// TestProposalLinks checks that a proposal that is a link or a named pipe is neither shown nor waited for.
func TestProposalLinks(t *testing.T) {
	dir := t.TempDir()
	proposals, secret := filepath.Join(dir, "proposals"), filepath.Join(dir, "secret.txt")
	name := "20261126T060000.000Z"
	err := errors.Join(os.MkdirAll(filepath.Join(proposals, "shop.example"), 0o755), os.WriteFile(secret, []byte("SECRET"), 0o600), os.Symlink(secret, filepath.Join(proposals, "shop.example", name+".txt")))
	if err != nil {
		t.Skip(err) // a system without links
	}
	_, a, _ := guarded(t, Options{Proposals: proposals})
	for _, path := range []string{"/edit", "/start?key=proposal:" + name} {
		if answer, text := a.do("GET", "/runs/monday/sites/shop.example"+path, ""); strings.Contains(text, "SECRET") || strings.Contains(text, name) {
			t.Errorf("%s: %s: %s", path, answer.Status, text)
		}
	}
}
