// Command peers times other robots.txt matchers beside package engine: one group, rules and
// paths drawn from the sample of the benchmarks, at 10 to 10,000 rules. Every matcher is asked the
// same URLs, in a process of its own where it is in another language, and its time is what
// the processor spent. README.md says how to have the others.
//
//	go run . -peer "google/robotstxt=./google" -peer "robots-parser=node robots-parser.mjs"
//
// A peer's command is given two files, robots.txt and one URL a line, and prints the
// nanoseconds that one URL took, those that reading the file took, and how many URLs it allows.
package main

import (
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/temoto/robotstxt"

	"robots-audit/engine"
)

// sizes are the numbers of rules, and urlCount how many URLs are asked in turn.
var sizes = []int{10, 100, 1000, 10000}

const urlCount = 2048

// peer asks a matcher the URLs of a file, for so long; the figures are those of the fastest pass.
type peer struct {
	name string
	time func(robots, urls string) (figures, error)
}

// figures are nanoseconds, and how many of the URLs may be crawled.
type figures struct{ perURL, read, allowed float64 }

func main() {
	peers := []peer{{"robots-audit", inProcess(ours)}, {"temoto/robotstxt", inProcess(temoto)}}
	flag.Func("peer", "`NAME=COMMAND`: one more matcher", func(text string) error {
		name, command, ok := strings.Cut(text, "=")
		if !ok {
			return fmt.Errorf("want NAME=COMMAND")
		}
		peers = append(peers, peer{name, outside(strings.Fields(command))})
		return nil
	})
	seed := flag.Uint64("seed", 0, "`number` that draws other rules and URLs")
	flag.Parse()
	dir, err := os.MkdirTemp("", "peers")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	fmt.Println("| CPU ns a URL |", strings.Trim(strings.Join(strings.Fields(fmt.Sprint(sizes)), " rules | "), "[]"), "rules | read and prepare the largest, ms | allows |\n|---|---|---|---|---|---|---|")
	rows := make([][]string, len(peers))
	for _, n := range sizes {
		robots, urls := filepath.Join(dir, "robots.txt"), filepath.Join(dir, "urls.txt")
		if err := draw(n, *seed, robots, urls); err != nil {
			log.Fatal(err)
		}
		for i, p := range peers {
			f, err := p.time(robots, urls)
			if err != nil {
				log.Fatalf("%s, %d rules: %v", p.name, n, err)
			}
			rows[i] = append(rows[i], fmt.Sprintf("%.0f", f.perURL))
			if n == sizes[len(sizes)-1] {
				rows[i] = append(rows[i], fmt.Sprintf("%.2f", f.read/1e6), fmt.Sprintf("%.0f of %d", f.allowed, urlCount))
			}
		}
	}
	for i, p := range peers {
		fmt.Println("|", p.name, "|", strings.Join(rows[i], " | "), "|")
	}
}

// draw writes a robots.txt of n rules, a fifth of them with wildcards, and URLs, half of them derived from the rules.
func draw(n int, seed uint64, robots, urls string) error {
	const sample = "../../engine/internal/match/matchtest/sample/"
	rules, err := os.ReadFile(sample + "rules.txt")
	if err != nil {
		return err
	}
	paths, err := os.ReadFile(sample + "paths.txt")
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(seed, 1))
	var literal, wild []string
	for rule := range strings.FieldsSeq(string(rules)) {
		if strings.ContainsAny(rule, "*$") {
			wild = append(wild, rule)
		} else {
			literal = append(literal, rule)
		}
	}
	for _, list := range [][]string{literal, wild} {
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	all := append(slices.Clone(wild[:n/5]), literal[:n-n/5]...)
	r.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
	links := strings.Fields(string(paths))
	body, list := "User-agent: *\n", ""
	for i, rule := range all {
		body += []string{"Allow: ", "Disallow: "}[min(1, i%10)] + rule + "\n"
	}
	words := []string{"article", "index.html", "42", "product-7", "a/b", "x"}
	for i := range urlCount {
		path := links[r.IntN(len(links))]
		if i%2 == 0 {
			path = strings.TrimSuffix(all[r.IntN(n)], "$")
			for strings.Contains(path, "*") {
				path = strings.Replace(path, "*", words[r.IntN(len(words))], 1)
			}
		}
		list += "https://www.example.com" + path + "\n"
	}
	if err := os.WriteFile(robots, []byte(body), 0o644); err != nil {
		return err
	}
	return os.WriteFile(urls, []byte(list), 0o644)
}

// inProcess times a matcher of this process: read reads a file and returns what judges a URL.
func inProcess(read func(body []byte) func(url string) bool) func(robots, urls string) (figures, error) {
	return func(robots, urls string) (figures, error) {
		body, err := os.ReadFile(robots)
		if err != nil {
			return figures{}, err
		}
		text, err := os.ReadFile(urls)
		if err != nil {
			return figures{}, err
		}
		list := strings.Fields(string(text))
		f := figures{perURL: 1e18, read: 1e18}
		pass := func(allowed func(url string) bool) (took float64) {
			from := cpu()
			f.allowed = 0
			for _, url := range list {
				if allowed(url) {
					f.allowed++
				}
			}
			return cpu() - from
		}
		for begin := time.Now(); time.Since(begin) < 2*time.Second; {
			from := cpu()
			allowed := read(body)
			took := cpu() - from
			first, second := pass(allowed), pass(allowed)
			f.perURL = min(f.perURL, second/float64(len(list)))
			f.read = min(f.read, took+max(0, first-second)) // what is prepared with the first URLs belongs to reading
		}
		return f, nil
	}
}

func ours(body []byte) func(url string) bool {
	p, _ := engine.ProfileByName("google")
	g := p.Parse(body).Group(engine.Crawler{Name: "Googlebot", Tokens: []string{"Googlebot"}})
	return func(url string) bool { return g.Verdict(url).Verdict != engine.Disallow }
}

func temoto(body []byte) func(url string) bool {
	r, err := robotstxt.FromBytes(body)
	if err != nil {
		log.Fatal(err)
	}
	g := r.FindGroup("Googlebot")
	const origin = len("https://www.example.com")
	return func(url string) bool { return g.Test(url[origin:]) }
}

// outside times a matcher by its command.
func outside(command []string) func(robots, urls string) (figures, error) {
	return func(robots, urls string) (f figures, err error) {
		c := exec.Command(command[0], append(slices.Clone(command[1:]), robots, urls)...)
		c.Stderr = os.Stderr
		out, err := c.Output()
		if err != nil {
			return f, err
		}
		if _, err := fmt.Sscan(string(out), &f.perURL, &f.read, &f.allowed); err != nil {
			return f, fmt.Errorf("it prints %q, want three numbers", out)
		}
		return f, nil
	}
}

// cpu is the processor time of this process in nanoseconds.
func cpu() float64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano() + u.Stime.Nano())
}
