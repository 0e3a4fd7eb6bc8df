package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// askStorage is the subject on which every server of a cluster reports how it stores its streams.
const askStorage = "$SYS.REQ.SERVER.PING.JSZ"

// Times of a check.
const (
	checkWait  = 2 * time.Second        // how long servers have to answer
	checkPause = 250 * time.Millisecond // pause between two requests
	leaderWait = 30 * time.Second       // how long a cluster has to elect a leader: an election takes four to nine seconds
)

// storage is a server's answer.
type storage struct {
	Server struct {
		Name    string `json:"name"`
		ID      string `json:"id"`
		Version string `json:"ver"`
	} `json:"server"`
	Data struct {
		Disabled bool `json:"disabled"`
		Config   struct {
			SyncAlways bool `json:"sync_always"`
		} `json:"config"`
		Meta *struct {
			Leader   string `json:"leader"`
			Size     int    `json:"cluster_size"`
			Replicas []struct {
				Offline bool `json:"offline"`
			} `json:"replicas"`
		} `json:"meta_cluster"`
	} `json:"data"`
}

// check asks all running servers whether they store what they acknowledge and are new enough, and returns
// their answers. The error names a server that is not suitable. The check runs again after a connection was
// lost and made again, since another server may answer then: see Server.Refused. Servers that are down are
// not asked, but the connected server must answer. A server that has just started, or has lost the others,
// may need several requests.
func check(ctx context.Context, nc *nats.Conn) ([]storage, error) {
	if err := newEnough(nc.ConnectedUrlRedacted(), nc.ConnectedServerVersion()); err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		answers, err := ask(ctx, nc)
		if err != nil {
			return nil, err
		}
		own, err := judge(answers, nc.ConnectedServerId())
		switch {
		case err != nil:
			return nil, err
		case own:
			return answers, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case try == 3:
			return nil, unseen(ctx, nc)
		}
		pause(ctx, checkPause)
	}
}

// judge returns an error for a server that is not suitable, and reports whether the server of this id has
// answered.
func judge(answers []storage, id string) (own bool, err error) {
	for _, a := range answers {
		mine := a.Server.ID == id
		own = own || mine
		switch {
		case a.Data.Disabled && mine:
			return own, noJetStream(a.Server.Name)
		case a.Data.Disabled: // it stores nothing on disk
		case !a.Data.Config.SyncAlways:
			return own, fmt.Errorf("server %s may lose data when the power fails. Set sync_interval: always", a.Server.Name)
		default:
			if err := newEnough(a.Server.Name, a.Server.Version); err != nil {
				return own, err
			}
		}
	}
	return own, nil
}

// unseen is the error for a server that does not report how it stores its streams.
func unseen(ctx context.Context, nc *nats.Conn) error {
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	if err := hasJetStream(ctx, js, nc.ConnectedServerName()); err != nil {
		return err
	}
	return fmt.Errorf("server %s does not say whether it syncs to disk. Set sync_interval: always, and let the fleet's account use the service %s of the system account", nc.ConnectedServerName(), askStorage)
}

func noJetStream(server string) error {
	return fmt.Errorf("server %s has no JetStream. Enable it, also for the account of the fleet", server)
}

// hasJetStream checks that the account has JetStream. A cluster that does not answer may have it.
func hasJetStream(ctx context.Context, js jetstream.JetStream, server string) error {
	ctx, cancel := context.WithTimeout(ctx, checkWait)
	defer cancel()
	_, err := js.AccountInfo(ctx)
	if errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) || errors.Is(err, nats.ErrNoResponders) {
		return noJetStream(server)
	}
	return nil
}

// ready checks the servers, and waits for a leader.
func ready(ctx context.Context, nc *nats.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, leaderWait)
	defer cancel()
	for {
		answers, err := check(ctx, nc)
		if err != nil {
			return err
		}
		if leads(answers) {
			break
		}
		if !pause(ctx, checkPause) {
			return away{fmt.Errorf("server %s answers, but the cluster has no leader. More than half of its nodes must be up and reach each other", nc.ConnectedServerName())}
		}
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	return hasJetStream(ctx, js, nc.ConnectedServerName())
}

// leads reports whether a server with streams is on its own or knows its leader.
func leads(answers []storage) bool {
	for _, a := range answers {
		if !a.Data.Disabled && (a.Data.Meta == nil || a.Data.Meta.Leader != "") {
			return true
		}
	}
	return false
}

// pause waits, and reports whether time is left.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// maxAnswers limits how many servers' answers are read.
const maxAnswers = 64

// ask collects the servers' answers until all servers that are known to be up have answered, or time is
// over.
func ask(ctx context.Context, nc *nats.Conn) ([]storage, error) {
	ctx, cancel := context.WithTimeout(ctx, checkWait)
	defer cancel()
	inbox := nc.NewRespInbox()
	sub, err := nc.SubscribeSync(inbox)
	if err != nil {
		return nil, err
	}
	defer func() { _ = sub.Unsubscribe() }() // an error only if the connection is closed
	if err := nc.PublishRequest(askStorage, inbox, nil); err != nil {
		return nil, err
	}
	var answers []storage
	for up := 1; len(answers) < min(up, maxAnswers); {
		msg, err := sub.NextMsgWithContext(ctx)
		if err != nil || msg.Header.Get("Status") != "" { // no further server, or none at all
			return answers, nil
		}
		var a storage
		if err := json.Unmarshal(msg.Data, &a); err != nil {
			return nil, fmt.Errorf("the server's answer about its streams is not understood: %w", err)
		}
		answers = append(answers, a)
		up = a.up(up)
	}
	return answers, nil
}

// up is how many servers are up. Each server knows the size of its cluster; the leader knows which servers
// are down.
func (a *storage) up(before int) int {
	switch m := a.Data.Meta; {
	case m == nil:
		return before
	case m.Leader != a.Server.Name:
		return max(before, m.Size)
	default:
		n := m.Size
		for _, r := range m.Replicas {
			if r.Offline {
				n--
			}
		}
		return n
	}
}

// newEnough compares a server's version with MinVersion.
func newEnough(server, version string) error {
	have, known := numbers(version)
	least, _ := numbers(MinVersion)
	for i := range least {
		switch {
		case !known || have[i] < least[i]:
			return fmt.Errorf("server %s runs nats-server %q. A fleet needs %s or later", server, version, MinVersion)
		case have[i] > least[i]:
			return nil
		}
	}
	return nil
}

// numbers are the three numbers of a version. A pre-release suffix such as "-RC.1" is dropped.
func numbers(version string) (n [3]int, known bool) {
	version, _, _ = strings.Cut(strings.TrimPrefix(version, "v"), "-")
	parts := strings.Split(version, ".")
	if len(parts) != len(n) {
		return n, false
	}
	for i, part := range parts {
		v, err := strconv.Atoi(part)
		if err != nil {
			return n, false
		}
		n[i] = v
	}
	return n, true
}
