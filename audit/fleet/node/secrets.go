package node

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
)

// Secrets are what the machines of a fleet have in common: a folder that Init makes, to be copied to them.
type Secrets struct {
	CA, Cert, Key string // PEM files
	// Passwords are those of the users: "worker" for the fleet's own account, "monitor" for the server's.
	Passwords map[string]string
}

// tlsTimeout is how long a handshake may take, in seconds.
const tlsTimeout = 5.0

// nodeTLS is how a node shows itself; with peers it asks the same of who connects.
func (s *Secrets) nodeTLS(peers bool) (*tls.Config, error) {
	cert, err := tls.LoadX509KeyPair(s.Cert, s.Key)
	if err != nil {
		return nil, fmt.Errorf("certificate of the fleet's nodes: %s: %w", s.Cert, err)
	}
	config, err := s.clientTLS()
	if err != nil {
		return nil, err
	}
	config.Certificates = []tls.Certificate{cert}
	if peers {
		config.ClientCAs, config.ClientAuth = config.RootCAs, tls.RequireAndVerifyClientCert
	}
	return config, nil
}

// clientTLS trusts the fleet's own authority, and no other.
func (s *Secrets) clientTLS() (*tls.Config, error) {
	data, err := os.ReadFile(s.CA)
	if err != nil {
		return nil, fmt.Errorf("certificate of the fleet's authority: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("certificate of the fleet's authority: %s has none", s.CA)
	}
	return &tls.Config{MinVersion: tls.VersionTLS13, RootCAs: pool}, nil
}
