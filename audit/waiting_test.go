package audit

import (
	"fmt"
	"net"
	"runtime"
	"strings"
	"testing"

	"robots-audit/crawl"
)

// A site whose server does not answer takes three goroutines, its own and two
// of net/http, with 16 KB of stack together: as many wait as there are descriptors for.
func TestStackOfWaitingSites(t *testing.T) {
	const sites = 200
	most := 22 << 10
	if raced {
		most *= 2 // its frames are larger
	}
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
		if begun++; begun == sites {
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
			if each := int(stackInUse()-before) / sites; each > most {
				t.Errorf("%d bytes of stack a site, at most %d are expected", each, most)
			} else {
				t.Logf("%d bytes of stack a site", each)
			}
			break
		}
	}
}

// stackInUse returns the bytes of all goroutines' stacks, shrunk where little of them is in use.
func stackInUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.StackInuse
}
