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

// Server says how to reach a fleet's nodes.
type Server struct {
	URLs    []string // "tls://n1.example:4222", one URL for each node: nodes do not announce each other; nil = Node
	Node    *Node    // node in this process
	Secrets *Secrets
	Name    string // name of this client, for people who look at the server
	// Refused is called, by a goroutine of the connection, when a lost connection is made again to a server
	// that Connect would have refused or could not check; nil = no call.
	Refused func(error)
}

// Times of a connection. A silent server is given up after two to three pings.
const (
	connectTimeout = 5 * time.Second // how long one server has to answer
	pingInterval   = 10 * time.Second
	maxPings       = 2
)

// Connect connects to a fleet's nodes. Possible errors: no server answers, the secrets are refused,
// the certificate is not trusted, the server is older than MinVersion, has no JetStream, or does
// not store what it acknowledges (sync_interval: always). Only a server for this process alone may
// skip that, see Options.Passing. Connect waits for a cluster without a leader for half a minute.
//
// A connection that breaks later is made again, without limit, to whichever node answers.
// Publishing without a connection fails at once: nothing is sent late. This connection's own
// messages do not come back to its subscriptions.
//
// An ordinary nats-server works too, if its configuration has sync_interval: always and lets the
// fleet's account ask how streams are stored:
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
	own := len(s.URLs) == 0 && s.Node.passing // it stores nothing on disk, by design
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

// options are the client's options.
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
	opts.ReconnectBufSize = -1 // a late call could extend or end a message that another process has by now

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

// CheckURLs returns an error for a text that is not a server's URL.
func CheckURLs(urls []string) error {
	for _, text := range urls {
		if u, bad := url.Parse(text); bad != nil || u.Host == "" {
			return fmt.Errorf("server %q is not a URL such as tls://n1.example:4222", withoutUser(text))
		}
	}
	return nil
}
