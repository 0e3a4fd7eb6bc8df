// Package node is a fleet's server: NATS with JetStream as a library, in this process. Three of
// them, on three machines, keep the queue whichever of them fails; one that listens to nobody is
// the smallest fleet. And it is how the others of a fleet come to it: Connect.
package node

import (
	"context"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Options are the settings of a node.
type Options struct {
	Name     string   // unique in the fleet
	Dir      string   // where its streams lie
	Listen   string   // host:port for workers; "" = nobody but this process
	Cluster  string   // host:port for the other nodes; "" = there are none
	Peers    []string // host:port of the others' Cluster
	Secrets  *Secrets // certificates and passwords; nil = none, and then nothing may listen beyond loopback
	MaxStore int64    // bytes of the disk that it may fill; 0 = as the server thinks best
	Log      func(level, text string)
}

// Node is a running node.
type Node struct {
	server *server.Server
}

// Start starts a node, and returns once it answers. Its error says what of the options cannot be.
func Start(ctx context.Context, o Options) (*Node, error) { panic("to be written") }

// InProcess is how this process connects to its own node: NATS' option for it.
func (n *Node) InProcess() nats.Option { return nats.InProcessServer(n.server) }

// Stop hands what the node leads to others, closes its connections and ends it.
func (n *Node) Stop() { panic("to be written") }

// Secrets are what the machines of a fleet have in common: a folder that Init makes, to be copied to them.
type Secrets struct {
	CA, Cert, Key string // PEM files
	// Passwords are those of the users: "worker" for the fleet's own account, "monitor" for the server's.
	Passwords map[string]string
}

// Server is how a fleet's nodes are reached.
type Server struct {
	URLs    []string // "tls://n1.example:4222"; nil = Node
	Node    *Node    // of this process
	Secrets *Secrets
	Name    string // of this client, for people who look at the server
}

// Connect connects to a fleet's nodes. Its error says in a sentence what is wrong: nobody answers,
// the secrets are refused, the certificate is not trusted, the server is older than MinVersion, has
// no JetStream, or does not keep what it acknowledges (sync_interval: always).
func Connect(ctx context.Context, s Server) (*nats.Conn, error) { panic("to be written") }

// MinVersion is the oldest version of the server that a fleet works with.
const MinVersion = "2.15.0"
