package node

import (
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// watchPause is the time between two looks at the server.
const watchPause = time.Second

// Failed has one error at most: the node cannot write to its disk any more. Its server does not try
// again before it is started anew, and so the node is to be stopped: where a service manager starts
// it again and again, it is back when there is room. The others of a cluster go on meanwhile.
func (n *Node) Failed() <-chan error { return n.failed }

// watch says who leads a cluster, whenever that changes, and sees that the server can write.
func (n *Node) watch() {
	defer close(n.watched)
	tick := time.NewTicker(watchPause)
	defer tick.Stop()
	leader := n.server.Name() // of a node on its own: nothing to say
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

// sayLeader tells who leads the cluster.
func (n *Node) sayLeader(leader string) {
	if leader == "" {
		n.log("warning", "the cluster has no leader. More than half of its nodes must be up and reach each other")
		return
	}
	n.log("info", "node "+leader+" leads the cluster")
}

// broken says what keeps the server from writing; nil = nothing does. The server tells of it among
// other troubles, which pass.
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
