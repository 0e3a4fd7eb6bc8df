//go:build soak && linux

package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"

	"robots-audit/cmd/internal/clitest"
	"robots-audit/cmd/internal/resources"
)

const (
	honestSites  = 1000
	hangingSites = 10_000
	honestURLs   = 20
	honestDelay  = 100 * time.Millisecond
)

// TestServeHonestAndHanging is the other process in the tests of hanging servers, because only our
// end of each connection must be counted. It ends with its standard input.
func TestServeHonestAndHanging(t *testing.T) {
	if os.Getenv("ROBOTS_AUDIT_TEST_SERVER") == "" {
		return // not started by another test
	}
	hang, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			c, err := hang.Accept()
			if err != nil {
				return
			}
			go func() { io.Copy(io.Discard, c); c.Close() }()
		}
	}()
	honest, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go http.Serve(honest, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(honestDelay)
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprintf(w, "User-agent: *\nDisallow: /private/\nSitemap: http://%s/sitemap.xml\n", r.Host)
		case "/sitemap.xml":
			io.WriteString(w, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
			for i := range honestURLs {
				fmt.Fprintf(w, "<url><loc>http://%s/page/%d</loc></url>", r.Host, i)
			}
			io.WriteString(w, "</urlset>")
		default:
			http.NotFound(w, r)
		}
	}))
	fmt.Printf("listening %s %s\n", honest.Addr(), hang.Addr())
	io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

// serveHonestAndHanging starts the other process for the duration of the test, and returns the
// addresses of its two servers.
func serveHonestAndHanging(t *testing.T) (honest, hang string) {
	t.Helper()
	if working, waiting, _ := resources.SiteLimits(resources.OpenFiles(), resources.Memory(), 16); working+waiting < hangingSites+16 {
		t.Fatalf("%d file descriptors are too few for so many: raise ulimit -n", resources.OpenFiles())
	}
	exe := clitest.Self(t)
	server := exec.Command(exe, "-test.run=^TestServeHonestAndHanging$")
	server.Env = append(os.Environ(), "ROBOTS_AUDIT_TEST_SERVER=1")
	stdin, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stdin.Close(); server.Wait() })
	if _, err := fmt.Fscanf(bufio.NewReader(stdout), "listening %s %s\n", &honest, &hang); err != nil {
		t.Fatal(err)
	}
	return honest, hang
}

// honestAndHanging lists the honest sites, and all sites in random order.
func honestAndHanging() (good, all []string) {
	for i := range honestSites {
		good = append(good, fmt.Sprintf("http://honest%d.example", i))
	}
	all = append(all, good...)
	for i := range hangingSites {
		all = append(all, fmt.Sprintf("http://hanging%d.example:81", i))
	}
	random := rand.New(rand.NewPCG(1, 1))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return good, all
}
