package audit

import (
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"robots-audit/crawl"
)

// A site whose server does not answer takes three goroutines, its own and two
// of net/http, with 16 KB of stack together: as many wait as there are descriptors for.
func TestStackOfWaitingSites(t *testing.T) {
	most := 22 << 10
	if raced {
		most *= 2 // its frames are larger
	}
	least := math.MaxInt
	for range 3 { // how stacks lie among those of goroutines that ended is chance: what is too much in itself is so each time
		if least = min(least, stackOfWaitingSite(t)); least <= most {
			t.Logf("%d bytes of stack a site", least)
			return
		}
	}
	t.Errorf("%d bytes of stack a site, at most %d are expected", least, most)
}

// hangingSites returns a server that nobody answers for yet, so many sites that it has, as a
// list, and their auditor.
func hangingSites(t *testing.T, sites int, names string) (net.Listener, string, *Auditor) {
	t.Helper()
	server, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	t.Cleanup(func() { server.Close() })
	return server, siteList(sites), &Auditor{Crawlers: crawlersOf(t, names), Client: &crawl.Client{ConnectTo: []string{":80:" + server.Addr().String()}}}
}

// stackOfWaitingSite returns the bytes of stack a site of many that all wait for their servers.
func stackOfWaitingSite(t *testing.T) (each int) {
	const sites = 200
	server, list, a := hangingSites(t, sites, "Googlebot")
	before := stackInUse()
	begun := 0
	for rec := range a.All(t.Context(), Domains(strings.NewReader(list))) {
		if rec.Site == nil {
			t.Fatalf("%+v", rec)
		}
		if begun++; begun < sites {
			continue
		}
		for range sites {
			c, err := server.Accept()
			noError(t, err)
			defer c.Close()
			if _, err := c.Read(make([]byte, 1)); err != nil { // its request
				t.Fatal(err)
			}
		}
		each = (stackInUse() - before) / sites
		break
	}
	return each
}

// stackInUse returns the bytes of all goroutines' stacks. Each collection halves
// those of which little is in use, and on a busy machine some goroutines are
// still on their way to where they wait: so it is measured until it has ceased to fall.
func stackInUse() int {
	least := math.MaxInt
	for same := 0; same < 3; {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		same++
		if now := int(m.StackInuse); now < least {
			least, same = now, 0
		}
	}
	return least
}

// What a site takes that waits, in bytes: heap, the stacks of its goroutines and what net/http
// holds for its connection. Those that hang do so before their first answer. Later a site has
// read its robots.txt, of 40 rules here, for three crawlers, and has it until the first of its
// URLs are judged; within a sitemap it has a small window and the URLs that came, a hundred.
func TestMemoryOfWaitingSite(t *testing.T) {
	robots := []byte("User-agent: *\nAllow: /shop/\n")
	for i := range 40 {
		robots = fmt.Appendf(robots, "Disallow: /shop/area-%d/\n", i)
	}
	robots = append(robots, "Sitemap: /sitemap.xml\n"...)
	sitemap := []byte(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for i := range 100 {
		sitemap = fmt.Appendf(sitemap, "<url><loc>http://hanging.example/shop/area-%d/a-thing-to-buy</loc></url>", i)
	}
	for _, stage := range []struct {
		name    string
		most    int
		answers string
	}{
		{"robots.txt", 40 << 10, ""},
		{"its sitemap", 54 << 10, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(robots), robots)},
		{"the rest of its sitemap", 64 << 10, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s\000HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n%s", len(robots), robots, sitemap)},
	} {
		t.Run(stage.name, func(t *testing.T) {
			least := math.MaxInt
			for range 3 { // see above
				if least = min(least, memoryOfWaitingSite(t, strings.Split(stage.answers, "\000"))); least <= stage.most {
					break
				}
			}
			if t.Logf("%d bytes a site", least); least > stage.most && !raced {
				t.Errorf("%d bytes a site, at most %d are expected", least, stage.most)
			}
		})
	}
}

// memoryOfWaitingSite returns the bytes a site of many that all wait for what follows some answers.
func memoryOfWaitingSite(t *testing.T, answers []string) (each int) {
	const sites = 100
	server, list, a := hangingSites(t, sites, "Googlebot,Bingbot,YandexBot")
	waiting := make(chan struct{})
	go func() {
		defer close(waiting)
		request := make([]byte, 4<<10)
		for range sites {
			c, err := server.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { c.Close() })
			for _, answer := range answers {
				if answer == "" {
					break
				}
				c.Read(request) // it comes in one piece
				io.WriteString(c, answer)
			}
		}
	}()
	before := memoryInUse()
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	go func() {
		<-waiting
		each = (memoryInUse() - before) / sites
		leave()
	}()
	for range a.All(ctx, Domains(strings.NewReader(list))) {
	}
	return each
}

// memoryInUse is stackInUse with the heap's live bytes.
func memoryInUse() int {
	least := math.MaxInt
	for same := 0; same < 5; time.Sleep(10 * time.Millisecond) {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		same++
		if now := int(m.StackInuse + m.HeapAlloc); now < least-1000 {
			least, same = now, 0
		}
	}
	return least
}
