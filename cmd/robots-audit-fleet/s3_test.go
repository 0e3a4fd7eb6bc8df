//go:build readers || soak

package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"robots-audit/cmd/internal/clitest"
)

// startS3 starts an S3 server, the program ROBOTS_AUDIT_S3, at an address. It returns the URL of a
// bucket, and the folder where the server keeps the objects as files. The test and its processes
// get the credentials.
func startS3(t *testing.T, address string) (bucket, folder string) {
	t.Helper()
	root := t.TempDir()
	folder = filepath.Join(root, "buckets", "results")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	sidecar := filepath.Join(root, "sidecar") // not every file system has extended attributes
	if err := os.Mkdir(sidecar, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "tester")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "not-a-secret")
	server := exec.Command(os.Getenv("ROBOTS_AUDIT_S3"), "--quiet", "--port", address, "--access", "tester", "--secret", "not-a-secret",
		"posix", "--sidecar", sidecar, filepath.Dir(folder))
	server.Stderr = os.Stderr
	if err := server.Start(); err != nil {
		t.Fatalf("ROBOTS_AUDIT_S3 names no S3 server, see .ci/install-s3: %v", err)
	}
	t.Cleanup(func() {
		server.Process.Kill()
		server.Wait()
	})
	clitest.Until(t, 30*time.Second, "the S3 server answers", func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	return "s3://results?region=us-east-1&use_path_style=true&endpoint=http://" + address, folder
}
