//go:build readers

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// TestS3 runs the bucket's own tests and a small fleet against an S3 server.
func TestS3(t *testing.T) {
	bucket, _ := startS3(t, clitest.FreeAddress(t))
	t.Run("bucket", func(t *testing.T) {
		c := exec.Command("go", "test", "-count=1", "-tags", "readers", "-v", "-run", "^(TestBucket|TestFirst|TestTakeAndCommit)$", "robots-audit/audit/fleet/store")
		c.Env = append(os.Environ(), "TEST_BUCKET="+bucket)
		if out, err := c.CombinedOutput(); err != nil || strings.Count(string(out), bucket) < 3 {
			t.Errorf("%v\n%s", err, out)
		}
	})
	t.Run("fleet", func(t *testing.T) { testFleetOn(t, bucket) })
	t.Run("no such bucket", func(t *testing.T) {
		_, url := fleetNode(t, nil)
		code, _, said := called("submit", "-servers", url, "-bucket", strings.Replace(bucket, "//results", "//nowhere", 1), "http://a.example")
		if code != cli.ExitFailed || !strings.Contains(said, "it cannot be written: no bucket has this name") {
			t.Errorf("exit code %d, %s", code, said)
		}
	})
}

// testFleetOn lets a worker audit some sites with a bucket. It compares the run's folder there with
// that of a fleet in this process, whose bucket is a folder.
func testFleetOn(t *testing.T, bucket string) {
	sites := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			fmt.Fprintf(w, "User-agent: *\nDisallow: /private\nSitemap: http://%s/sitemap.xml\n", r.Host)
			return
		}
		fmt.Fprintf(w, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://%s/private/1</loc></url><url><loc>http://%[1]s/</loc></url></urlset>`, r.Host)
	}))
	defer sites.Close()
	var list strings.Builder
	for i := range 20 {
		fmt.Fprintf(&list, "http://s%d.example\n", i)
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "list.txt")
	clitest.WriteFile(t, name, list.String())
	asks := []string{"-domains", name, "-connect-to", ":80:" + sites.Listener.Addr().String(), "-quiet"}
	_, url := fleetNode(t, nil)
	fleetProcess(t, "worker", "-servers", url, "-bucket", bucket, "-tries", "1").says(t, " is up")
	fleet, alone := filepath.Join(dir, "fleet"), filepath.Join(dir, "alone")
	code, out, said := called(append([]string{"submit", "-servers", url, "-bucket", bucket, "-out", fleet}, asks...)...)
	if code != cli.ExitDone {
		t.Fatalf("exit code %d, %s%s", code, out, said)
	}
	code, out, said = called(append([]string{"submit", "-local", "-no-cache", "-out", alone}, asks...)...)
	if code != cli.ExitDone {
		t.Fatalf("exit code %d, %s%s", code, out, said)
	}
	if diff := differingRuns(alone, fleet); diff != "" {
		t.Error(diff)
	}
}
