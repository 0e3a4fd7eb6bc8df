package fleetwork

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"robots-audit/audit/fleet"
	"robots-audit/audit/fleet/node"
	"robots-audit/audit/fleet/store"
)

// manyNodes is the number of nodes from which on streams are kept by three of them.
const manyNodes = 3

// Connect connects to a fleet's nodes, and opens its bucket; "" = none is needed. lease is for the
// first who comes, see fleet.Timing. end closes both.
func Connect(ctx context.Context, server node.Server, bucket string, lease time.Duration) (conn *fleet.Conn, end func(), err error) {
	nc, err := node.Connect(ctx, server)
	if err != nil {
		return nil, nil, err
	}
	conn = &fleet.Conn{NATS: nc, Replicas: 1, Timing: fleet.Timing{Lease: lease}}
	if len(server.URLs) >= manyNodes {
		conn.Replicas = manyNodes
	}
	end = func() {
		if conn.Bucket != nil {
			conn.Bucket.Close() // what is stored is stored
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
