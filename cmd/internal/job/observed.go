package job

import (
	"context"
	"slices"
	"time"

	"robots-audit/audit/logs"
	"robots-audit/audit/watch/history"
	"robots-audit/engine"
)

// maxSiteRuns bounds the runs of a site that judge its requests.
const maxSiteRuns = 100_000

// longestRun is how long a run takes, at most.
const longestRun = 48 * time.Hour

// Observed are the robots.txt files of a site in all runs, oldest first.
func Observed(ctx context.Context, db *history.DB, site string) (list []logs.Observation, err error) {
	runs, err := db.SiteRuns(ctx, site, maxSiteRuns)
	if err != nil {
		return nil, err
	}
	bodies := map[string][]byte{}
	for _, r := range slices.Backward(runs) {
		o := logs.Observation{At: r.Run.Started, SHA256: r.SHA256, Told: r.Tells(), File: engine.File{Status: r.Status}}
		if r.Run.Finished.Sub(r.Run.Started) <= longestRun { // else the clock was set
			o.Until = r.Run.Finished
		}
		if r.SHA256 != "" && r.Status/100 == 2 {
			body, known := bodies[r.SHA256]
			if !known {
				v, ok, err := db.Version(ctx, site, r.SHA256)
				if err != nil {
					return nil, err
				}
				if ok {
					body = v.Body
				}
				bodies[r.SHA256] = body
			}
			o.Told = o.Told && body != nil
			o.File.Body = body
		}
		list = append(list, o)
	}
	return list, nil
}
