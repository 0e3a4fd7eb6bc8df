//go:build soak && unix

package edit

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"robots-audit/engine"
)

// TestRealFiles finds changes of real files, 300 or TEST_TIMES of them, which allow or block sets
// of 1, 5 and 50 URLs. It compares each with brute force. The files are in the folder
// ROBOTS_AUDIT_CORPUS.
func TestRealFiles(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(os.Getenv("ROBOTS_AUDIT_CORPUS"), "*.txt"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no files in ROBOTS_AUDIT_CORPUS: %v", err)
	}
	files, seed := 300, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("TEST_TIMES")); err == nil {
		files = n
	}
	if n, err := strconv.ParseUint(os.Getenv("TEST_SEED"), 10, 64); err == nil {
		seed = n
	}
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
	crawlers := crawlersNamed(t, "Googlebot", "Bingbot", "GPTBot", "YandexBot")
	var took []time.Duration
	done, compared, proved, told := 0, 0, 0, 0
	bounds, ended := map[string]int{}, map[string]int{}
	for _, name := range names {
		body, err := os.ReadFile(name)
		noError(t, err)
		urls := urlsFor(random, body, 1500)
		any := false
		for _, want := range []engine.Verdict{engine.Allow, engine.Disallow} {
			for _, size := range []int{1, 5, 50} {
				req := request{File: parsed(string(body)), Crawlers: crawlers[:1], Others: crawlers[1:], Want: want, Known: all(urls)}
				switch random.IntN(3) {
				case 0:
					req.Others = nil
				case 1:
					req.Crawlers, req.Others = crawlers, nil
				}
				if req.Set = setOf(random, &req, urls, size); len(req.Set) == 0 {
					continue
				}
				any = true
				start := cpuTime()
				res := smallest(t, req)
				spent := cpuTime() - start
				took = append(took, spent)
				switch {
				case len(res.Unmet) > 0 || len(res.NoLine) > 0:
					ended["beyond any edit"]++
				case res.Flips > 0:
					ended["not without flips"]++
				default:
					ended[fmt.Sprintf("clean with %d edits", len(res.Edits))]++
				}
				if spent > 2*time.Second {
					t.Logf("%s: %v %d: %v, %d tried", filepath.Base(name), want, size, spent, res.Tried)
				}
				is, longer := hold(t, filepath.Base(name), &req, res)
				if is {
					compared++
				}
				if longer {
					told++
				}
				if !res.Proved && len(res.Edits) > 0 {
					t.Errorf("%s: not proved", name)
				}
				if res.Proved {
					proved++
				}
				if res.Bounded != "" {
					bounds[res.Bounded]++
				}
			}
		}
		if any {
			if done++; done%50 == 0 {
				t.Logf("%d files, %d questions, %d compared", done, len(took), compared)
			}
			if done == files {
				break
			}
		}
	}
	t.Log(ended)
	slices.Sort(took)
	slow := 0
	for _, spent := range took {
		if spent > time.Second {
			slow++
		}
	}
	t.Logf("%d files, %d questions: median %v of CPU, worst %v, %d over a second; %d proved; of %d a single edit is known that does; longer than it, and said to be bounded: %d; bounded: %v",
		done, len(took), took[len(took)/2], took[len(took)-1], slow, proved, compared, told, bounds)
}

// cpuTime is what the process took of the processors, which others may share.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
