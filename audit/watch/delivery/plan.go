package delivery

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/history"
)

// Plan makes the deliveries of a run's message (alert.Digest), one for each channel that should get
// it. They are to be entered in the transaction of the run.
//
// lost are earlier deliveries that were given up and not reported yet. The message to each channel
// reports them. If the run itself has no news (the message has no events, only its run), each
// channel except the failed one gets such a message. A lost message that only reported losses is
// not reported: otherwise two dead channels would report each other forever. A webhook with
// PerEvent gets events alone. told has the ids that these deliveries report, to be marked in the
// same transaction.
func Plan(channels []Channel, m alert.Message, lost []history.Delivery, now time.Time) (deliveries []history.Delivery, told []string, err error) {
	for _, c := range channels {
		r := c.Common()
		m := m
		if !r.Digest.IsZero() && m.Period == nil {
			m = m.Urgent()
		}
		lost := lost
		w, ok := c.(*Webhook)
		events := ok && w.PerEvent // it can send nothing else
		if events {
			lost = nil
		}
		sentences, ids := losses(lost, r.Name, !m.Empty())
		if m.Empty() && len(sentences) == 0 {
			told = append(told, ids...)
			continue
		}
		message, ok := m.Filter(r.Name, cmp.Or(r.Min, compare.Info), sentences)
		if !ok || events && len(message.Events) == 0 {
			continue
		}
		text, err := json.Marshal(message)
		if err != nil {
			return nil, nil, fmt.Errorf("message to %s: %w", r.Name, err)
		}
		deliveries = append(deliveries, history.Delivery{
			ID: message.ID, Run: message.Run, Channel: r.Name, Message: text, Entered: now.UTC(), Next: now.UTC(),
		})
		told = append(told, ids...)
	}
	slices.Sort(told)
	return deliveries, slices.Compact(told), nil
}

// losses describes, for one channel, the messages that were given up, and returns their ids.
func losses(lost []history.Delivery, channel string, events bool) (sentences, ids []string) {
	for _, d := range lost {
		var m alert.Message
		problem := d.Channel + ": " + d.Error
		sentence := "A message about run " + d.Run + " could not be sent (" + problem + ")."
		if json.Unmarshal(d.Message, &m) == nil {
			sentence = m.GivenUp(problem)
		}
		switch {
		case sentence == "": // it only reported losses
			ids = append(ids, d.ID)
		case events || d.Channel != channel:
			ids = append(ids, d.ID)
			sentences = append(sentences, sentence)
		}
	}
	return sentences, ids
}
