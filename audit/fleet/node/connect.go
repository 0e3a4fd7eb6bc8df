package node

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// MinVersion is the oldest version of the server that a fleet works with.
const MinVersion = "2.15.0"

// Server is how a fleet's nodes are reached.
type Server struct {
	URLs    []string // "tls://n1.example:4222"; nil = Node
	Node    *Node    // of this process
	Secrets *Secrets
	Name    string // of this client, for people who look at the server
}

// connectTimeout is how long one server has to answer.
const connectTimeout = 5 * time.Second

// Connect connects to a fleet's nodes. Its error says in a sentence what is wrong: nobody answers,
// the secrets are refused, the certificate is not trusted, the server is older than MinVersion, has
// no JetStream, or does not keep what it acknowledges (sync_interval: always).
//
// A connection that breaks later is made again, for ever; Check tells whether the server that
// it then has keeps its word.
func Connect(ctx context.Context, s Server) (*nats.Conn, error) {
	opts, err := s.options()
	if err != nil {
		return nil, err
	}
	nc, err := opts.Connect()
	if err != nil {
		return nil, fmt.Errorf("fleet at %v: %w", s.URLs, err)
	}
	if err := Check(ctx, nc); err != nil {
		nc.Close()
		return nil, err
	}
	return nc, nil
}

// options are those of the client.
func (s *Server) options() (nats.Options, error) {
	opts := nats.GetDefaultOptions()
	opts.Servers = s.URLs
	opts.Name = s.Name
	opts.NoEcho = true
	opts.Timeout = connectTimeout
	opts.MaxReconnect = -1
	opts.ReconnectWait = time.Second
	opts.ReconnectJitter, opts.ReconnectJitterTLS = time.Second, time.Second
	opts.IgnoreDiscoveredServers = true

	secrets := s.Secrets
	var err error
	switch {
	case len(s.URLs) == 0 && s.Node == nil:
		return opts, errors.New("no server of a fleet is named")
	case len(s.URLs) == 0:
		opts.InProcessServer = s.Node.server
		secrets = s.Node.secrets
	case secrets != nil:
		opts.Secure = true
		opts.TLSConfig, err = secrets.clientTLS()
	}
	if secrets != nil {
		opts.User, opts.Password = userWorker, secrets.Passwords[userWorker]
	}
	return opts, err
}
