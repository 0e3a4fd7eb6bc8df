// Package fleetwork does the work of a fleet. [Work] audits the sites that a worker takes from the
// queue, with the same code as an audit on one machine. [Merge] makes the folder of the run from
// the results. The package is between fleet, which knows neither robots.txt nor reports, and audit
// and reports, which know no queue.
//
// A run's settings are sent as flags by name, and the files that they name are in the bucket: see
// [Pack], [Inputs] and [Unpack]. The command makes an auditor from them, see [Prepare].
//
// The files of a site are stored under the prefix of the run's folder, in the layout of a folder on
// one machine. The site's journal line goes to the coordinator, which writes all lines to its own
// run, closes that and stores the files. run.json comes last.
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

// Prepare makes an audit from a run's settings, as a command does from its flags. inputs is the
// folder with copies of the files that they name; list opens the run's list of sites.
type Prepare func(ctx context.Context, run *fleet.Run, inputs string, list func() (io.ReadCloser, error)) (*audits.Preparation, error)

// Place is where a process works.
type Place struct {
	Bucket  *store.Bucket
	Scratch string // folder of this process only
	InPlace bool   // the bucket is a folder on the disk of Scratch, and this process audits all sites of its run
	Version string // of the program
	Prepare Prepare
	Log     *slog.Logger
}

// begun is a prepared run with its own folder.
type begun struct {
	*Place
	*audits.Preparation
	run *fleet.Run
	dir string
}

// begin prepares a run: its settings, and a folder for purpose. It fails if the versions of run and
// program differ in more than the last number.
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
