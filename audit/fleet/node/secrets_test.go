package node

import (
	"crypto/x509"
	"encoding/pem"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// secretsOf makes a folder of secrets and reads it.
func secretsOf(t *testing.T, hosts ...string) (dir string, s *Secrets) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "secrets")
	noError(t, Init(dir, append(hosts, "n1.example"), time.Now()))
	s, err := ReadSecrets(dir)
	noError(t, err)
	return dir, s
}

// says fails unless an error says something.
func says(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one that says %q", words)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q does not say %q", err, w)
		}
	}
}

func TestInit(t *testing.T) {
	dir, s := secretsOf(t, "10.1.2.3", "n2.example")
	data, err := os.ReadFile(s.Cert)
	noError(t, err)
	block, _ := pem.Decode(data)
	c, err := x509.ParseCertificate(block.Bytes)
	noError(t, err)
	for _, host := range []string{"10.1.2.3", "n1.example", "n2.example", "localhost", "127.0.0.1"} {
		noError(t, c.VerifyHostname(host))
	}
	if years := c.NotAfter.Sub(c.NotBefore).Hours() / 24 / 365; years < 4.9 || years > 5.1 {
		t.Errorf("valid for %.1f years", years)
	}
	if len(s.Passwords[userWorker]) != 64 || len(s.Passwords[userMonitor]) != 64 || s.Passwords[userWorker] == s.Passwords[userMonitor] {
		t.Error("passwords are not 32 random bytes each")
	}
	if len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], caKeyFile) {
		t.Errorf("warnings %q, want one, of the authority's key", s.Warnings)
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil && runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	says(t, Init(dir, []string{"n1.example"}, time.Now()), "already exists")
	for _, host := range []string{"", "n1.example:4222", "tls://n1.example", "n1 example"} {
		says(t, Init(t.TempDir(), []string{host}, time.Now()), "is not a host")
	}
	says(t, Init(t.TempDir(), nil, time.Now()), "name the hosts")
}

func TestRenew(t *testing.T) {
	dir, s := secretsOf(t)
	before, err := os.ReadFile(s.CA)
	noError(t, err)
	noError(t, Renew(dir, []string{"n4.example"}, time.Now()))
	if _, err := ReadSecrets(dir); err != nil {
		t.Error(err)
	}
	if after, err := os.ReadFile(s.CA); err != nil || string(after) != string(before) {
		t.Errorf("the authority is another one (%v)", err)
	}
	other, _ := secretsOf(t)
	data, err := os.ReadFile(filepath.Join(other, caKeyFile))
	noError(t, err)
	noError(t, os.WriteFile(filepath.Join(dir, caKeyFile), data, 0o600))
	says(t, Renew(dir, []string{"n4.example"}, time.Now()), "not the key of")
}

func TestReadSecrets(t *testing.T) {
	edit := func(change func(dir string) error) error {
		t.Helper()
		dir, _ := secretsOf(t)
		noError(t, change(dir))
		_, err := ReadSecrets(dir)
		return err
	}
	for _, name := range []string{caFile, keyFile, workerFile} {
		says(t, edit(func(dir string) error { return os.Remove(filepath.Join(dir, name)) }), name, "cannot be read")
	}
	for _, name := range []string{keyFile, workerFile, monitorFile} {
		if runtime.GOOS != "windows" {
			says(t, edit(func(dir string) error { return os.Chmod(filepath.Join(dir, name), 0o644) }), name, "mode 0644", "chmod 600")
		}
	}
	for _, name := range []string{caFile, certFile} {
		says(t, edit(func(dir string) error { return os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600) }), name, "not a certificate")
	}
	says(t, edit(func(dir string) error { return os.WriteFile(filepath.Join(dir, workerFile), []byte(" \n"), 0o600) }), workerFile, "is empty")
	says(t, edit(func(dir string) error {
		other, _ := secretsOf(t)
		return os.Rename(filepath.Join(other, caFile), filepath.Join(dir, caFile))
	}), "not made by the authority")
	says(t, edit(func(dir string) error {
		other, _ := secretsOf(t)
		return os.Rename(filepath.Join(other, keyFile), filepath.Join(dir, keyFile))
	}), "private key")

	// A worker needs no certificate of its own, and only the owner of the fleet needs the
	// authority's key.
	dir, _ := secretsOf(t)
	for _, name := range []string{caKeyFile, certFile, keyFile, monitorFile} {
		noError(t, os.Remove(filepath.Join(dir, name)))
	}
	s, err := ReadSecrets(dir)
	if err != nil || len(s.Warnings) > 0 {
		t.Fatal(err, s)
	}
	_, err = Start(t.Context(), Options{Name: "n1", Dir: t.TempDir(), Listen: "127.0.0.1:0", Secrets: s})
	says(t, err, "a worker's")
}

func TestCertificateEnds(t *testing.T) {
	dir, _ := secretsOf(t)
	now := time.Now()
	s, err := readSecrets(dir, now.AddDate(validYears, 0, -20))
	noError(t, err)
	if got := strings.Join(s.Warnings, "\n"); !strings.Contains(got, "valid until") {
		t.Errorf("no warning: %q", got)
	}
	_, err = readSecrets(dir, now.AddDate(validYears, 0, 1))
	says(t, err, caFile, "was valid until", "Make new")
	_, err = readSecrets(dir, now.AddDate(-1, 0, 0))
	says(t, err, "clock")
}

// noError ends the test where there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
