package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"time"

	"robots-audit/audit/fleet/node"
	"robots-audit/cmd/internal/configfile"
)

// nodeHelp is the help of the command.
const nodeHelp = `robots-audit-fleet node is one of the servers that keep the queue of a fleet: one, or three that
hold what is queued together, so that any of them may fail. It needs a disk, and next to no CPU.

Nothing listens beyond this machine without secrets: a folder with certificates and passwords,
which node -init makes once, and which is to be copied to all machines of the fleet, but for
ca-key.pem: node -renew makes the certificate anew with it, for more hosts, or before it is five
years old.

  node -init DIR -hosts n1.example,n2.example,n3.example
  node -name n1 -dir DIR -listen n1.example:4222 -secrets DIR
       -cluster n1.example:6222 -peers n1.example:6222,n2.example:6222,n3.example:6222

Examples:
  robots-audit-fleet node -init /etc/robots-audit/fleet -hosts n1.example
  robots-audit-fleet node -name n1 -dir /var/lib/robots-audit/n1 -listen n1.example:4222 -secrets /etc/robots-audit/fleet
  robots-audit-fleet node -name n1 -dir n1 -listen 127.0.0.1:4222

Exit codes: 0 done; 2 usage or configuration; 4 the node failed; 130 stopped by a signal.
`

// nodeCommand is a call of the command node.
type nodeCommand struct {
	configfile.Fleet
	options                         node.Options
	peers, initDir, renewDir, hosts string
}

// flags declares the command's flags.
func (c *nodeCommand) flags(f *flag.FlagSet) {
	c.Fleet.Flags(f, "secrets")
	f.StringVar(&c.options.Name, "name", "", "`name` of the node, which no other of the fleet has")
	f.StringVar(&c.options.Dir, "dir", "", "`folder` for the queue, on a disk of this machine")
	f.StringVar(&c.options.Listen, "listen", "", "`host:port` for workers and those who submit")
	f.StringVar(&c.options.Cluster, "cluster", "", "`host:port` for the other nodes; none = there are none")
	f.StringVar(&c.peers, "peers", "", "`host:port` of -cluster of all nodes, with commas between them")
	f.Int64Var(&c.options.MaxStore, "max-store", 0, "`bytes` of the disk that the queue may fill; 0 is as the server thinks best")
	f.StringVar(&c.initDir, "init", "", "make a `folder` of secrets, and end")
	f.StringVar(&c.renewDir, "renew", "", "make the nodes' certificate in a `folder` of secrets anew, and end")
	f.StringVar(&c.hosts, "hosts", "", "`names` and addresses of the nodes for -init and -renew, with commas between them")
}

// check looks for what is missing.
func (c *nodeCommand) check() error {
	switch o := &c.options; {
	case c.initDir != "" && c.renewDir != "":
		return errors.New("node -init makes new secrets and -renew keeps those that are there: one of them at a time")
	case c.initDir+c.renewDir != "" && c.hosts == "":
		return errors.New("node -init and -renew need -hosts: the names and addresses by which the nodes are reached, since their certificate has them")
	case c.initDir+c.renewDir != "":
		return nil
	case o.Name == "" || o.Dir == "":
		return errors.New("node needs -name and -dir: what it is called, and where its queue lies")
	case o.Listen == "":
		return errors.New("node needs -listen: the address at which workers reach it, such as 127.0.0.1:4222")
	}
	return nil
}

// run is a node until ctx ends, or makes secrets.
func (c *nodeCommand) run(ctx context.Context, env *environment) (err error) {
	if c.initDir != "" {
		if err := node.Init(c.initDir, configfile.SplitList(c.hosts), time.Now()); err != nil {
			return fmt.Errorf("-init %w", err)
		}
		fmt.Fprintf(env.std.Out, "%s: copy this folder to all machines of the fleet, but for ca-key.pem; who has it may submit and read all runs\n"+
			"ca-key.pem is for node -renew: keep it where nobody else reads it\n", onOneLine(c.initDir))
		return nil
	}
	if c.renewDir != "" {
		if err := node.Renew(c.renewDir, configfile.SplitList(c.hosts), time.Now()); err != nil {
			return fmt.Errorf("-renew %w", err)
		}
		fmt.Fprintf(env.std.Out, "%s: copy node.pem and node-key.pem to the machines of all nodes, and start one node after the other again\n", onOneLine(c.renewDir))
		return nil
	}
	o := c.options
	if o.Secrets, err = env.secrets(c.Secrets); err != nil {
		return err
	}
	o.Log = env.nodeLog
	o.Peers = slices.DeleteFunc(configfile.SplitList(c.peers), func(peer string) bool { return peer == o.Cluster }) // so that all nodes may have one list
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
	case err := <-n.Failed(): // it was logged, too
		return err
	case <-ctx.Done():
	}
	env.log.Info("stopping: clients go to other nodes")
	return nil
}
