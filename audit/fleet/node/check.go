package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// askStorage is the subject where every server of a cluster says how it keeps its streams.
const askStorage = "$SYS.REQ.SERVER.PING.JSZ"

// checkWait is how long servers have to say it.
const checkWait = 2 * time.Second

// storage is what a server says of itself.
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
			Size int `json:"cluster_size"`
		} `json:"meta_cluster"`
	} `json:"data"`
}

// Check asks all servers that answer whether they keep what they acknowledge, and says which
// does not. Connect does so; it is to be done again when a connection was lost and is back, since
// another server may answer then.
func Check(ctx context.Context, nc *nats.Conn) error {
	answers, err := ask(ctx, nc)
	if err != nil {
		return err
	}
	own := false
	for _, a := range answers {
		own = own || a.Server.ID == nc.ConnectedServerId()
		switch {
		case a.Data.Disabled:
		case !a.Data.Config.SyncAlways:
			return fmt.Errorf("server %s acknowledges what is not on its disk yet: it needs sync_interval: always", a.Server.Name)
		}
	}
	if !own {
		return errors.New("server does not say how it keeps its streams")
	}
	return nil
}

// ask gathers the answers, until all of the cluster have answered or it takes too long.
func ask(ctx context.Context, nc *nats.Conn) ([]storage, error) {
	ctx, cancel := context.WithTimeout(ctx, checkWait)
	defer cancel()
	inbox := nc.NewRespInbox()
	sub, err := nc.SubscribeSync(inbox)
	if err != nil {
		return nil, err
	}
	defer sub.Unsubscribe()
	if err := nc.PublishRequest(askStorage, inbox, nil); err != nil {
		return nil, err
	}
	var answers []storage
	for size := 1; len(answers) < size; {
		msg, err := sub.NextMsgWithContext(ctx)
		if err != nil {
			break
		}
		var a storage
		if err := json.Unmarshal(msg.Data, &a); err != nil {
			return nil, err
		}
		answers = append(answers, a)
		if a.Data.Meta != nil {
			size = max(size, a.Data.Meta.Size)
		}
	}
	return answers, nil
}
