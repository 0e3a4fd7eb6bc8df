package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"robots-audit/audit/fleet"
	"robots-audit/audit/fleet/node"
	"robots-audit/audit/fleet/store"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/configfile"
)

// nodePatience is how long a worker waits for nodes, which may be starting at the same time. After
// that it exits, so that a service manager notices and restarts it.
const nodePatience = 5 * time.Minute

// secrets reads the secrets folder, and logs its warnings; nil = none is named.
func (e *environment) secrets(dir string) (*node.Secrets, error) {
	if dir == "" {
		return nil, nil
	}
	secrets, err := node.ReadSecrets(dir)
	if err != nil {
		return nil, misuse{fmt.Errorf("-%w", err)} // "-secrets: "
	}
	for _, text := range secrets.Warnings {
		e.log.Warn("-secrets: " + onOneLine(text))
	}
	return secrets, nil
}

// server returns the nodes and bucket of a configuration. Its error is a misuse.
func (e *environment) server(c *configfile.Fleet) (server node.Server, err error) {
	if server.Secrets, err = e.secrets(c.Secrets); err != nil {
		return server, err
	}
	server.URLs = configfile.SplitList(c.Servers)
	if err = node.CheckURLs(server.URLs); err == nil && c.Bucket != "" {
		err = store.CheckURL(c.Bucket)
	}
	if err != nil {
		return server, misuse{err}
	}
	return server, nil
}

// connect connects to the fleet by a name, with its bucket if it has one. It waits as long as
// patience for nodes that do not answer. lease applies if this process is the first to connect, see
// fleet.Timing. An error of the configuration is a misuse.
func (e *environment) connect(ctx context.Context, c *configfile.Fleet, name string, lease, patience time.Duration) (conn *fleet.Conn, end func(), err error) {
	server, err := e.server(c)
	if err != nil {
		return nil, nil, err
	}
	server.Name = name
	begun, pause := time.Now(), time.Second
	for {
		conn, end, err := e.connectTo(ctx, server, c.Bucket, lease)
		if err == nil || !node.Away(err) || time.Since(begun)+pause > patience {
			return conn, end, err
		}
		if pause == time.Second {
			e.log.Warn("waiting for the fleet: " + onOneLine(err.Error()))
		}
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(pause):
		}
		pause = min(2*pause, 15*time.Second)
	}
}

// manyNodes is the number of nodes from which each stream is replicated on three of them.
const manyNodes = 3

// connectTo tries once to connect to nodes and open a bucket; "" = none is needed.
func (e *environment) connectTo(ctx context.Context, server node.Server, bucket string, lease time.Duration) (conn *fleet.Conn, end func(), err error) {
	server.Refused = func(err error) { e.log.Error(onOneLine(err.Error())) }
	nc, err := node.Connect(ctx, server)
	if err != nil {
		return nil, nil, err
	}
	conn = &fleet.Conn{NATS: nc, Replicas: 1, Version: cli.Version, Timing: fleet.Timing{Lease: lease}}
	if len(server.URLs) >= manyNodes {
		conn.Replicas = manyNodes
	}
	end = func() {
		if conn.Bucket != nil {
			conn.Bucket.Close() // the objects are stored already
		}
		nc.Close()
	}
	var of error
	conn.JS, err = jetstream.New(nc)
	if bucket != "" {
		conn.Bucket, of = store.Open(ctx, bucket)
	}
	if err = errors.Join(err, of); err != nil {
		end()
		return nil, nil, err
	}
	return conn, end, nil
}
