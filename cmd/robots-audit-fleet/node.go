package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"time"

	"robots-audit/audit/fleet/node"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/configfile"
)

var nodeHelp = cli.Help{
	Use: `robots-audit-fleet node is one server of the queue of a fleet. Run one node, or three: then any
one of them may fail. A node needs a disk and very little CPU.

Examples:
  robots-audit-fleet node -name n1 -dir n1 -listen 127.0.0.1:4222
  robots-audit-fleet node -init /etc/robots-audit/fleet -hosts n1.example
  robots-audit-fleet node -name n1 -dir /var/lib/robots-audit/n1 -listen n1.example:4222 -secrets /etc/robots-audit/fleet
`,
	More: `Without secrets, a node listens on this machine only. Secrets are a folder with certificates
and passwords. node -init makes it once. Copy it to all machines of the fleet, except
ca-key.pem. With ca-key.pem, node -renew renews the certificate. Do this for more hosts, or
before it is five years old.

Three nodes:
  node -init DIR -hosts n1.example,n2.example,n3.example
  node -name n1 -dir DIR -listen n1.example:4222 -secrets DIR
       -cluster n1.example:6222 -peers n1.example:6222,n2.example:6222,n3.example:6222
`,
	Exit: `Exit codes: 0 done; 2 wrong usage or configuration; 4 the node failed; 130 stopped by a signal.
`,
}

type nodeCommand struct {
	configfile.Fleet
	options                         node.Options
	peers, initDir, renewDir, hosts string
}

// flags declares the command's flags.
func (c *nodeCommand) flags(f *flag.FlagSet) {
	c.Fleet.Flags(f, "secrets")
	f.StringVar(&c.options.Name, "name", "", "unique `name` of the node")
	f.StringVar(&c.options.Dir, "dir", "", "`folder` for the queue, on a disk of this machine")
	f.StringVar(&c.options.Listen, "listen", "", "`host:port` for workers and submit")
	f.StringVar(&c.options.Cluster, "cluster", "", "`host:port` for the other nodes (default: no other nodes)")
	f.StringVar(&c.peers, "peers", "", "-cluster `host:port` of all nodes, separated by commas")
	f.Int64Var(&c.options.MaxStore, "max-store", 0, "most `bytes` of the queue on the disk. 0 = the server decides")
	f.StringVar(&c.initDir, "init", "", "make this `folder` of secrets, and end")
	f.StringVar(&c.renewDir, "renew", "", "renew the certificate of the nodes in this `folder` of secrets, and end")
	f.StringVar(&c.hosts, "hosts", "", "`names` and addresses of the nodes for -init and -renew, separated by commas")
}

// check reports missing flags.
func (c *nodeCommand) check() error {
	switch o := &c.options; {
	case c.initDir != "" && c.renewDir != "":
		return errors.New("-init and -renew exclude each other. Use -init for new secrets, and -renew to keep them")
	case c.initDir+c.renewDir != "" && c.hosts == "":
		return errors.New("-init and -renew need -hosts: the names and addresses of the nodes for their certificate")
	case c.initDir+c.renewDir != "":
		return nil
	case o.Name == "" || o.Dir == "":
		return errors.New("node needs a -name, and a folder for its queue: -dir")
	case o.Listen == "":
		return errors.New("node needs -listen: the address for workers, such as 127.0.0.1:4222")
	}
	return nil
}

// run runs a node until ctx ends, or makes secrets.
func (c *nodeCommand) run(ctx context.Context, env *environment) (err error) {
	if c.initDir != "" {
		if err := node.Init(c.initDir, configfile.SplitList(c.hosts), time.Now()); err != nil {
			return fmt.Errorf("-init %w", err)
		}
		fmt.Fprintf(env.std.Out, "%s: copy this folder to all machines of the fleet, except ca-key.pem. Everybody who has it can submit and read all runs.\n"+
			"ca-key.pem is for node -renew. Keep it secret.\n", onOneLine(c.initDir))
		return nil
	}
	if c.renewDir != "" {
		if err := node.Renew(c.renewDir, configfile.SplitList(c.hosts), time.Now()); err != nil {
			return fmt.Errorf("-renew %w", err)
		}
		fmt.Fprintf(env.std.Out, "%s: copy node.pem and node-key.pem to the machines of all nodes. Then restart one node after the other.\n", onOneLine(c.renewDir))
		return nil
	}
	o := c.options
	if o.Secrets, err = env.secrets(c.Secrets); err != nil {
		return err
	}
	o.Log = env.nodeLog
	o.Peers = slices.DeleteFunc(configfile.SplitList(c.peers), func(peer string) bool { return peer == o.Cluster }) // so that all nodes can have the same list
	n, err := node.Start(ctx, o)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case node.Mistaken(err):
		return misuse{err}
	case err != nil:
		return err
	}
	defer n.Stop()
	env.log.Info("node "+o.Name+" is up", "address", n.Addr(), "folder", o.Dir)
	select {
	case err := <-n.Failed(): // already logged
		return err
	case <-ctx.Done():
	}
	env.log.Info("stopping: clients go to other nodes")
	return nil
}
