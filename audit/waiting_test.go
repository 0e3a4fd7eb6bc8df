package audit

import (
	"fmt"
	"math"
	"net"
	"runtime"
	"strings"
	"testing"

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

// stackOfWaitingSite returns the bytes of stack a site of many that all wait for their servers.
func stackOfWaitingSite(t *testing.T) (each int) {
	const sites = 200
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	var list strings.Builder
	for i := range sites {
		fmt.Fprintf(&list, "http://hanging%d.example\n", i)
	}
	crawlers, err := ParseCrawlers("Googlebot")
	if err != nil {
		t.Fatal(err)
	}
	a := &Auditor{Crawlers: crawlers, Client: &crawl.Client{ConnectTo: []string{":80:" + server.Addr().String()}}}
	before := stackInUse()
	begun := 0
	for rec := range a.All(t.Context(), Domains(strings.NewReader(list.String()))) {
		if rec.Site == nil {
			t.Fatalf("%+v", rec)
		}
		if begun++; begun < sites {
			continue
		}
		for range sites {
			c, err := server.Accept()
			if err != nil {
				t.Fatal(err)
			}
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
