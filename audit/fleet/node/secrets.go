package node

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"robots-audit/audit/secretfile"
)

// Files of a folder of secrets. A node needs all except the authority's key, which only makes certificates
// and should be on none of the machines. A worker needs caFile and workerFile.
const (
	caFile      = "ca.pem"
	caKeyFile   = "ca-key.pem"
	certFile    = "node.pem"
	keyFile     = "node-key.pem"
	workerFile  = "worker-password"
	monitorFile = "monitor-password"
)

// Secrets are what the machines of a fleet share: a folder that Init makes, to be copied to them.
type Secrets struct {
	CA, Cert, Key string // PEM files; empty Cert and Key = none, enough for a worker
	// Passwords by user: "worker" for the fleet's own account, "monitor" for the server's.
	Passwords map[string]string
	// Warnings are sentences about what should be fixed soon; it still works today.
	Warnings []string
}

// soon is how long before its end a certificate causes a warning.
const soon = 30 * 24 * time.Hour

// ReadSecrets reads a folder of secrets. Its error says which file is missing, no longer valid, of
// another authority, or open to all users of this machine.
func ReadSecrets(dir string) (*Secrets, error) { return readSecrets(dir, time.Now()) }

func readSecrets(dir string, now time.Time) (*Secrets, error) {
	s := &Secrets{CA: filepath.Join(dir, caFile), Cert: filepath.Join(dir, certFile), Key: filepath.Join(dir, keyFile), Passwords: map[string]string{}}
	ca, err := readCertificate(s.CA, now)
	if err != nil {
		return nil, err
	}
	if err := s.readPasswords(dir); err != nil {
		return nil, err
	}
	s.warnOfEnd(s.CA, ca, now)
	if _, err := os.Stat(filepath.Join(dir, caKeyFile)); err == nil {
		s.Warnings = append(s.Warnings, filepath.Join(dir, caKeyFile)+" is only for making certificates. Do not copy it to the machines of the fleet")
	}
	if _, err := os.Stat(s.Cert); errors.Is(err, fs.ErrNotExist) {
		s.Cert, s.Key = "", ""
		return s, nil
	}
	if err := s.checkNode(ca, now); err != nil {
		return nil, err
	}
	return s, nil
}

// readPasswords reads the password of a worker, and that of a monitor if there is one.
func (s *Secrets) readPasswords(dir string) error {
	for user, name := range map[string]string{userWorker: workerFile, userMonitor: monitorFile} {
		data, err := readSecret(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) && user == userMonitor {
			continue
		}
		if err != nil {
			return err
		}
		password := strings.TrimSpace(string(data))
		if password == "" {
			return fmt.Errorf("secrets: %s is empty", filepath.Join(dir, name))
		}
		s.Passwords[user] = password
	}
	return nil
}

// checkNode checks that the authority signed the node's certificate, and that its key fits.
func (s *Secrets) checkNode(ca *x509.Certificate, now time.Time) error {
	cert, err := readCertificate(s.Cert, now)
	if err != nil {
		return err
	}
	if _, err := readSecret(s.Key); err != nil {
		return err
	}
	if _, err := tls.LoadX509KeyPair(s.Cert, s.Key); err != nil {
		return fmt.Errorf("secrets: %s and %s: %w", s.Cert, s.Key, err)
	}
	if err := cert.CheckSignatureFrom(ca); err != nil {
		return fmt.Errorf("secrets: %s was not made by the authority of %s", s.Cert, s.CA)
	}
	s.warnOfEnd(s.Cert, cert, now)
	return nil
}

// warnOfEnd warns of a certificate that will not be valid for long.
func (s *Secrets) warnOfEnd(file string, c *x509.Certificate, now time.Time) {
	if left := c.NotAfter.Sub(now); left < soon {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%s is only valid until %s. Make a new one before that", file, c.NotAfter.UTC().Format(time.DateOnly)))
	}
}

// readCertificate reads one certificate that is valid now.
func readCertificate(file string, now time.Time) (*x509.Certificate, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, unreadable(file, err)
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, fmt.Errorf("secrets: %s is not a certificate in PEM", file)
	}
	c, err := x509.ParseCertificate(block.Bytes)
	switch {
	case err != nil:
		return nil, fmt.Errorf("secrets: %s: %w", file, err)
	case now.After(c.NotAfter):
		return nil, fmt.Errorf("secrets: %s was valid until %s. Make new secrets", file, c.NotAfter.UTC().Format(time.DateOnly))
	case now.Before(c.NotBefore):
		return nil, fmt.Errorf("secrets: %s is valid from %s, but this machine's clock says %s", file, c.NotBefore.UTC().Format(time.DateTime), now.UTC().Format(time.DateTime))
	}
	return c, nil
}

// readSecret reads a file that only its owner may read.
func readSecret(file string) ([]byte, error) {
	data, err := secretfile.Read(file)
	switch {
	case errors.As(err, new(*fs.PathError)):
		return nil, unreadable(file, err)
	case err != nil:
		return nil, fmt.Errorf("secrets: %w", err)
	}
	return data, nil
}

// unreadable is the error for a file that cannot be read. It wraps the cause for errors.Is.
func unreadable(file string, err error) error {
	return fmt.Errorf("secrets: %s cannot be read: %w", file, reason(err))
}

// tlsTimeout is how long a handshake may take, in seconds.
const tlsTimeout = 5.0

// nodeTLS is a node's TLS configuration. Between nodes both sides show a certificate.
func (s *Secrets) nodeTLS(nodes bool) (*tls.Config, error) {
	if s.Cert == "" {
		return nil, fmt.Errorf("the secrets have no %s and %s. These are a worker's. A node needs all", certFile, keyFile)
	}
	cert, err := tls.LoadX509KeyPair(s.Cert, s.Key)
	if err != nil {
		return nil, fmt.Errorf("secrets: %s and %s: %w", s.Cert, s.Key, err)
	}
	config, err := s.clientTLS()
	if err != nil {
		return nil, err
	}
	config.Certificates = []tls.Certificate{cert}
	if nodes {
		config.ClientCAs, config.ClientAuth = config.RootCAs, tls.RequireAndVerifyClientCert
	}
	return config, nil
}

// clientTLS trusts only the fleet's own authority.
func (s *Secrets) clientTLS() (*tls.Config, error) {
	data, err := os.ReadFile(s.CA)
	if err != nil {
		return nil, unreadable(s.CA, err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("secrets: %s has no certificate", s.CA)
	}
	return &tls.Config{MinVersion: tls.VersionTLS13, RootCAs: pool}, nil
}
