package delivery

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"robots-audit/audit/history"
	"robots-audit/audit/schedule/alert"
)

// maxLost bounds the sentences on messages that were given up.
const maxLost = 20

// Plan makes the deliveries of a run's message (alert.Digest): one to each channel that
// wants to know of it, to be entered in the transaction of the run.
//
// lost are earlier deliveries that were given up and of which nobody has told yet. They
// are told in the message to each channel; where the run itself has nothing to tell (the
// message has no events, only its run), to each but the one that failed, and only if the
// lost message had events: that nobody heard of a loss is no news to those who could not
// be reached either. told are the ids of those that are told by these deliveries, to be
// marked in the same transaction.
func Plan(channels []Channel, m alert.Message, lost []history.Delivery, now time.Time) (deliveries []history.Delivery, toldOf []string, err error) {
	for _, c := range channels {
		r := c.route()
		sentences, ids := losses(lost, r.Name, len(m.Events) > 0)
		if len(m.Events) == 0 && len(sentences) == 0 {
			continue
		}
		message, ok := m.Filter(r.Name, r.Min, sentences)
		if !ok {
			continue
		}
		text, err := json.Marshal(message)
		if err != nil {
			return nil, nil, fmt.Errorf("message to %s: %w", r.Name, err)
		}
		deliveries = append(deliveries, history.Delivery{
			ID: ID(r.Name, message), Run: message.Run, Channel: r.Name, Message: text, Entered: now.UTC(), Next: now.UTC(),
		})
		toldOf = append(toldOf, ids...)
	}
	slices.Sort(toldOf)
	return deliveries, slices.Compact(toldOf), nil
}

// ID is the id of the delivery of a message to a channel: the same whenever it is made
// of the same run.
func ID(channel string, m alert.Message) string {
	sum := sha256.Sum256([]byte("robots-audit delivery\x00" + channel + "\x00" + m.Run + "\x00" + m.ID))
	return hex.EncodeToString(sum[:16])
}

// losses says what was given up, to one channel, and returns the ids of that.
func losses(lost []history.Delivery, channel string, events bool) (sentences, ids []string) {
	more := 0
	for _, d := range lost {
		var m alert.Message
		readable := json.Unmarshal(d.Message, &m) == nil
		if !events && (d.Channel == channel || readable && len(m.Events) == 0) {
			continue
		}
		ids = append(ids, d.ID)
		if len(sentences) == maxLost {
			more++
			continue
		}
		problem := d.Channel + ": " + d.Error
		sentence := m.GivenUp(problem)
		if !readable || sentence == "" {
			sentence = "A message of run " + d.Run + " could not be delivered to " + problem
		}
		sentences = append(sentences, sentence)
	}
	if more > 0 {
		sentences = append(sentences, fmt.Sprintf("%d more messages could not be delivered.", more))
	}
	return sentences, ids
}
