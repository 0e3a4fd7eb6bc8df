package node

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// started starts a node that ends with the test.
func started(t *testing.T, o Options) *Node {
	t.Helper()
	if o.Name == "" {
		o.Name = "n1"
	}
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	n, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Stop)
	return n
}

// connected connects as a worker does, until the test ends.
func connected(t *testing.T, s Server) *nats.Conn {
	t.Helper()
	nc, err := Connect(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// stream is a stream of JetStream, made once the cluster has a leader and its nodes know each other.
func stream(t *testing.T, nc *nats.Conn, replicas int) jetstream.JetStream {
	t.Helper()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	config := jetstream.StreamConfig{Name: "S", Subjects: []string{"s.>"}, Storage: jetstream.FileStorage, Replicas: replicas}
	for {
		_, err := js.CreateStream(t.Context(), config)
		if err == nil {
			return js
		}
		if t.Context().Err() != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func publish(t *testing.T, js jetstream.JetStream, text string) {
	t.Helper()
	for {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		_, err := js.Publish(ctx, "s.a", []byte(text))
		cancel()
		if err == nil {
			return
		}
		if t.Context().Err() != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// freePorts are addresses of loopback where nobody listens.
func freePorts(t *testing.T, n int) []string {
	t.Helper()
	var addrs []string
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		addrs = append(addrs, l.Addr().String())
	}
	return addrs
}

// cluster starts three nodes.
func cluster(t *testing.T, secrets *Secrets) []*Node {
	t.Helper()
	routes := freePorts(t, 3)
	var nodes []*Node
	for i := range routes {
		peers := append(append([]string{}, routes[:i]...), routes[i+1:]...)
		nodes = append(nodes, started(t, Options{Name: fmt.Sprintf("n%d", i+1), Listen: "127.0.0.1:0", Cluster: routes[i], Peers: peers, Secrets: secrets}))
	}
	return nodes
}

// urls are where nodes listen.
func urls(nodes ...*Node) (all []string) {
	for _, n := range nodes {
		all = append(all, "nats://"+n.Addr())
	}
	return all
}

func TestInProcess(t *testing.T) {
	dir := t.TempDir()
	for try := range 2 { // the second time what the first wrote is there
		n, err := Start(t.Context(), Options{Name: "n1", Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if n.Addr() != "" || n.Leader() != "n1" {
			t.Errorf("node listens at %q and is led by %q", n.Addr(), n.Leader())
		}
		nc := connected(t, Server{Node: n, Name: "test"})
		js := stream(t, nc, 1)
		publish(t, js, "x")
		s, err := js.Stream(t.Context(), "S")
		if err != nil {
			t.Fatal(err)
		}
		if got := s.CachedInfo().State.Msgs; got != uint64(try+1) {
			t.Errorf("%d messages after %d", got, try+1)
		}
		n.Stop()
		n.Stop()
	}
}

func TestCluster(t *testing.T) {
	nodes := cluster(t, nil)
	nc := connected(t, Server{URLs: urls(nodes...)})
	js := stream(t, nc, 3)
	publish(t, js, "x")
	for i, n := range nodes { // the one that the client is connected to
		if n.Addr() == nc.ConnectedAddr() {
			nodes = append(nodes[:i:i], nodes[i+1:]...)
			n.Stop()
			break
		}
	}
	publish(t, js, "y")
	if err := Check(t.Context(), nc); err != nil {
		t.Error(err)
	}
}

func TestNotBeyondLoopback(t *testing.T) {
	for _, listen := range []string{"0.0.0.0:0", ":0", "[::]:0"} {
		_, err := Start(t.Context(), Options{Name: "n1", Dir: filepath.Join(t.TempDir(), "n1"), Listen: listen})
		if err == nil || !strings.Contains(err.Error(), "secrets") {
			t.Errorf("%s: %v", listen, err)
		}
	}
}
