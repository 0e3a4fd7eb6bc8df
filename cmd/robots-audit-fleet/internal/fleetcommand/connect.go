package fleetcommand

import (
	"context"
	"fmt"
	"time"

	"robots-audit/audit/fleet"
	"robots-audit/audit/fleet/node"
	"robots-audit/audit/fleet/store"
	"robots-audit/cmd/internal/fleetconfig"
	"robots-audit/cmd/robots-audit-fleet/internal/fleetwork"
)

// NodePatience is how long a worker waits for nodes, which may be started at the same time. What waits
// longer is better told of by the exit code, whereupon a service manager starts it again.
const NodePatience = 5 * time.Minute

// secrets reads the folder of secrets, and tells what is to be mended of it; nil = there is none.
func (e *Env) secrets(dir string) (*node.Secrets, error) {
	if dir == "" {
		return nil, nil
	}
	secrets, err := node.ReadSecrets(dir)
	if err != nil {
		return nil, Misuse{fmt.Errorf("-%w", err)} // "-secrets: "
	}
	for _, text := range secrets.Warnings {
		e.Log.Warn("-secrets: " + onOneLine(text))
	}
	return secrets, nil
}

// server is what a configuration says of nodes and bucket. Its error is a Misuse.
func (e *Env) server(c *fleetconfig.Config) (server node.Server, err error) {
	if server.Secrets, err = e.secrets(c.Secrets); err != nil {
		return server, err
	}
	server.URLs = fleetconfig.List(c.Servers)
	if err = node.CheckURLs(server.URLs); err == nil && c.Bucket != "" {
		err = store.CheckURL(c.Bucket)
	}
	if err != nil {
		return server, Misuse{err}
	}
	return server, nil
}

// Check says what is wrong with a configuration, before anybody is asked.
func (e *Env) Check(c *fleetconfig.Config) error {
	_, err := e.server(c)
	return err
}

// Connect connects to the fleet by a name, with its bucket, if there is one. Nodes that do not
// answer are waited for as long as patience says. lease is for the first who comes, see
// fleet.Timing. An error of the configuration is a Misuse.
func (e *Env) Connect(ctx context.Context, c *fleetconfig.Config, name string, lease, patience time.Duration) (conn *fleet.Conn, end func(), err error) {
	server, err := e.server(c)
	if err != nil {
		return nil, nil, err
	}
	server.Name = name
	begun, pause := time.Now(), time.Second
	for {
		conn, end, err := e.connect(ctx, server, c.Bucket, lease)
		if err == nil || !node.Away(err) || time.Since(begun)+pause > patience {
			return conn, end, err
		}
		if pause == time.Second {
			e.Log.Warn("waiting for the fleet: " + onOneLine(err.Error()))
		}
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(pause):
		}
		pause = min(2*pause, 15*time.Second)
	}
}

// connect tries once.
func (e *Env) connect(ctx context.Context, server node.Server, bucket string, lease time.Duration) (*fleet.Conn, func(), error) {
	server.Refused = func(err error) { e.Log.Error(onOneLine(err.Error())) }
	conn, end, err := fleetwork.Connect(ctx, server, bucket, lease)
	if err == nil {
		conn.Version = e.Version
	}
	return conn, end, err
}
