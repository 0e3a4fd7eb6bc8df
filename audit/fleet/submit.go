package fleet

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"robots-audit/audit"
)

// ErrExists is that there is a run of the same id already, whether it has ended or not.
var ErrExists = errors.New("a run with this id was submitted before")

// ErrList is that a list of sites is none that a fleet takes.
var ErrList = errors.New("the list")

// NewID makes the id of a run from when it is submitted and from chance: 20260131-235900-k3vq2x7a. Ids sort by time.
func NewID(now time.Time) string {
	return now.UTC().Format("20060102-150405-") + strings.ToLower(rand.Text()[:8])
}

// Submit stores a list of sites, and the files that the settings refer to (paths by name), in the
// fleet's bucket, and puts the run into the queue. It returns the run as it was queued: with an
// ID, if it had none, with Submitted, Inputs and Sites. The list is read to its end before anything
// is stored; one with a name and a password in it is refused, since the bucket is read by others.
// Streams that are missing are made then, as by Setup.
//
// Without an ID, a run that was submitted before with the same list, settings, files and region, and has
// not ended, is joined: it is returned as it is, with Joined set. So a call that was killed may be made
// again, whatever it had done.
//
// The error is ErrList where the list names no site or has a password, ErrExists where the id was used before, in other words where it was a mistake to submit, and
// otherwise says what could not be stored or queued. Nothing is queued then, but for an error that
// says that the queue did not answer.
func Submit(ctx context.Context, c *Conn, run Run, list io.Reader, inputs map[string]string) (Run, error) {
	if run.Submitted.IsZero() {
		run.Submitted = time.Now().UTC().Truncate(time.Second)
	}
	if run.Region == "" {
		run.Region = "default"
	}
	switch {
	case run.ID != "" && !ValidID(run.ID):
		return run, fmt.Errorf("run %q: an id has letters, digits and hyphens, at most 64", run.ID)
	case !ValidRegion(run.Region):
		return run, fmt.Errorf("region %q: a region has lower-case letters, digits and hyphens, at most 32", run.Region)
	}
	run.Inputs = slices.Sorted(maps.Keys(inputs))
	for _, name := range run.Inputs {
		if name == "" || path.Base(name) != name || name == "." || name == ".." {
			return run, fmt.Errorf("input %q: not the name of a file", name)
		}
	}

	spool, err := os.CreateTemp("", "robots-audit-list-*")
	if err != nil {
		return run, fmt.Errorf("copying the list of sites: %w", err)
	}
	defer os.Remove(spool.Name())
	defer spool.Close()
	if run.Sites, err = copyList(ctx, spool, list); err != nil {
		return run, err
	}
	if err := spool.Close(); err != nil {
		return run, fmt.Errorf("copying the list of sites: %w", err)
	}
	if _, err := c.Setup(ctx); err != nil { // not before: what is refused leaves nothing behind
		return run, err
	}
	named := run.ID != ""
	if !named {
		if run.ID, err = c.idOf(ctx, &run, spool.Name(), inputs); err != nil {
			return run, err
		}
	}
	message, err := json.Marshal(run)
	if err != nil {
		return run, err
	}

	// Who stores the description has the id; all that lies beside it comes after.
	fresh, err := c.Bucket.PutNew(ctx, RunKey(run.ID), message)
	switch {
	case err != nil:
		return run, err
	case !fresh && named:
		return run, fmt.Errorf("run %s: %w", run.ID, ErrExists)
	case !fresh:
		if message, err = c.Bucket.Get(ctx, RunKey(run.ID), maxRunJSON); err == nil {
			err = json.Unmarshal(message, &run)
		}
		if err != nil {
			return run, fmt.Errorf("run %s: %w", run.ID, err)
		}
		run.Joined = true
	}
	err = c.Bucket.Put(ctx, ListKey(run.ID), spool.Name())
	for name, file := range inputs {
		if err == nil {
			err = c.Bucket.Put(ctx, InputKey(run.ID, name), file)
		}
	}
	if err == nil {
		err = c.queueRun(ctx, run.ID, run.Version, message, run.Joined)
	}
	if err != nil && !run.Joined && !errors.Is(err, errNoAnswer) { // the id is free again
		err = errors.Join(err, c.Bucket.Delete(context.WithoutCancel(ctx), RunKey(run.ID)))
	}
	return run, err
}

// errNoAnswer is that the queue has not said whether it took a message.
var errNoAnswer = errors.New("the queue does not answer")

// queueTries is how often a run is put into a queue that does not answer.
const queueTries = 5

// queueRun puts a run into the queue, where it may be already if it is joined.
func (c *Conn) queueRun(ctx context.Context, id, version string, message []byte, joined bool) error {
	for try := 1; ; try++ {
		_, err := c.JS.Publish(ctx, runSubject(id, version), message)
		why := refusal(err)
		switch {
		case why == kindNone || why == kindTaken && (joined || try > 1): // the try before was taken, although nobody said so
			return nil
		case why == kindTaken:
			return fmt.Errorf("run %s: %w", id, ErrExists)
		case why == kindFull:
			return fmt.Errorf("run %s: the queue of runs is full", id)
		case why == kindAway && try == queueTries || ctx.Err() != nil:
			return fmt.Errorf("run %s: %w: see the status whether it is queued: %w", id, errNoAnswer, err)
		case why == kindOther:
			return fmt.Errorf("run %s: the queue refuses it: %w", id, err)
		}
		if err := sleep(ctx, time.Second); err != nil {
			return fmt.Errorf("run %s: %w: %w", id, errNoAnswer, err)
		}
	}
}

// copyList copies a list, and counts its sites.
func copyList(ctx context.Context, to io.Writer, list io.Reader) (sites int, err error) {
	copied := &copyReader{from: list, to: to}
	for d, err := range audit.Domains(copied) {
		var bad *audit.ListError
		switch {
		case ctx.Err() != nil:
			return 0, ctx.Err()
		case errors.As(err, &bad):
		case err != nil:
			return 0, err
		case d.Credentials != nil:
			return 0, fmt.Errorf("line %d of %w: %s has a user name and a password. Remove them, since others can read the list of a fleet", d.Line, ErrList, d.Name)
		default:
			sites++
		}
	}
	if sites == 0 {
		return 0, fmt.Errorf("%w has no site", ErrList)
	}
	return sites, nil
}

// copyReader copies what is read.
type copyReader struct {
	from io.Reader
	to   io.Writer
}

func (r *copyReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if _, failed := r.to.Write(p[:n]); failed != nil {
		return 0, fmt.Errorf("copying the list of sites: %w", failed)
	}
	return n, err
}

// sleep waits for a time, or until ctx ends, whose cause it returns then.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
