package main

import (
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"robots-audit/cmd/internal/clitest"
)

// namedSites is a folder with files, and a server with https for *.example.com.
type namedSites struct {
	dir, address string
	env          []string // lets the program connect to the server for every host
}

func newNamedSites(t *testing.T, files map[string]string, sites http.Handler) *namedSites {
	t.Helper()
	server := httptest.NewUnstartedServer(sites)
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // plain HTTP requests
	server.StartTLS()                                   // its certificate is valid for *.example.com
	t.Cleanup(server.Close)
	n := &namedSites{dir: t.TempDir(), address: server.Listener.Addr().String()}
	clitest.Write(t, n.dir, files)
	n.write(t, "ca.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})))
	n.env = append(os.Environ(), "HOME="+n.dir, "ROBOTS_AUDIT_CA_CERT="+filepath.Join(n.dir, "ca.pem"), "ROBOTS_AUDIT_CONNECT_TO=::"+n.address,
		"ROBOTS_AUDIT_RETRIES=0", "ROBOTS_AUDIT_DELAY=0s", "ROBOTS_AUDIT_QUIET=true")
	return n
}

func (n *namedSites) write(t *testing.T, name, text string) {
	t.Helper()
	clitest.WriteFile(t, filepath.Join(n.dir, name), text)
}

func (n *namedSites) read(t *testing.T, name string) string {
	t.Helper()
	return clitest.Read(t, n.dir, name)
}
