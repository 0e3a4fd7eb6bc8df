package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"robots-audit/audit/fleet"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/robots-audit-fleet/internal/fleetwork"
	"robots-audit/crawl"
)

// TestFleetHangingServers: hanging servers do not delay other sites of a worker. Forty sites, first
// in the list, hang until a hundred others were requested; there are two workers.
func TestFleetHangingServers(t *testing.T) {
	const hanging, others = 40, 100
	var mu sync.Mutex
	asked, all, gaveUp := map[string]bool{}, make(chan struct{}), 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.Host, "hangs") {
			select {
			case <-all:
			case <-r.Context().Done():
				mu.Lock()
				gaveUp++
				mu.Unlock()
			}
		} else {
			mu.Lock()
			if asked[r.Host] = true; len(asked) == others {
				select {
				case <-all:
				default:
					close(all)
				}
			}
			mu.Unlock()
		}
		io.WriteString(w, "User-agent: *\nDisallow: /x\n")
	}))
	defer server.Close()
	var list strings.Builder
	for i := range hanging {
		fmt.Fprintf(&list, "http://hangs%d.example\n", i)
	}
	for i := range others {
		fmt.Fprintf(&list, "http://answers%d.example\n", i)
	}
	var out, said bytes.Buffer
	code := run([]string{"submit", "-local", "-domains", "-", "-workers", "2", "-timeout", "60s", "-retries", "0", "-no-cache", "-quiet", "-reports", "none",
		"-connect-to", ":80:" + server.Listener.Addr().String(), "-out", filepath.Join(t.TempDir(), "run")}, cli.Streams{In: strings.NewReader(list.String()), Out: &out, Err: &said})
	mu.Lock()
	defer mu.Unlock()
	if code != cli.ExitDone && code != cli.ExitUnknown || len(asked) != others || gaveUp > 0 {
		t.Errorf("code %d: %d of %d sites that answer were asked; %d that hang were given up before\n%s%s", code, len(asked), others, gaveUp, &out, &said)
	}
}

// TestWorkerAddresses: all runs of a worker share its limit of requests to an address. A run with a
// lower limit keeps it, and a higher limit is ignored.
func TestWorkerAddresses(t *testing.T) {
	shared := prepare(1, 8)
	of := func(prepare fleetwork.Prepare, perAddress string) *crawl.Addresses {
		var s audits.Settings
		f := s.Flags("submit")
		if err := f.Set("per-address", perAddress); err != nil {
			t.Fatal(err)
		}
		a, err := prepare(t.Context(), &fleet.Run{Settings: fleetwork.Pack(f)}, t.TempDir(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return a.Auditor.Client.Addresses
	}
	all := of(shared, "0")
	if all == nil || of(shared, "8") != all || of(shared, "100") != all {
		t.Error("runs do not share the bound of their worker")
	}
	if less := of(shared, "2"); less == nil || less == all {
		t.Error("a run that asks for less is not heard")
	}
	if of(prepare(1, 0), "0") != nil || of(prepare(1, 0), "3") == nil {
		t.Error("without a bound of the worker, that of the run counts")
	}
}
