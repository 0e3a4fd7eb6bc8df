package node

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"

	"github.com/nats-io/nats-server/v2/server"
)

// clusterName is the same for all nodes. Servers with another name are refused.
const clusterName = "robots-audit"

// Users, of the accounts FLEET and SYS.
const (
	userWorker  = "worker"
	userMonitor = "monitor"
)

// maxMemory limits streams in memory. A fleet has none.
const maxMemory = 64 << 20

// accounts returns the accounts of a node. FLEET may ask how servers store their streams. Each server of
// the cluster answers, so the response is a stream.
const accounts = `
accounts {
  FLEET {
    jetstream: enabled
    imports [ { service: { account: SYS, subject: "` + askStorage + `" } } ]
  }
  SYS {
    exports [ { service: "` + askStorage + `", response: stream, accounts: [FLEET] } ]
  }
}
system_account: SYS
`

var namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// server makes the options of the server.
func (o *Options) server() (*server.Options, error) {
	opts := &server.Options{}
	if err := opts.ProcessConfigString(accounts); err != nil {
		return nil, fmt.Errorf("accounts of a node: %w", err)
	}
	others := o.others()
	switch n := len(others); {
	case !namePattern.MatchString(o.Name):
		return nil, fmt.Errorf("node %q: a name has letters, digits, dots and hyphens, at most 64", o.Name)
	case o.Dir == "":
		return nil, fmt.Errorf("node %s: name a folder for its streams", o.Name)
	case o.Cluster == "" && n > 0, o.Cluster != "" && n == 0:
		return nil, fmt.Errorf("node %s: a cluster needs both an address for the other nodes and the addresses of the other nodes", o.Name)
	case n != 0 && n != 2 && n != 4:
		return nil, fmt.Errorf("node %s: a cluster has three or five nodes, not %d. Name two or four other nodes", o.Name, n+1)
	case o.Passing && (o.Listen != "" || o.Cluster != ""):
		return nil, fmt.Errorf("node %s: a node that does not sync to disk must not listen", o.Name)
	case o.Cluster != "" && o.Listen == "":
		return nil, fmt.Errorf("node %s: a node of a cluster must also listen to workers", o.Name)
	}

	opts.ServerName = o.Name
	opts.NoSigs = true
	opts.NoLog = true
	opts.DisableJetStreamBanner = true
	opts.LameDuckDuration, opts.LameDuckGracePeriod = lameDuck, lameDuckGrace

	opts.JetStream = true
	opts.StoreDir = filepath.Clean(o.Dir)
	opts.SyncAlways = !o.Passing
	opts.JetStreamMaxMemory = maxMemory
	opts.JetStreamMaxStore = o.MaxStore

	return opts, errors.Join(o.listen(opts), o.cluster(opts), o.users(opts))
}

// listen sets where clients connect.
func (o *Options) listen(opts *server.Options) error {
	if o.Listen == "" {
		opts.DontListen = true
		return nil
	}
	host, port, err := o.address("listen to workers", o.Listen)
	if err != nil {
		return err
	}
	opts.Host, opts.Port = host, port
	if o.Secrets != nil {
		opts.TLSConfig, err = o.Secrets.nodeTLS(false)
		opts.TLSTimeout = tlsTimeout
	}
	return err
}

// cluster sets where nodes connect. Clients get no addresses of other nodes from a node: only the operator
// knows which of a node's addresses are reachable.
func (o *Options) cluster(opts *server.Options) error {
	if o.Cluster == "" {
		return nil
	}
	host, port, err := o.address("listen to other nodes", o.Cluster)
	if err != nil {
		return err
	}
	opts.Cluster = server.ClusterOpts{Name: clusterName, Host: host, Port: port, NoAdvertise: true}
	if o.Secrets != nil {
		opts.Cluster.TLSConfig, err = o.Secrets.nodeTLS(true)
		opts.Cluster.TLSTimeout = tlsTimeout
	}
	for _, peer := range o.others() {
		if _, _, bad := splitAddress(peer); bad != nil {
			return fmt.Errorf("node %s: other node %q: %w", o.Name, peer, bad)
		}
		opts.Routes = append(opts.Routes, &url.URL{Scheme: "nats-route", Host: peer})
	}
	return err
}

// users sets who may connect. Without secrets every connection is a worker's; then only this machine or
// this process can connect.
func (o *Options) users(opts *server.Options) error {
	byName := map[string]*server.Account{}
	for _, a := range opts.Accounts {
		byName[a.Name] = a
	}
	worker := &server.User{Username: userWorker, Account: byName["FLEET"]}
	opts.Users = []*server.User{worker}
	if o.Secrets == nil {
		opts.NoAuthUser = userWorker
		return nil
	}
	worker.Password = o.Secrets.Passwords[userWorker]
	monitor := &server.User{Username: userMonitor, Password: o.Secrets.Passwords[userMonitor], Account: byName["SYS"]}
	opts.Users = append(opts.Users, monitor)
	if worker.Password == "" || monitor.Password == "" {
		return fmt.Errorf("node %s: the secrets have no password for %q and %q", o.Name, userWorker, userMonitor)
	}
	return nil
}
