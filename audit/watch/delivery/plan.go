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

// Plan makes the deliveries of a run's message (alert.Digest): one to each channel that
// wants to know of it, to be entered in the transaction of the run.
//
// lost are earlier deliveries that were given up and that no message has reported yet. The
// message to each channel reports them; where the run itself has nothing to tell (the
// message has no events, only its run), to each but the one that failed. A lost message
// that reported losses alone is not reported: two dead channels would go on reporting each
// other. told are the ids of those that are dealt with by these deliveries, to be marked
// so in the same transaction.
func Plan(channels []Channel, m alert.Message, lost []history.Delivery, now time.Time) (deliveries []history.Delivery, told []string, err error) {
	for _, c := range channels {
		r := c.Common()
		sentences, ids := losses(lost, r.Name, len(m.Events) > 0)
		if len(m.Events) == 0 && len(sentences) == 0 {
			told = append(told, ids...)
			continue
		}
		message, ok := m.Filter(r.Name, cmp.Or(r.Min, compare.Info), sentences)
		if !ok {
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

// losses says what was given up, to one channel, and returns the ids of that.
func losses(lost []history.Delivery, channel string, events bool) (sentences, ids []string) {
	for _, d := range lost {
		var m alert.Message
		problem := d.Channel + ": " + d.Error
		sentence := "A message about run " + d.Run + " could not be sent (" + problem + ")."
		if json.Unmarshal(d.Message, &m) == nil {
			sentence = m.GivenUp(problem)
		}
		switch {
		case sentence == "": // it told of losses itself, and of nothing else
			ids = append(ids, d.ID)
		case events || d.Channel != channel:
			ids = append(ids, d.ID)
			sentences = append(sentences, sentence)
		}
	}
	return sentences, ids
}
