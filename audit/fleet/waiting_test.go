package fleet

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"robots-audit/audit"
)

// TestWaitingSites: redelivered sites wait until no other worker can have them, without a slot, so
// that new sites are done meanwhile. The status names them, and a worker that ends does not wait
// for them.
func TestWaitingSites(t *testing.T) {
	t.Parallel()
	c := workedFleet(t, time.Hour) // the sites wait for half of it
	const before = 40
	feed(t, c, "run1", 0, before)
	consumer := consumerOf(t, c, "r")
	out, err := consumer.Fetch(before, jetstream.FetchMaxWait(time.Minute))
	noError(t, err)
	for msg := range out.Messages() {
		noError(t, msg.Nak())
	}
	work := &testWork{}
	w := testWorker(c, "w1", work)
	w.Pool = audit.NewPool(4, 100)
	r := NewRecorder("w1", "r", "", 4, 0)
	w.Watch = r
	answer(t, c, r)
	stop := start(t, w)
	await(t, "a site that was given out before", func() bool {
		info, err := consumer.Info(t.Context())
		return err == nil && info.NumRedelivered > 0
	})
	feed(t, c, "run1", before, before+1)
	await(t, "the site that is new", func() bool { return work.called("h40.example") == 1 })

	await(t, "all others to wait", func() bool { return r.Member().Waiting == before })
	status, err := ReadStatus(t.Context(), c)
	noError(t, err)
	var text bytes.Buffer
	noError(t, status.WriteText(&text, 200))
	if want := "40 sites wait until no other worker can be working on them: h"; !strings.Contains(text.String(), want) || !strings.Contains(text.String(), "35 more") {
		t.Errorf("the status does not say %q:\n%s", want, &text)
	}
	noError(t, stop())
	for i := range before {
		if name := fmt.Sprintf("h%d.example", i); work.called(name) > 0 {
			t.Errorf("%s was begun, which another may have", name)
		}
	}
}
