package audit

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"robots-audit/crawl"
)

// Two workers, twelve servers that hang, and a hundred that do not: those are
// done long before the others are given up. How many may wait is bounded; and
// where none may, there are never more at the servers than workers.
func TestHangingServersHoldNobodyUp(t *testing.T) {
	t.Parallel()
	var now, most atomic.Int32
	fast := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := now.Add(1)
		defer now.Add(-1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		io.WriteString(w, "User-agent: *\nDisallow: /x\n")
	}))
	defer fast.Close()
	hang, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	var open sync.WaitGroup
	open.Go(func() {
		for {
			c, err := hang.Accept()
			if err != nil {
				return
			}
			open.Go(func() { io.Copy(io.Discard, c); c.Close() })
		}
	})
	defer open.Wait()
	defer hang.Close()

	var list strings.Builder
	for i := range 112 {
		port := 80
		if i < 12 {
			port = 81
		}
		fmt.Fprintf(&list, "http://s%d.example:%d\n", i, port)
	}
	const timeout = 2 * time.Minute
	auditor := func(waiting int) *Auditor {
		return &Auditor{Crawlers: crawlersOf(t, "Googlebot"), Workers: 2, Waiting: waiting, Client: &crawl.Client{
			Timeout: timeout, Retries: -1, ConnectTo: []string{":80:" + fast.Listener.Addr().String(), ":81:" + hang.Addr().String()}}}
	}
	start, done := time.Now(), 0
	for rec := range auditor(0).All(t.Context(), Domains(strings.NewReader(list.String()))) {
		if rec.Done != nil {
			done++
		}
		if done == 100 {
			break
		}
	}
	if took := time.Since(start); done < 100 || took > timeout*3/4 {
		t.Errorf("%d done in %v", done, took)
	}

	most.Store(0)
	_, quick, _ := strings.Cut(list.String(), "s12.example:80\n")
	for range auditor(-1).All(t.Context(), Domains(strings.NewReader(quick))) {
	}
	if most.Load() > 2 {
		t.Errorf("%d at once with two workers", most.Load())
	}

	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	for rec := range auditor(8).All(ctx, Domains(strings.NewReader(list.String()))) {
		if rec.Done != nil {
			t.Error("a site done while more hang than may wait")
		}
	}
}
