package node

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
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
	noError(t, err)
	t.Cleanup(n.Stop)
	return n
}

// connected connects as a worker does, until the test ends.
func connected(t *testing.T, s Server) *nats.Conn {
	t.Helper()
	nc, err := Connect(t.Context(), s)
	noError(t, err)
	t.Cleanup(nc.Close)
	return nc
}

// stream is a stream of JetStream, made once the cluster has a leader and its nodes know each other.
func stream(t *testing.T, nc *nats.Conn, replicas int) jetstream.JetStream {
	t.Helper()
	js, err := jetstream.New(nc)
	noError(t, err)
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

// freePorts returns unused loopback addresses outside the range from which the system assigns
// ports.
func freePorts(t *testing.T, n int) []string {
	t.Helper()
	var addrs []string
	for len(addrs) < n {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10000+rand.IntN(20000)))
		if err != nil {
			continue
		}
		defer l.Close()
		addrs = append(addrs, l.Addr().String())
	}
	return addrs
}

// cluster starts three nodes.
func cluster(t *testing.T, secrets *Secrets) []*Node {
	t.Helper()
	if strconv.IntSize < 64 {
		t.Skip("there are no clusters; TestSuits holds that they are refused")
	}
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
	t.Parallel()
	dir := t.TempDir()
	for try := range 2 { // the second time what the first wrote is there
		n, err := Start(t.Context(), Options{Name: "n1", Dir: dir})
		noError(t, err)
		if n.Addr() != "" || n.Leader() != "n1" {
			t.Errorf("node listens at %q and is led by %q", n.Addr(), n.Leader())
		}
		nc := connected(t, Server{Node: n, Name: "test"})
		js := stream(t, nc, 1)
		publish(t, js, "x")
		s, err := js.Stream(t.Context(), "S")
		noError(t, err)
		if got := s.CachedInfo().State.Msgs; got != uint64(try+1) {
			t.Errorf("%d messages after %d", got, try+1)
		}
		n.Stop()
		n.Stop()
	}
}

func TestCluster(t *testing.T) {
	t.Parallel()
	nodes := cluster(t, nil)
	nc := connected(t, Server{URLs: urls(nodes...)})
	js := stream(t, nc, 3)
	publish(t, js, "x")
	for _, n := range nodes { // the one that the client is connected to
		if n.Addr() == nc.ConnectedAddr() {
			n.Stop()
			break
		}
	}
	publish(t, js, "y")
	if _, err := check(t.Context(), nc); err != nil {
		t.Error(err)
	}
}

// Addresses that other machines reach need secrets.
func TestBeyondLoopback(t *testing.T) {
	t.Parallel()
	_, secrets := secretsOf(t)
	for _, host := range beyond(t) {
		o := Options{Name: "n1", Dir: t.TempDir(), Listen: net.JoinHostPort(host, "0")}
		_, err := Start(t.Context(), o)
		says(t, err, "secrets", "listen to workers")
		o.Secrets = secrets
		if _, err := o.server(); err != nil {
			t.Error(err)
		}
		o = Options{Name: "n1", Dir: t.TempDir(), Listen: "127.0.0.1:0", Cluster: net.JoinHostPort(host, "0"), Peers: freePorts(t, 2)}
		_, err = Start(t.Context(), o)
		says(t, err, "secrets", "listen to other nodes")
	}
	for host, want := range map[string]bool{"localhost": true, "127.0.0.9": true, "::1": true, "": false, "::": false, "no-such-host.invalid": false} {
		if got := loopback(host); got != want {
			t.Errorf("%q is loopback: %v", host, got)
		}
	}
}

