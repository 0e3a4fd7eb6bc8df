// Package node is a fleet's server: NATS with JetStream as a library, in this process. Three of
// them, on three machines, keep the queue whichever of them fails; one that listens to nobody is
// the smallest fleet. And it is how the others of a fleet come to it: Connect.
//
// Every node writes to the disk what it acknowledges before it does so, and Connect refuses a
// server that does not. Only a node whose streams are to end with the process, and that listens to
// nobody (Options.Passing), need not: with it ends all that the queue is for. Nothing listens beyond loopback without [Secrets]: then clients and nodes
// speak TLS, nodes show each other certificates of the fleet's own authority, and clients a password.
//
// There are two accounts. FLEET has the streams; its user is "worker". SYS is the server's own; its
// user is "monitor", for people with the tool nats. FLEET may ask one thing of SYS: how each
// server of the cluster keeps its streams, since that is what Connect has to know.
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
	Dir      string   // where its streams lie; made if it is missing
	Listen   string   // host:port for workers, port 0 = any that is free; "" = nobody but this process
	Cluster  string   // host:port for the other nodes; "" = there are none
	Peers    []string // host:port of the others' Cluster: two or four; its own among them is left out
	Secrets  *Secrets // certificates and passwords; nil = none, and then nothing may listen beyond loopback
	MaxStore int64    // bytes of the disk that it may fill; 0 = as the server thinks best
	// Passing says that the streams are of use to this process alone and not after it: the node does
	// not wait for the disk. With Listen or Cluster it is an error.
	Passing bool
	// Log is told what the server says, a line at a time, by any goroutine; nil = nobody. Levels are
	// "error", "warning" and "info".
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

// lameDuck is how long a node that stops takes to send its clients elsewhere; lameDuckGrace of it
// passes before the first has to go.
const (
	lameDuck      = 2 * time.Second
	lameDuckGrace = 300 * time.Millisecond
)

// Start starts a node, and returns once it answers. Its error says what of the options cannot be.
// The first node of a cluster answers before there are others; until more than half of them are
// up, none leads, streams are neither made nor found, and Leader says so.
func Start(ctx context.Context, o Options) (*Node, error) {
	if o.Log == nil {
		o.Log = func(string, string) {}
	}
	opts, err := o.server()
	var system syscall.Errno // as of a port that is taken
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

// suits says what a machine whose words have so many bits cannot do: there NATS' server reads
// figures of a cluster in a way that ends the program.
func (o *Options) suits(bits int) error {
	if o.Cluster != "" && bits < 64 {
		return fmt.Errorf("node %s: a cluster needs a 64-bit program, but this one has %d bits. Use it for a single node or for workers", o.Name, bits)
	}
	return nil
}

// mistaken is an error of options that cannot be.
type mistaken struct{ error }

func (m mistaken) Unwrap() error { return m.error }

// Mistaken reports whether an error of Start is one of the options, whatever the machine.
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
	s.Start() // returns; what keeps it from starting it says as a fatal line alone
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

// Addr is the host:port where the node listens to workers; "" = it does not.
func (n *Node) Addr() string {
	addr := n.server.Addr()
	if addr == nil {
		return ""
	}
	return addr.String()
}

// Leader is the name of the node that leads the cluster; "" = none does, since fewer than half of
// the nodes, or half, are up. A node on its own leads.
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

// Stop hands what the node leads to others, closes its connections and ends it, within some
// seconds. It may be called more than once.
func (n *Node) Stop() {
	n.stop.Do(func() {
		close(n.quit)
		<-n.watched
		n.server.LameDuckShutdown() // nothing where nobody but this process is listened to
		n.server.Shutdown()
		n.server.WaitForShutdown()
		_ = n.lock.Unlock() // the system does it at the end of the process, if not here
	})
}
