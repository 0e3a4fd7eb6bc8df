package reports

import (
	"runtime/debug"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What Go notes of builds: in a clone at a tag, after it, with changes, and without version control.
func TestSourceOf(t *testing.T) {
	t.Parallel()
	const commit = "947a0fd1c6e2f3a4b5c6d7e8f9a0b1c2d3e4f5a6"
	noted := func(version, modified string) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version}, Settings: []debug.BuildSetting{
			{Key: "-trimpath", Value: "true"}, {Key: "vcs.revision", Value: commit},
			{Key: "vcs.time", Value: "2026-11-24T06:49:50Z"}, {Key: "vcs.modified", Value: modified},
		}}
	}
	at := time.Date(2026, 11, 24, 6, 49, 50, 0, time.UTC)
	for _, c := range []struct {
		info *debug.BuildInfo
		want Source
	}{
		{noted("v0.2.0", "false"), Source{Commit: commit, Time: at, Tag: "0.2.0"}},
		{noted("v0.3.0-rc.1", "false"), Source{Commit: commit, Time: at, Tag: "0.3.0-rc.1"}},
		{noted("v0.2.1-0.20261124064950-947a0fd1c6e2", "false"), Source{Commit: commit, Time: at}},
		{noted("v0.0.0-20261124064950-947a0fd1c6e2", "false"), Source{Commit: commit, Time: at}},
		{noted("v0.2.0+dirty", "true"), Source{Commit: commit, Time: at, Modified: true}},
		{&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, Source{}},
	} {
		if diff := cmp.Diff(c.want, sourceOf(c.info)); diff != "" {
			t.Errorf("%s: %s", c.info.Main.Version, diff)
		}
	}
}
