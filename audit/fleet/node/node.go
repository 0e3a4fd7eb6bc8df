// Package node is a fleet's server: NATS with JetStream as a library, in this process. Three nodes on three
// machines keep the queue if one of them fails. A node that does not listen is the smallest fleet. Connect
// is how the other processes reach the nodes.
//
// A node writes to its disk before it acknowledges, and Connect refuses a server that does not. The only
// exception is a node whose streams end with the process and that does not listen (Options.Passing): when
// the process ends, nothing needs the queue. Nothing listens beyond loopback without [Secrets]. With them,
// clients and nodes use TLS, nodes show each other certificates of the fleet's own authority, and clients
// send a password.
//
// There are two accounts. FLEET has the streams; its user is "worker". SYS is the server's own; its user is
// "monitor", for people with the tool nats. FLEET may ask SYS one thing: how each server of the cluster
// stores its streams, which Connect checks.
package node

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats-server/v2/server"
)

// Options are the settings of a node.
type Options struct {
	Name     string   // unique in the fleet
	Dir      string   // folder of its streams; made if missing
	Listen   string   // host:port for workers, port 0 = any free port; "" = only this process connects
	Cluster  string   // host:port for the other nodes; "" = no other nodes
	Peers    []string // host:port of the other nodes' Cluster: two or four; the node's own is ignored
	Secrets  *Secrets // certificates and passwords; nil = none: then nothing may listen beyond loopback
	MaxStore int64    // limit of disk space in bytes; 0 = the server's default
	// Passing says that only this process uses the streams, and nothing after it: the node does not wait
	// for the disk. With Listen or Cluster it is an error.
	Passing bool
	// Log is called with each log line of the server, from any goroutine; nil = no log. Levels are "error",
	// "warning" and "info".
	Log func(level, text string)
}

// Node is a running node.
type Node struct {
	server  *server.Server
	secrets *Secrets
	passing bool
	lock    *flock.Flock
	log     func(level, text string)
	quit    chan struct{} // closed by Stop
	watched chan struct{} // closed when watch has ended
	failed  chan error    // see Failed
	stop    sync.Once
}

// lameDuck is how long a stopping node takes to send its clients elsewhere. After lameDuckGrace the first
// client is closed.
const (
	lameDuck      = 2 * time.Second
	lameDuckGrace = 300 * time.Millisecond
)

// Start starts a node, and returns when it answers. The error names the options that are impossible. The
// first node of a cluster answers alone. Until more than half of the nodes are up there is no leader
// (Leader returns ""), and streams are neither created nor found.
func Start(ctx context.Context, o Options) (*Node, error) {
	if o.Log == nil {
		o.Log = func(string, string) {}
	}
	opts, err := o.server()
	var system syscall.Errno // for example because a port is in use
	if err != nil && !errors.As(err, &system) {
		return nil, mistaken{err}
	}
	if err != nil {
		return nil, err
	}
	lock, err := claim(o)
	if err != nil {
		return nil, err
	}
	if err := o.suits(strconv.IntSize); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	n, err := start(ctx, o, opts)
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	n.lock = lock
	go n.watch()
	return n, nil
}

// suits returns an error for machines with words of fewer than 64 bits: there the NATS server reads cluster
// counters in a way that crashes the program.
func (o *Options) suits(bits int) error {
	if o.Cluster != "" && bits < 64 {
		return fmt.Errorf("node %s: a cluster needs a 64-bit program, but this one has %d bits. Use it for a single node or for workers", o.Name, bits)
	}
	return nil
}

// mistaken is an error of impossible options.
type mistaken struct{ error }

func (m mistaken) Unwrap() error { return m.error }

// Mistaken reports whether an error of Start comes from the options, and not from the machine.
func Mistaken(err error) bool {
	var m mistaken
	return errors.As(err, &m)
}

// start starts the server itself.
func start(ctx context.Context, o Options, opts *server.Options) (*Node, error) {
	s, err := server.NewServer(opts)
	if err != nil {
		return nil, fmt.Errorf("node %s: %w", o.Name, err)
	}
	l := &lines{to: o.Log}
	s.SetLogger(l, false, false)
	s.Start() // returns at once; a failure to start is only a fatal log line
	for l.fatal() == "" && ctx.Err() == nil && !s.ReadyForConnections(100*time.Millisecond) {
	}
	switch fatal := l.fatal(); {
	case fatal != "":
		err = fmt.Errorf("node %s does not start: %s", o.Name, fatal)
	case ctx.Err() != nil:
		err = fmt.Errorf("node %s did not start in time: %w", o.Name, ctx.Err())
	}
	if err != nil {
		s.Shutdown()
		s.WaitForShutdown()
		return nil, err
	}
	return &Node{server: s, secrets: o.Secrets, passing: o.Passing, log: o.Log,
		quit: make(chan struct{}), watched: make(chan struct{}), failed: make(chan error, 1)}, nil
}

// Addr is the host:port where the node listens for workers; "" = it does not listen.
func (n *Node) Addr() string {
	addr := n.server.Addr()
	if addr == nil {
		return ""
	}
	return addr.String()
}

// Leader is the name of the node that leads the cluster; "" = none does, since half of the nodes or fewer
// are up. A single node leads itself.
func (n *Node) Leader() string {
	info, err := n.server.Jsz(nil)
	switch {
	case err != nil:
		return ""
	case info.Meta == nil:
		return n.server.Name()
	}
	return info.Meta.Leader
}

// Stop hands the node's leadership to others, closes its connections and ends it within some seconds. It
// may be called more than once.
func (n *Node) Stop() {
	n.stop.Do(func() {
		close(n.quit)
		<-n.watched
		n.server.LameDuckShutdown() // no effect if only this process is connected
		n.server.Shutdown()
		n.server.WaitForShutdown()
		_ = n.lock.Unlock() // otherwise the system unlocks it at the end of the process
	})
}