// A cluster is refused where NATS' server would end the program; a node on its own is not.
func TestSuits(t *testing.T) {
	t.Parallel()
	for _, bits := range []int{32, 64} {
		alone, clustered := (&Options{Name: "n1"}).suits(bits), (&Options{Name: "n1", Cluster: "127.0.0.1:0"}).suits(bits)
		if alone != nil || (clustered == nil) != (bits == 64) {
			t.Errorf("%d bits: alone %v, in a cluster %v", bits, alone, clustered)
		}
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	defer taken.Close()
	_, inUse := net.Listen("tcp", taken.Addr().String())
	for errors.Unwrap(inUse) != nil { // down to what the system says
		inUse = errors.Unwrap(inUse)
	}
	peers := freePorts(t, 4)
	for want, o := range map[string]Options{
		"a name has":            {Name: "a b", Dir: dir},
		"name a folder":         {Name: "n1"},
		inUse.Error():           {Name: "n1", Dir: dir, Listen: taken.Addr().String()},
		"listen to other nodes": {Name: "n1", Dir: dir, Listen: "127.0.0.1:0", Cluster: taken.Addr().String(), Peers: peers[:2]},
		"host:port":             {Name: "n1", Dir: dir, Listen: "127.0.0.1"},
		"not a port":            {Name: "n1", Dir: dir, Listen: "127.0.0.1:70000"},
		"three or five nodes":   {Name: "n1", Dir: dir, Listen: "127.0.0.1:0", Cluster: "127.0.0.1:0", Peers: peers[:1]},
		"both an address":       {Name: "n1", Dir: dir, Listen: "127.0.0.1:0", Cluster: "127.0.0.1:0"},
		"other node":            {Name: "n1", Dir: dir, Listen: "127.0.0.1:0", Cluster: "127.0.0.1:0", Peers: []string{"a", "b"}},
		"listen to workers":     {Name: "n1", Dir: dir, Cluster: "127.0.0.1:0", Peers: peers[:2]},
		"must not listen":       {Name: "n1", Dir: dir, Listen: "127.0.0.1:0", Passing: true},
	} {
		_, err := Start(t.Context(), o)
		says(t, err, want)
	}
}

// TestPassing: a node that does not wait for the disk is good for its own process, and it does not pass for one that does.
func TestPassing(t *testing.T) {
	t.Parallel()
	n := started(t, Options{Passing: true})
	nc := connected(t, Server{Node: n, Name: "test"})
	publish(t, stream(t, nc, 1), "x")
	if _, err := check(t.Context(), nc); err == nil || !strings.Contains(err.Error(), "sync_interval: always") {
		t.Error(err)
	}
}

// All nodes may have the same list of peers.
func TestOthers(t *testing.T) {
	t.Parallel()
	all := []string{"127.0.0.1:6222", "127.0.0.2:6222", "LOCALHOST:6223", "no-such-host.invalid:6222"}
	for cluster, want := range map[string][]string{
		"127.0.0.1:6222":  {all[1], all[2], all[3]},
		"localhost:6223":  {all[0], all[1], all[3]},
		"0.0.0.0:6223":    {all[0], all[1], all[3]},
		":6222":           {all[1], all[2], all[3]},
		"127.0.0.3:6222":  all,
		"127.0.0.1:0":     all,
		"n1.invalid:6222": all,
		"not an address":  all,
	} {
		o := Options{Cluster: cluster, Peers: all}
		if got := o.others(); !slices.Equal(got, want) {
			t.Errorf("others of %s: %q, want %q", cluster, got, want)
		}
	}
}

// A folder belongs to one node.
func TestFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	n := started(t, Options{Dir: dir})
	_, err := Start(t.Context(), Options{Name: "n1", Dir: dir})
	says(t, err, dir, "another node runs there")
	n.Stop()
	_, err = Start(t.Context(), Options{Name: "n2", Dir: dir})
	says(t, err, dir, `"n1"`)
	_, err = Start(t.Context(), Options{Name: "n1", Dir: dir, Listen: "127.0.0.1:0", Cluster: "127.0.0.1:0", Peers: freePorts(t, 2)})
	says(t, err, dir, "belongs to a single node")
	started(t, Options{Dir: dir}).Stop()

	dir = t.TempDir()
	noError(t, os.WriteFile(filepath.Join(dir, "letter.txt"), nil, 0o600))
	_, err = Start(t.Context(), Options{Name: "n1", Dir: dir})
	says(t, err, "letter.txt", "a folder of its own")
	_, err = Start(t.Context(), Options{Name: "n1", Dir: filepath.Join(dir, "letter.txt")})
	says(t, err, "cannot create its folder")
}

