package node

import (
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// watchPause is the time between two checks of the server.
const watchPause = time.Second

// Failed receives at most one error: the node can no longer write to its disk. Its server does not try
// again until it is restarted, so the node must be stopped. If a service manager keeps restarting it, it is
// back when there is room. The other nodes of a cluster go on meanwhile.
func (n *Node) Failed() <-chan error { return n.failed }

// watch logs the leader of a cluster whenever it changes, and checks that the server can write.
func (n *Node) watch() {
	defer close(n.watched)
	tick := time.NewTicker(watchPause)
	defer tick.Stop()
	leader := n.server.Name() // a single node: nothing to log
	for broken := false; ; {
		if now := n.Leader(); now != leader && !broken {
			leader = now
			n.sayLeader(leader)
		}
		if err := n.broken(); err != nil && !broken {
			broken = true
			n.log("error", err.Error())
			n.failed <- err
		}
		select {
		case <-n.quit:
			return
		case <-tick.C:
		}
	}
}

// sayLeader logs who leads the cluster.
func (n *Node) sayLeader(leader string) {
	if leader == "" {
		n.log("warning", "the cluster has no leader. More than half of its nodes must be up and reach each other")
		return
	}
	n.log("info", "node "+leader+" leads the cluster")
}

// broken is why the server cannot write; nil = it can. The server logs this among temporary errors.
func (n *Node) broken() error {
	if !n.server.JetStreamEnabled() {
		return fmt.Errorf("node %s stopped its streams because its disk is full or broken. See the messages before", n.server.Name())
	}
	health := n.server.Healthz(&server.HealthzOptions{Details: true})
	for _, e := range health.Errors {
		if strings.Contains(e.Error, "write error") || strings.Contains(e.Error, "apply error") {
			return fmt.Errorf("node %s cannot write to its disk: %s", n.server.Name(), e.Error)
		}
	}
	return nil
}
