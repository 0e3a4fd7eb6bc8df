//go:build browser

package serve

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"

	"robots-audit/audit/watch/history"
)

// jobsWorld is the dashboard in which the jobs are done.
type jobsWorld struct {
	*asker
	dir, downloads string
	ids            []string     // of the runs, oldest first
	accepted       atomic.Int64 // alerts
}

// job is a piece of work of a week. It begins on the home page.
type job struct {
	name  string
	steps func(w *jobsWorld, h *hand)
	done  func(w *jobsWorld) string // checks what the page cannot show; "" = right
}

// newJobsWorld makes the world. Answers to alerts go into its history.
func newJobsWorld(t *testing.T) *jobsWorld {
	w := &jobsWorld{downloads: t.TempDir()}
	w.dir, w.ids = jobsHistory(t)
	answer := func(ctx context.Context, of Answer) (string, error) {
		db, err := history.OpenBeside(ctx, w.dir)
		if err != nil {
			return "", err
		}
		defer db.Close()
		if of.Assign {
			return "Assigned", db.Decide(ctx, of.Alerts, time.Now(), history.Decision{Assign: true, Owner: of.Owner})
		}
		w.accepted.Add(int64(len(of.Alerts)))
		return fmt.Sprintf("Accepted %d alerts", len(of.Alerts)), db.Accept(ctx, of.Alerts, time.Now(), of.Note)
	}
	_, w.asker = newDesk(t, Options{History: w.dir, Proposals: filepath.Join(w.dir, "proposals"), Acknowledge: answer, Now: func() time.Time { return time.Date(2026, 11, 29, 9, 0, 0, 0, time.UTC) }})
	proposals := filepath.Join(w.dir, "proposals", jobsHost(3))
	noError(t, os.MkdirAll(proposals, 0o755))
	noError(t, os.WriteFile(filepath.Join(proposals, jobsProposal+".txt"), []byte(jobsNovember), 0o644))
	for range 600 { // until there is an index
		if a, _ := w.do("GET", "/runs/"+w.ids[2]+"/search?q=zzz", "", "Accept", "application/json"); a.StatusCode == 200 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	return w
}

// site is the path of a site in the newest run.
func (w *jobsWorld) site(host string) string { return "/runs/" + w.ids[2] + "/sites/" + host }

// downloaded is the newest downloaded file, once it is complete.
func (w *jobsWorld) downloaded() string {
	for range 100 {
		files, _ := filepath.Glob(filepath.Join(w.downloads, "*"))
		if len(files) > 0 && !strings.HasSuffix(files[0], ".crdownload") {
			text, _ := os.ReadFile(files[0])
			os.Remove(files[0])
			return string(text)
		}
		time.Sleep(50 * time.Millisecond)
	}
	return ""
}

// TestBrowserJobs does twelve jobs of a week in a browser, by mouse and by keyboard alone, and prints what they cost.
// TEST_JOBS are the numbers of some, "1,2".
func TestBrowserJobs(t *testing.T) {
	for _, keys := range []bool{false, true} {
		name := map[bool]string{false: "mouse", true: "keyboard"}[keys]
		t.Run(name, func(t *testing.T) {
			w, h := newJobsWorld(t), openHand(t, keys)
			_, err := chromedp.Call(h.Ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: w.downloads})
			noError(t, err)
			for n, j := range jobs {
				if only := os.Getenv("TEST_JOBS"); only != "" && !slices.Contains(strings.Split(only, ","), fmt.Sprint(n+1)) {
					continue
				}
				w.accepted.Store(0)
				h.actions, h.failed = 0, ""
				h.open(w.base + "/")
				eval[bool](h.tab, `(localStorage.clear(), sessionStorage.clear(), true)`) // no draft of an earlier job
				began := time.Now()
				j.steps(w, h)
				took := time.Since(began)
				if h.failed == "" && j.done != nil {
					h.failed = j.done(w)
				}
				if h.failed != "" {
					t.Errorf("job %d, %s: after %d actions on %s: %s", n+1, j.name, h.actions, eval[string](h.tab, `location.href`), h.failed)
					continue
				}
				t.Logf("job %d, %s: %s %d actions %.1f s", n+1, j.name, name, h.actions, took.Seconds())
				for _, s := range h.Troubles() {
					t.Errorf("job %d, %s: the browser says: %s", n+1, j.name, s)
				}
			}
		})
	}
}

// jobsProposal is a colleague's proposal for a site.
const jobsProposal = "20261128T120000.000Z"

// jobsURL is a blocked URL that somebody asks about.
var jobsURL = "http://" + jobsHost(3) + "/shop/private/b41"
