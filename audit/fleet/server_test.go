package fleet

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// testServer starts a server that listens on loopback. It writes to the disk at once like a
// fleet's, or later: tests have no power failures, and a disk may be slow.
func testServer(t *testing.T) *server.Server {
	return startServer(t, &server.Options{Host: "127.0.0.1", Port: -1, StoreDir: t.TempDir()})
}

func startServer(t *testing.T, o *server.Options) *server.Server {
	t.Helper()
	o.JetStream, o.SyncAlways, o.NoLog, o.NoSigs = true, syncAlways, true, true
	s, err := server.NewServer(o)
	noError(t, err)
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(20 * time.Second) {
		t.Fatal("the server does not start")
	}
	return s
}

// testCluster starts servers that know each other, and waits until they have a leader.
func testCluster(t *testing.T, n int) []*server.Server {
	t.Helper()
	ports, routes := testRoutes(t, n)
	var servers []*server.Server
	for i := range n {
		servers = append(servers, startClustered(t, ports, routes, i))
	}
	await(t, "a leader of all nodes", func() bool {
		for _, s := range servers {
			if s.JetStreamIsLeader() && len(s.JetStreamClusterPeers()) == n {
				return true
			}
		}
		return false
	})
	return servers
}

// testRoutes are ports for the servers of a cluster, and how they come to each other.
func testRoutes(t *testing.T, n int) (ports []int, routes []*url.URL) {
	t.Helper()
	if strconv.IntSize < 64 {
		t.Skip("NATS' server has no clusters there; node.Start refuses them")
	}
	for len(ports) < n { // none that the system gives to somebody who asks for any
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10000+rand.IntN(20000)))
		if err != nil {
			continue
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
		routes = append(routes, &url.URL{Scheme: "nats", Host: l.Addr().String()})
	}
	return ports, routes
}

// startClustered starts one of a cluster's servers.
func startClustered(t *testing.T, ports []int, routes []*url.URL, i int) *server.Server {
	t.Helper()
	return startServer(t, &server.Options{
		ServerName: fmt.Sprintf("n%d", i+1), Host: "127.0.0.1", Port: -1, StoreDir: t.TempDir(),
		Cluster: server.ClusterOpts{Name: "fleet", Host: "127.0.0.1", Port: ports[i]}, Routes: routes,
	})
}

// patiently runs a test that depends on a lease, first with a short one. After a failure it repeats
// the test with ever longer leases, because a machine that stops for half a lease makes any holder
// lose it. part returns the failure; "" = none.
func patiently(t *testing.T, lease time.Duration, part func(t *testing.T, lease time.Duration) string) {
	t.Helper()
	for range 5 {
		var wrong string
		if !t.Run(lease.String(), func(t *testing.T) { wrong = part(t, lease) }) || wrong == "" {
			return
		}
		t.Logf("with a lease of %s: %s", lease, wrong)
		lease *= 2
	}
	t.Error("it comes out wrong whatever the lease")
}

// await waits until something has come about.
func await(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// testConn connects to a URL.
func testConn(t *testing.T, url string, options ...nats.Option) *Conn {
	t.Helper()
	options = append([]nats.Option{nats.MaxReconnects(-1), nats.ReconnectWait(50 * time.Millisecond), nats.ReconnectJitter(0, 0)}, options...)
	return connect(t, url, options...)
}

// localConn connects to a server of its own in this process.
func localConn(t *testing.T) *Conn {
	t.Helper()
	return connect(t, "", nats.InProcessServer(startServer(t, &server.Options{DontListen: true, StoreDir: t.TempDir()})))
}

func connect(t *testing.T, url string, options ...nats.Option) *Conn {
	t.Helper()
	nc, err := nats.Connect(url, options...)
	noError(t, err)
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	noError(t, err)
	return &Conn{NATS: nc, JS: js, Replicas: 1}
}

// testFleet is a connection to a server of its own, set up.
func testFleet(t *testing.T, timing Timing) *Conn {
	t.Helper()
	c := testConn(t, testServer(t).ClientURL())
	c.Timing = timing
	setUp(t, c)
	return c
}

// setUp is Setup where it cannot fail.
func setUp(t *testing.T, c *Conn) Timing {
	t.Helper()
	timing, err := c.Setup(t.Context())
	noError(t, err)
	return timing
}

// streamOf is one of the fleet's streams, with its state.
func streamOf(t *testing.T, c *Conn, name string) jetstream.Stream {
	t.Helper()
	stream, err := c.JS.Stream(t.Context(), name)
	noError(t, err)
	return stream
}

// consumerOf makes a region's consumer of sites.
func consumerOf(t *testing.T, c *Conn, region string) jetstream.Consumer {
	t.Helper()
	_, err := c.consumer(t.Context(), streamJobs, region, "jobs."+region+".>", c.Timing)
	noError(t, err)
	consumer, err := c.JS.Consumer(t.Context(), streamJobs, region)
	noError(t, err)
	return consumer
}

// wire is a network connection that can be cut and restored.
type wire struct {
	listener net.Listener
	cut      atomic.Bool
}

// newWire listens on loopback and passes everything on to an address.
func newWire(t *testing.T, to string) *wire {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	w := &wire{listener: listener}
	t.Cleanup(func() { listener.Close() })
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	go func() {
		for {
			in, err := listener.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				in.Close()
				continue
			}
			context.AfterFunc(ctx, func() { in.Close(); out.Close() })
			go w.pass(in, out)
			go w.pass(out, in)
		}
	}()
	return w
}

// url is the address of the other end for clients.
func (w *wire) url() string { return "nats://" + w.listener.Addr().String() }

// pass copies data; while the wire is cut, data waits, as in the network's buffers.
func (w *wire) pass(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		for w.cut.Load() {
			time.Sleep(time.Millisecond)
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}

// noError ends the test where there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
