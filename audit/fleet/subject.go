package fleet

import (
	"regexp"
	"strings"
)

// ValidID reports whether a text can be the id of a run: it is part of subjects, keys and file names.
func ValidID(id string) bool { return idPattern.MatchString(id) }

// ValidRegion reports whether a text can be the name of a region.
func ValidRegion(name string) bool { return regionPattern.MatchString(name) }

var (
	idPattern     = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]{0,63}$`)
	regionPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)
)

// hostEscapes writes a host as one token of a subject, where "." separates tokens, and "*" and ">"
// stand for others; no host has "=".
var hostEscapes = strings.NewReplacer(".", "_", "_", "=", "*", "=a", ">", "=b", " ", "=c")

// Fits reports whether programs of two versions may work on one run: they differ after the second
// number alone.
func Fits(a, b string) bool { return line(a) == line(b) }

// line is a version up to its second number, as a part of subjects and consumers: "1-4" of "1.4.2-next".
func line(version string) string {
	parts := strings.SplitN(version, ".", 3)
	return notOfNames.ReplaceAllString(strings.ToLower(strings.Join(parts[:min(len(parts), 2)], "-")), "-")
}

var notOfNames = regexp.MustCompile(`[^a-z0-9]`)

// lineMark separates a version from what stands before it; no region has it.
const lineMark = "_"

// queueName is what of a queue the programs of a version take from: of JOBS that of a region, of RUNS
// that of coordinators. Each takes what it can do, so what another version has submitted is neither
// given back nor counted as tried, and waits for one that can. "" is a version of its own.
func queueName(of, version string) string {
	if version == "" {
		return of
	}
	return of + lineMark + line(version)
}

// jobQueue is the consumer of a region's sites for programs of a version, and its filter.
func jobQueue(region, version string) (name, filter string) {
	name = queueName(region, version)
	return name, "jobs." + name + ".>"
}

// runQueue is the consumer of the runs of a version, and its filter.
func runQueue(version string) (name, filter string) {
	return queueName(consumerRuns, version), "runs." + lineToken(version) + ".*"
}

// lineToken is a version's token in subjects of runs.
func lineToken(version string) string {
	if version == "" {
		return "-"
	}
	return line(version)
}

// jobSubject is the subject of a site's job in a jobQueue. It has the host alone, whatever scheme and port: JOBS
// holds one message a subject, and so one worker at a time asks a host. "www." is left away, since a
// crawl.Client takes it for the same server, too.
func jobSubject(queue, host string) string {
	return "jobs." + queue + "." + hostEscapes.Replace(strings.TrimPrefix(host, "www."))
}

// resultSubject is that of the results of a run.
func resultSubject(run string) string { return "results." + run }

// runSubject is that of a run, submitted by a version.
func runSubject(run, version string) string { return "runs." + lineToken(version) + "." + run }

// anyRunSubject is that of a run, whoever has submitted it.
func anyRunSubject(run string) string { return "runs.*." + run }
