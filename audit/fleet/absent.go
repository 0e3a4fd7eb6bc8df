package fleet

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"robots-audit/engine/wording"
)

// Absent describes, for people, the processes that a run still needs and that do not answer now: workers of
// its region, or coordinators, of a version that fits. nil = all are there. The error says that no member
// could be asked.
func Absent(ctx context.Context, c *Conn, run *Run) ([]string, error) {
	members, err := Who(ctx, c, whoWait)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, why := range []string{noWorker(members, run.Region, run.Version), noCoordinator(members, run.Version)} {
		if why != "" {
			all = append(all, why)
		}
	}
	return all, nil
}

// absences describes the queues that have messages and no process to take them.
func (s *Status) absences() (all []string) {
	for _, q := range s.Queues {
		n := int(q.Waiting) + q.Held
		of, version := q.of()
		if n == 0 {
			continue
		}
		if q.Stream == streamJobs {
			if why := noWorker(s.Members, of, version); why != "" {
				all = append(all, fmt.Sprintf("%s of region %s: %s", wording.Plural(n, "site"), of, why))
			}
		} else if why := noCoordinator(s.Members, version); why != "" {
			all = append(all, fmt.Sprintf("%s: %s", wording.Plural(n, "run"), why))
		}
	}
	return all
}

// of is the region, or another word for the queue, and the version as in [line].
func (q *QueueStatus) of() (name, version string) {
	name, version, _ = strings.Cut(q.Name, lineMark)
	return name, version
}

// noWorker says why no worker does sites of a region and version; "" = one does.
func noWorker(members []Member, region, version string) string {
	return nobody(members, version, "no worker for region "+region, func(m *Member) bool { return m.Slots > 0 && m.Region == region })
}

// noCoordinator says why no coordinator takes runs of a version; "" = one does.
func noCoordinator(members []Member, version string) string {
	return nobody(members, version, "no worker with -runs", func(m *Member) bool { return m.RunSlots > 0 })
}

// nobody says that no member does something, or that none of them fits a version.
func nobody(members []Member, version, who string, does func(*Member) bool) string {
	var others []string
	for _, m := range members {
		if !does(&m) {
			continue
		}
		if Fits(m.Version, version) {
			return ""
		}
		if !slices.Contains(others, m.Version) && len(others) < 5 {
			others = append(others, m.Version)
		}
	}
	if others == nil {
		return who
	}
	return fmt.Sprintf("%s has version %s. The workers have %s", who, shownLine(version), wording.And(others))
}

// shownLine is a version up to its second number for people.
func shownLine(version string) string { return strings.ReplaceAll(line(version), "-", ".") }
