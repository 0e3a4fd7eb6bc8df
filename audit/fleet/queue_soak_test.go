//go:build soak && linux

package fleet

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"robots-audit/audit/fleet/node"
)

// init makes a process that is started with FLEET_NODE a node, until its standard input ends.
func init() {
	if name := os.Getenv("FLEET_NODE"); name != "" {
		if err := beNode(name); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
}

// beNode runs a node with the settings of FLEET_NODE_DIR, FLEET_NODE_CLUSTER and FLEET_NODE_PEERS.
func beNode(name string) error {
	n, err := node.Start(context.Background(), node.Options{
		Name: name, Dir: os.Getenv("FLEET_NODE_DIR"), Listen: "127.0.0.1:0",
		Cluster: os.Getenv("FLEET_NODE_CLUSTER"), Peers: strings.Fields(os.Getenv("FLEET_NODE_PEERS")),
	})
	if err != nil {
		return err
	}
	defer n.Stop()
	fmt.Println(n.Addr())
	for in := bufio.NewReader(os.Stdin); ; { // each line asks for the heap's size
		if _, err := in.ReadString('\n'); err != nil {
			return nil
		}
		debug.FreeOSMemory()
		fmt.Println(heapBytes())
	}
}

// nodeProcess is a node in a process of its own.
type nodeProcess struct {
	url string
	pid int
	in  io.Writer
	out *bufio.Reader
}

// heap is the memory of the node's process after garbage was collected and returned to the system.
func (p nodeProcess) heap(t *testing.T) float64 {
	t.Helper()
	fmt.Fprintln(p.in)
	line, err := p.out.ReadString('\n')
	noError(t, err)
	n, err := strconv.Atoi(strings.TrimSpace(line))
	noError(t, err)
	return float64(n)
}

// nodeProcesses starts the nodes of a fleet, one or three.
func nodeProcesses(t *testing.T, n int) []nodeProcess {
	t.Helper()
	var peers []string
	if n > 1 {
		_, routes := testRoutes(t, n)
		for _, r := range routes {
			peers = append(peers, r.Host)
		}
	}
	var all []nodeProcess
	for i := range n {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), fmt.Sprintf("FLEET_NODE=n%d", i+1), "FLEET_NODE_DIR="+t.TempDir(), "FLEET_NODE_PEERS="+strings.Join(peers, " "))
		if n > 1 {
			cmd.Env = append(cmd.Env, "FLEET_NODE_CLUSTER="+peers[i])
		}
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		noError(t, err)
		out, err := cmd.StdoutPipe()
		noError(t, err)
		noError(t, cmd.Start())
		t.Cleanup(func() { in.Close(); cmd.Wait() })
		lines := bufio.NewReader(out)
		addr, err := lines.ReadString('\n')
		noError(t, err)
		all = append(all, nodeProcess{"nats://" + strings.TrimSpace(addr), cmd.Process.Pid, in, lines})
	}
	return all
}

// rss is how many bytes of the machine's memory its process has.
func (p nodeProcess) rss(t *testing.T) float64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
	noError(t, err)
	_, rest, _ := strings.Cut(string(data), "VmRSS:")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	noError(t, err)
	return float64(kb) * 1024
}

// cpu is the time of processors that it has used.
func (p nodeProcess) cpu(t *testing.T) time.Duration {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.pid))
	noError(t, err)
	f := strings.Fields(string(data[strings.LastIndexByte(string(data), ')'):]))
	user, _ := strconv.Atoi(f[12])
	sys, _ := strconv.Atoi(f[13])
	return time.Duration(user+sys) * 10 * time.Millisecond
}

// idle reports whether it uses less than a tenth of a processor, for a second.
func (p nodeProcess) idle(t *testing.T) bool {
	used := p.cpu(t)
	time.Sleep(time.Second)
	return p.cpu(t)-used < 100*time.Millisecond
}

// soakSites is TEST_SITES, or n.
func soakSites(n int) int {
	if text := os.Getenv("TEST_SITES"); text != "" {
		n, _ = strconv.Atoi(text)
	}
	return n
}

// longNames is a list of sites whose names are as long as real ones, some 24 letters, and have nothing in common.
func longNames(n int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for i := range n {
		for range 4 + r.IntN(12) {
			b.WriteByte(byte('a' + r.IntN(26)))
		}
		fmt.Fprintf(&b, "%d.example\n", i)
	}
	return b.String()
}

// TestQueueSoak measures how fast sites are fed to a fleet of nodes that are processes, and what a
// queued one costs each.
func TestQueueSoak(t *testing.T) {
	for _, n := range []int{1, 3} {
		t.Run(fmt.Sprintf("%d nodes", n), func(t *testing.T) {
			sites := soakSites(200_000)
			nodes := nodeProcesses(t, n)
			var urls []string
			for _, n := range nodes {
				urls = append(urls, n.url)
			}
			c := testConn(t, strings.Join(urls, ","), nats.DontRandomize())
			c.Replicas, c.Timing.Lease = n, time.Minute
			c.Bucket = openBucket(t, t.TempDir())
			began := time.Now()
			run := submit(t, c, "soak", longNames(sites))
			t.Logf("submitted in %s", time.Since(began))
			f := openFeeder(t, c, &run)
			var heap, rss []float64
			for _, n := range nodes {
				heap = append(heap, n.heap(t))
				rss = append(rss, n.rss(t))
			}
			own, begun := cpuTime(), time.Now()
			noError(t, f.pass(t.Context(), true, &bitmap{}))
			took := time.Since(begun)
			cpu := cpuTime() - own
			t.Logf("%d sites fed in %.1f s: %.0f sites/s, feeder's CPU %.1f µs a site", sites, took.Seconds(), float64(sites)/took.Seconds(), float64(cpu.Microseconds())/float64(sites))
			for i, n := range nodes {
				fed, used := n.rss(t), n.cpu(t)
				await(t, "a node that has done with it", func() bool { return n.idle(t) })
				grown := n.heap(t) - heap[i]
				t.Logf("node %d: %.0f bytes of heap a queued site, RSS %.0f MB before, %.0f after, %.0f when all else is given back; CPU %.1f µs a site",
					i+1, grown/float64(sites), rss[i]/1e6, fed/1e6, n.rss(t)/1e6, float64(used.Microseconds())/float64(sites))
				if grown > 400*float64(sites)+32<<20 { // its buffers for all that it writes and reads
					t.Errorf("%d queued sites cost node %d %.0f MB, want 400 bytes each at most, and 32 MB", sites, i+1, grown/1e6)
				}
			}
			if rate := float64(sites) / took.Seconds(); rate < 1000 { // of 20,000 and more with a machine to itself
				t.Errorf("%.0f sites/s", rate)
			}
			if f.accepted != sites {
				t.Errorf("%d sites were accepted", f.accepted)
			}
		})
	}
}
