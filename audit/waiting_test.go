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

// The bytes that a waiting site takes: heap, the stacks of its goroutines and net/http's memory for
// its connection. Hanging sites wait for their first answer. Later a site has its robots.txt, here
// with 40 rules, for three crawlers, until its first URLs are judged. Within a sitemap it has a
// small window and a hundred URLs. Before the first answer it has three goroutines, its own and two
// of net/http, with 16 KB of stack together. The number of descriptors limits how many wait.
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
		name        string
		most, stack int // stack 0 = not bounded by itself
		answers     string
	}{
		{"robots.txt", 40 << 10, 20 << 10, ""},
		{"its sitemap", 54 << 10, 0, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(robots), robots)},
		{"the rest of its sitemap", 64 << 10, 0, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s\000HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n%s", len(robots), robots, sitemap)},
	} {
		t.Run(stage.name, func(t *testing.T) {
			least, stack, over := math.MaxInt, math.MaxInt, true
			for try := 0; try < 3 && over; try++ { // stacks are placed by chance among those of ended goroutines; a real excess occurs every time
				all, ofStack := memoryOfWaitingSite(t, strings.Split(stage.answers, "\000"))
				least, stack = min(least, all), min(stack, ofStack)
				over = least > stage.most || stage.stack > 0 && stack > stage.stack
			}
			if t.Logf("%d bytes a site, %d of stack", least, stack); over && !raced {
				t.Errorf("%d bytes a site, %d of stack; at most %d and %d are expected", least, stack, stage.most, stage.stack)
			}
		})
	}
}

// memoryOfWaitingSite returns the bytes per site if many sites wait after some answers, and the
// bytes of stack among them.
func memoryOfWaitingSite(t *testing.T, answers []string) (each, ofStack int) {
	const sites = 100
	server, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	t.Cleanup(func() { server.Close() })
	a := &Auditor{Crawlers: crawlersOf(t, "Googlebot,Bingbot,YandexBot"), Client: &crawl.Client{ConnectTo: []string{":80:" + server.Addr().String()}}}
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
	before, stackBefore := memoryInUse()
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	go func() {
		<-waiting
		all, stack := memoryInUse()
		each, ofStack = (all-before)/sites, (stack-stackBefore)/sites
		leave()
	}()
	for range a.All(ctx, Domains(strings.NewReader(siteList(sites)))) {
	}
	return each, ofStack
}

// memoryInUse returns the live bytes of heap and stacks, and those of the stacks. Each collection
// halves stacks that are little used. On a busy machine some goroutines are not waiting yet. So it
// measures until the value stops falling.
func memoryInUse() (all, stack int) {
	all, stack = math.MaxInt, math.MaxInt
	for same := 0; same < 5; time.Sleep(10 * time.Millisecond) {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		same++
		stack = min(stack, int(m.StackInuse))
		if now := int(m.StackInuse + m.HeapAlloc); now < all-1000 {
			all, same = now, 0
		}
	}
	return all, stack
}