// A node that cannot write reports this, and works again when it is restarted on a good disk.
func TestFailed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	n := started(t, Options{Dir: dir})
	js := stream(t, connected(t, Server{Node: n}), 1)
	publish(t, js, "x")
	blocks := filepath.Join(dir, "jetstream", "FLEET", "streams", "S", "msgs")
	noError(t, os.Rename(blocks, blocks+".away"))
	noError(t, os.WriteFile(blocks, nil, 0o600)) // no block more can be made
	large := strings.Repeat("x", 1000<<10)
	for failed := error(nil); failed == nil; {
		select {
		case failed = <-n.Failed():
			says(t, failed, "n1", "cannot write to its disk")
		default:
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			_, _ = js.Publish(ctx, "s.a", []byte(large)) // fails at some time
			cancel()
		}
	}
	n.Stop()
	noError(t, errors.Join(os.Remove(blocks), os.Rename(blocks+".away", blocks)))
	n = started(t, Options{Dir: dir})
	publish(t, stream(t, connected(t, Server{Node: n}), 1), "y")
}

// Nodes of one fleet find each other over TLS; one with other secrets stays outside.
func TestClusterOfSecrets(t *testing.T) {
	if strconv.IntSize < 64 {
		t.Skip("there are no clusters; TestSuits holds that they are refused")
	}
	t.Parallel()
	_, mine := secretsOf(t)
	_, others := secretsOf(t)
	routes := freePorts(t, 3)
	var said lineList
	options := func(i int, s *Secrets) Options {
		return Options{Name: fmt.Sprintf("n%d", i+1), Listen: "127.0.0.1:0", Cluster: routes[i], Secrets: s, Log: said.add,
			Peers: append(append([]string{}, routes[:i]...), routes[i+1:]...)}
	}
	first := started(t, options(0, mine))
	outside := started(t, options(1, others))
	said.wait(t, "the cluster has no leader")
	said.wait(t, "x509: certificate signed by unknown authority")
	if first.Leader() != "" || outside.Leader() != "" {
		t.Errorf("%q leads one, %q the other", first.Leader(), outside.Leader())
	}
	outside.Stop()
	started(t, options(2, mine))
	said.wait(t, "leads the cluster")
	nc := connected(t, Server{URLs: urls(first), Secrets: mine})
	if _, err := check(t.Context(), nc); err != nil {
		t.Error(err)
	}
}

// lineList gathers what nodes say.
type lineList struct {
	mu  sync.Mutex
	all []string
}

func (l *lineList) add(level, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, level+": "+text)
}

// wait waits until something was said.
func (l *lineList) wait(t *testing.T, words string) {
	t.Helper()
	for t.Context().Err() == nil {
		l.mu.Lock()
		found := slices.ContainsFunc(l.all, func(s string) bool { return strings.Contains(s, words) })
		l.mu.Unlock()
		if found {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("nobody says %q: %q", words, l.all)
}

// beyond are hosts that other machines reach: all interfaces, and one of them if there is one.
func beyond(t *testing.T) []string {
	t.Helper()
	hosts := []string{"0.0.0.0", ""}
	addrs, err := net.InterfaceAddrs()
	noError(t, err)
	for _, a := range addrs {
		if ip, ok := a.(*net.IPNet); ok && !ip.IP.IsLoopback() && ip.IP.To4() != nil {
			return append(hosts, ip.IP.String())
		}
	}
	return hosts
}
