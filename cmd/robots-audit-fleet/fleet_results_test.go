package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"robots-audit/audit/fleet"
	"robots-audit/audit/fleet/node"
	"robots-audit/audit/fleet/store"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// badResult is a wrong object or message that a run meets before its sites are done. site is the
// name of its nth site.
type badResult struct {
	name string
	do   func(b *badWorld, site func(n int) string)
}

// badWorld is a fleet with a complete run.
type badWorld struct {
	*testing.T
	bucket, ended, run string
	js                 jetstream.JetStream
}

// result is the result of a site in the complete run.
func (b *badWorld) result(site string) []byte {
	b.Helper()
	data, err := os.ReadFile(filepath.Join(b.bucket, filepath.FromSlash(fleet.SiteKey(b.ended, site))))
	if err != nil {
		b.Fatal(err)
	}
	return data
}

// plant replaces a site's result by an object.
func (b *badWorld) plant(site string, data []byte) {
	b.Helper()
	path := filepath.Join(b.bucket, filepath.FromSlash(fleet.SiteKey(b.run, site)))
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, data, 0o644)
	}
	if err != nil {
		b.Fatal(err)
	}
}

// says publishes a message as a worker.
func (b *badWorld) says(word string) {
	b.Helper()
	if _, err := b.js.Publish(b.Context(), "results."+b.run, []byte(word)); err != nil {
		b.Fatal(err)
	}
}

var badResults = []badResult{
	{"empty", func(b *badWorld, site func(int) string) { b.plant(site(1), []byte("{}")) }},
	{"figure", func(b *badWorld, site func(int) string) {
		changed := regexp.MustCompile(`"problems":\d+`).ReplaceAll(b.result(site(1)), []byte(`"problems":7`))
		b.plant(site(1), changed)
	}},
	{"copied", func(b *badWorld, site func(int) string) { b.plant(site(1), b.result(site(2))) }},
	{"key", func(b *badWorld, site func(int) string) { // of another site that has an object
		b.plant(site(2), b.result(site(2)))
		b.says(fmt.Sprintf(`{"n":1,"key":%q}`, fleet.SiteKey(b.run, site(2))))
	}},
	{"run", func(b *badWorld, site func(int) string) { b.plant(site(1), b.result(site(1))) }},
	{"half", func(b *badWorld, site func(int) string) {
		whole := b.result(site(1))
		b.plant(site(1), whole[:len(whole)/2])
	}},
	{"big", func(b *badWorld, site func(int) string) { b.plant(site(1), make([]byte, 5<<20)) }},
	{"nowhere", func(b *badWorld, _ func(int) string) {
		b.says(`{"n":999999,"key":"fleet/x"}`)
		b.says(`{"n":-1}`)
		b.says("}{")
		b.says("")
		b.says(`{"n":0,"key":"fleet/` + b.run + `/run.json"}`)
	}},
}

// readSite matches a site in a summary whose robots.txt was read.
var readSite = regexp.MustCompile(`"status": ?200,"access": ?"parsed"`)

// TestFleetBadResults: one wrong object or message ruins no run. The site is audited again, and all
// sites are there.
func TestFleetBadResults(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "User-agent: *\nDisallow: /x\n")
	}))
	defer server.Close()
	own, servers := fleetNode(t, nil)
	bucket := filepath.Join(t.TempDir(), "bucket")
	const sites = 4
	submit := func(of []string) (id string) {
		list := filepath.Join(t.TempDir(), "list.txt")
		var lines strings.Builder
		for _, kind := range of {
			for n := range sites {
				fmt.Fprintf(&lines, "http://%s%d.example\n", kind, n)
			}
		}
		clitest.WriteFile(t, list, lines.String())
		code, out, told := called("submit", "-servers", servers, "-bucket", store.FolderURL(bucket), "-domains", list, "-connect-to", ":80:"+server.Listener.Addr().String(), "-retries", "0", "-quiet")
		if code != cli.ExitDone {
			t.Fatalf("exit code %d: %s", code, told)
		}
		return strings.TrimSpace(out)
	}
	worker := func() (end func()) {
		p := fleetProcess(t, "worker", "-servers", servers, "-bucket", store.FolderURL(bucket), "-tries", "1", "-runs", "20")
		p.says(t, " is up")
		return p.kill
	}
	ends := func(id string) (failed string) {
		clitest.Until(t, 2*time.Minute, "run "+id+" ends", func() bool {
			_, merged := os.Stat(filepath.Join(bucket, "fleet", id, "merged.json"))
			text, err := os.ReadFile(filepath.Join(bucket, "fleet", id, "failed.json"))
			failed = string(text)
			return merged == nil || err == nil
		})
		return failed
	}
	var kinds []string
	for _, bad := range badResults {
		kinds = append(kinds, bad.name)
	}
	end := worker()
	b := &badWorld{T: t, bucket: bucket, ended: submit(kinds)}
	if failed := ends(b.ended); failed != "" {
		t.Fatal(failed)
	}
	end()
	nc, err := node.Connect(t.Context(), node.Server{Node: own})
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	if b.js, err = jetstream.New(nc); err != nil {
		t.Fatal(err)
	}
	runs := map[string]string{}
	for _, bad := range badResults {
		b.run = submit([]string{bad.name})
		runs[bad.name] = b.run
		bad.do(b, func(n int) string { return fmt.Sprintf("%s%d.example", bad.name, n) })
	}
	defer worker()()
	for _, bad := range badResults {
		t.Run(bad.name, func(t *testing.T) {
			if failed := ends(runs[bad.name]); failed != "" {
				t.Fatal(failed)
			}
			folder := filepath.Join(bucket, "runs", runs[bad.name])
			summary, err := os.ReadFile(filepath.Join(folder, "summary.json"))
			if n := len(readSite.FindAll(summary, -1)); err != nil || n != sites {
				t.Errorf("%d sites were read, want %d (%v)", n, sites, err)
			}
			if records, _ := filepath.Glob(filepath.Join(folder, "records", bad.name+"*")); len(records) != sites {
				t.Errorf("%d sites have records, want %d", len(records), sites)
			}
		})
	}
}
