package audits

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/audit/logs"
	"robots-audit/audit/logs/agent"
)

// noDNS is a DNS without an answer.
type noDNS struct{}

var errNoDNS = errors.New("server misbehaving")

func (noDNS) LookupAddr(context.Context, string) ([]string, error) { return nil, errNoDNS }
func (noDNS) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return nil, errNoDNS
}

// TestVerifyLogs: one sentence says how many addresses could not be looked up.
func TestVerifyLogs(t *testing.T) {
	defer func(was agent.Lookups) { Lookups = was }(Lookups)
	Lookups = noDNS{}
	set, err := agent.New(agent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]string{
		0:                    "",
		1:                    "INFO -logs: asking DNS about 1 address. This takes at most 10 minutes\nWARN -logs: 1 of 1 address could not be looked up\n",
		agent.MaxLookups + 1: "INFO -logs: asking DNS about 10,000 addresses. This takes at most 10 minutes\nWARN -logs: 10,001 of 10,001 addresses could not be looked up. Only the 10,000 with most requests are\n",
	} {
		var text strings.Builder
		for i := range n + 1 {
			address := "66.249.66.1" // of a list
			if i > 0 {
				address = fmt.Sprintf("2001:db8::%x", i)
			}
			fmt.Fprintf(&text, "%s - - [24/May/2026:06:00:00 +0000] \"GET / HTTP/1.1\" 200 1 \"-\" \"Googlebot/2.1\"\n", address)
		}
		name := filepath.Join(t.TempDir(), "access.log")
		if err := os.WriteFile(name, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		reader := logs.Reader{Crawlers: set, DNS: true}
		requests, err := reader.Read(t.Context(), []string{name})
		if err != nil {
			t.Fatal(err)
		}
		defer requests.Close()
		var said bytes.Buffer
		VerifyLogs(t.Context(), slog.New(slog.NewTextHandler(&said, nil)), "-logs: ", requests)
		got := ""
		for line := range strings.Lines(said.String()) {
			_, line, _ = strings.Cut(line, "level=")
			level, text, _ := strings.Cut(strings.TrimSpace(line), " msg=")
			got += level + " " + strings.Trim(text, `"`) + "\n"
		}
		if got != want {
			t.Errorf("%d addresses:\n%swant\n%s", n, got, want)
		}
	}
}
