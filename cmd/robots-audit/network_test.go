package main

import (
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
)

// TestNetwork reads the robots.txt of a site that is not public yet, over TLS with a private
// certificate, with every command that fetches one.
func TestNetwork(t *testing.T) {
	var agent string
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		agent = r.UserAgent()
		if r.URL.Path != "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, "User-agent: *\nDisallow: /private/\n")
	}))
	defer server.Close()
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o666); err != nil {
		t.Fatal(err)
	}
	flags := []string{"-connect-to", ":443:" + server.Listener.Addr().String(), "-ca-cert", ca, "-user-agent", "me", "-timeout", "20s", "-retries", "0"}
	for _, tt := range []struct {
		command   []string
		arguments []string
		code      int
		says      string
	}{
		{[]string{"check"}, []string{"https://example.com/robots.txt", "/private/page", "/"}, 1, "line 2: disallow: /private/"},
		{[]string{"lint", "-fail-on", "never", "-json"}, []string{"https://example.com/"}, 0, ""},
		{[]string{"audit", "-quiet", "-out", filepath.Join(t.TempDir(), "run"), "-rate", "1000", "-connections", "1", "-domains", "-"}, nil, cli.ExitUnknown, "1 site: "}, // it has no URL to test the rule on
	} {
		agent = ""
		code, said := callWith("https://example.com\n", append(append(tt.command, flags...), tt.arguments...)...)
		if code != tt.code || !strings.Contains(said, tt.says) || agent != "me" {
			t.Errorf("%s: exit code %d, asked as %q\n%s", tt.command[0], code, agent, said)
		}
	}
	for _, wrong := range [][]string{{"-connect-to", "nonsense"}, {"-ca-cert", "no such file"}, {"-timeout", "0s"}} {
		for _, command := range [][]string{{"check"}, {"lint"}} {
			if code, said := call(append(append(command, wrong...), "https://example.com/", "/")...); code != cli.ExitUsage || !strings.Contains(said, wrong[0]) {
				t.Errorf("%s %s: exit code %d: %s", command[0], wrong, code, said)
			}
		}
	}
}

// TestLimits checks the flags for all sites against the client's settings.
func TestLimits(t *testing.T) {
	for args, want := range map[string]string{
		"":                                    "0 0 0s 2 true",
		"-rate 2.5 -connections 7 -delay 3s":  "2.5 7 3s 2 true",
		"-retries 0 -connections 0 -rate 0.1": "0.1 0 0s -1 true",
		"-per-address 0":                      "0 0 0s 2 false",
		"-workers -1":                         "-workers -1: expected",
		"-rate -1":                            "-rate -1: expected",
		"-rate NaN":                           "-rate NaN: expected",
		"-rate Inf":                           "-rate +Inf: expected",
		"-connections -1":                     "-connections -1: expected",
		"-per-address -1":                     "-per-address -1: expected",
		"-delay -1s":                          "-delay -1s: expected",
	} {
		var s audits.Settings
		got := ""
		f := s.Flags("audit")
		if err := s.Load(f, strings.Fields(args), func(string) (string, bool) { return "", false }); err != nil {
			t.Fatal(err)
		}
		if err := s.Check(); err != nil {
			got = err.Error()
		} else if a, err := s.Auditor(); err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprint(a.Client.Rate, a.Client.MaxConns, a.Client.Delay, a.Client.Retries, a.Client.Addresses != nil)
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", args, got, want)
		}
	}
}
