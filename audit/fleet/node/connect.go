package node

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/nats-io/nats.go"
)

// MinVersion is the oldest version of the server that a fleet works with.
const MinVersion = "2.15.0"

// Server is how a fleet's nodes are reached.
type Server struct {
	URLs    []string // "tls://n1.example:4222", of all nodes: no node tells of another; nil = Node
	Node    *Node    // of this process
	Secrets *Secrets
	Name    string // of this client, for people who look at the server
	// Refused is told, by a goroutine of the connection, when it was lost and is back at a server that
	// Connect would have refused, or cannot be judged; nil = nobody.
	Refused func(error)
}

// Times of a connection. A server that has fallen silent is left after two to three pings.
const (
	connectTimeout = 5 * time.Second // for one server to answer
	pingInterval   = 10 * time.Second
	maxPings       = 2
)

// Connect connects to a fleet's nodes. Its error says in a sentence what is wrong: nobody answers,
// the secrets are refused, the certificate is not trusted, the server is older than MinVersion, has
// no JetStream, or does not keep what it acknowledges (sync_interval: always): that of this process
// alone may, see Options.Passing. It waits for a
// cluster that has no leader yet, for half a minute at most.
//
// A connection that breaks later is made again, for ever, with whichever node answers. What is
// published while there is none fails at once: nothing is sent late. What this connection
// publishes does not come back to its own subscriptions.
//
// A nats-server that somebody runs will do as well, if its configuration has sync_interval: always,
// and lets the account of the fleet ask how streams are kept:
//
//	jetstream { store_dir: "/var/lib/nats", sync_interval: always }
//	accounts {
//	  FLEET {
//	    jetstream: enabled
//	    users: [ { user: worker, password: … } ]
//	    imports: [ { service: { account: SYS, subject: "$SYS.REQ.SERVER.PING.JSZ" } } ]
//	  }
//	  SYS {
//	    users: [ { user: monitor, password: … } ]
//	    exports: [ { service: "$SYS.REQ.SERVER.PING.JSZ", response: stream, accounts: [FLEET] } ]
//	  }
//	}
//	system_account: SYS
func Connect(ctx context.Context, s Server) (*nats.Conn, error) {
	opts, err := s.options()
	if err != nil {
		return nil, err
	}
	nc, err := opts.Connect()
	if err != nil {
		return nil, s.diagnose(opts, err)
	}
	own := len(s.URLs) == 0 && s.Node.passing // it keeps nothing, and that is known
	if !own {
		err = ready(ctx, nc)
	}
	if err != nil {
		nc.Close()
		return nil, err
	}
	if s.Refused != nil && !own {
		nc.SetReconnectHandler(func(nc *nats.Conn) {
			if _, err := check(context.Background(), nc); err != nil && nc.IsConnected() {
				s.Refused(err)
			}
		})
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
	opts.PingInterval, opts.MaxPingsOut = pingInterval, maxPings
	opts.IgnoreDiscoveredServers = true
	opts.MaxReconnect = -1
	opts.IgnoreAuthErrorAbort = true
	opts.ReconnectWait = time.Second
	opts.ReconnectJitter, opts.ReconnectJitterTLS = time.Second, time.Second
	opts.ReconnectBufSize = -1 // a word about a message that another has by now must not come late

	secrets := s.Secrets
	var err error
	switch {
	case len(s.URLs) == 0 && s.Node == nil:
		return opts, errors.New("name a server of the fleet")
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
	return opts, errors.Join(err, CheckURLs(s.URLs))
}

// CheckURLs says which is not the URL of a server.
func CheckURLs(urls []string) error {
	for _, text := range urls {
		if u, bad := url.Parse(text); bad != nil || u.Host == "" {
			return fmt.Errorf("server %q is not a URL such as tls://n1.example:4222", withoutUser(text))
		}
	}
	return nil
}
