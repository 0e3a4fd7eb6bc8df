// Package fleetwork is what a fleet does: [Work] audits the sites that a worker takes from the
// queue, by the code of an audit on one machine, and [Merge] makes the folder of the run of what
// came of them. It is between package fleet, which knows neither robots.txt nor reports, and
// packages audit and reports, which know no queue.
//
// A run's settings travel as flags by name, and the files that they name lie in the bucket: see
// [Pack], [Inputs] and [Unpack]. What is made of them is made by the command, see [Prepare].
//
// The files of a site are stored under the prefix of the run's folder as they would lie in the
// folder of one machine, and its line of the journal travels to the coordinator, who enters all
// lines into a run of his own and stores what that writes when it is closed. run.json is the last
// of all.
package fleetwork

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"robots-audit/audit/fleet"
	"robots-audit/audit/fleet/store"
	"robots-audit/cmd/internal/audits"
)

// Prepare makes of a run's settings what an audit makes of its flags. inputs is the folder with
// copies of the files that they name; list opens the run's list of sites.
type Prepare func(ctx context.Context, run *fleet.Run, inputs string, list func() (io.ReadCloser, error)) (*audits.Preparation, error)

// Place is where a process does its work.
type Place struct {
	Bucket  *store.Bucket
	Scratch string // folder of this process alone
	InPlace bool   // the bucket is a folder on the disk of Scratch, and its run's sites are all done here
	Version string // of the program
	Prepare Prepare
	Log     *slog.Logger
}

// begun is a run that was prepared, with a folder of its own.
type begun struct {
	*Place
	*audits.Preparation
	run *fleet.Run
	dir string
}

// begin prepares a run: its settings, and a folder for purpose. It is refused where its version
// and that of the program differ before the last dot.
func (p *Place) begin(ctx context.Context, run *fleet.Run, purpose string) (*begun, error) {
	if !fleet.Fits(run.Version, p.Version) {
		return nil, fmt.Errorf("run %s was submitted by version %s, and this is version %s. Use a version with the same first two numbers", run.ID, run.Version, p.Version)
	}
	dir, err := os.MkdirTemp(p.Scratch, purpose+"-"+run.ID+"-")
	if err != nil {
		return nil, err
	}
	b := &begun{Place: p, run: run, dir: dir}
	inputs := filepath.Join(dir, "input")
	if err = os.Mkdir(inputs, 0o755); err == nil {
		if err = fetchInputs(ctx, p.Bucket, run, inputs); err == nil {
			b.Preparation, err = p.Prepare(ctx, run, inputs, func() (io.ReadCloser, error) { return p.Bucket.Reader(ctx, fleet.ListKey(run.ID)) })
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("run %s: %w", run.ID, err), os.RemoveAll(dir))
	}
	b.Options.Dir = filepath.Join(dir, "run")
	return b, nil
}
