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

// ErrExists says that a run with this id exists, ended or not.
var ErrExists = errors.New("a run with this id was submitted before")

// ErrList says that a fleet cannot use a list of sites.
var ErrList = errors.New("the list")

// NewID makes the id of a run from the time and random letters: 20260131-235900-k3vq2x7a. Ids sort by time.
func NewID(now time.Time) string {
	return now.UTC().Format("20060102-150405-") + strings.ToLower(rand.Text()[:8])
}

// Submit stores a list of sites, and the files that the settings refer to (paths by name), in the fleet's
// bucket, and queues the run. It returns the run as queued: with an ID, if it had none, with Submitted,
// Inputs and Sites. It reads the whole list before it stores anything. It refuses a list with a name and a
// password, since others read the bucket. It creates missing streams, as Setup does.
//
// Without an ID, Submit joins an unfinished run with the same list, settings, files and region: it returns
// that run, with Joined set. So a call that was killed may be repeated, whatever it had done.
//
// The error is ErrList if the list names no site or has a password, and ErrExists if the id was used
// before. Any other error says what could not be stored or queued. Then nothing is queued, unless the error
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
	if _, err := c.Setup(ctx); err != nil { // only now, so that a refused list leaves nothing behind
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

	// The process that stores the description owns the id. All other objects come after it.
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
	if err != nil && !run.Joined && !errors.Is(err, errNoAnswer) { // the id may be used again
		err = errors.Join(err, c.Bucket.Delete(context.WithoutCancel(ctx), RunKey(run.ID)))
	}
	return run, err
}

// errNoAnswer says that the queue did not confirm a message.
var errNoAnswer = errors.New("the queue does not answer")

// queueTries is how often Submit offers a run to a queue that does not answer.
const queueTries = 5

// queueRun queues a run. A joined run may be in the queue already.
func (c *Conn) queueRun(ctx context.Context, id, version string, message []byte, joined bool) error {
	for try := 1; ; try++ {
		_, err := c.JS.Publish(ctx, runSubject(id, version), message)
		why := refusal(err)
		switch {
		case why == kindNone || why == kindTaken && (joined || try > 1): // the queue took it in an earlier try whose answer was lost
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

// sleep waits for a time, or until ctx ends; then it returns the cause.
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
