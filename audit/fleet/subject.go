package fleet

import (
	"regexp"
	"strings"
)

// ValidID reports whether a text can be a run's id, which is part of subjects, keys and file names.
func ValidID(id string) bool { return idPattern.MatchString(id) }

// ValidRegion reports whether a text can be the name of a region.
func ValidRegion(name string) bool { return regionPattern.MatchString(name) }

var (
	idPattern     = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]{0,63}$`)
	regionPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)
)

// hostEscapes writes a host as one token of a subject, where "." separates tokens, and "*" and ">" are
// wildcards. No host has "=".
var hostEscapes = strings.NewReplacer(".", "_", "_", "=", "*", "=a", ">", "=b", " ", "=c")

// Fits reports whether programs of two versions may work on one run: the versions differ only after the
// second number.
func Fits(a, b string) bool { return line(a) == line(b) }

// line is a version up to its second number, in subjects and consumer names: "1-4" of "1.4.2-next".
func line(version string) string {
	parts := strings.SplitN(version, ".", 3)
	return notOfNames.ReplaceAllString(strings.ToLower(strings.Join(parts[:min(len(parts), 2)], "-")), "-")
}

var notOfNames = regexp.MustCompile(`[^a-z0-9]`)

// lineMark separates the version from the name before it. No region has it.
const lineMark = "_"

// queueName is the consumer from which programs of a version take: for JOBS that of a region, for RUNS that
// of coordinators. Each version takes only what it can do. Work of another version is neither given back
// nor counted as tried; it waits for a program that fits. "" is a version of its own.
func queueName(of, version string) string {
	if version == "" {
		return of
	}
	return of + lineMark + line(version)
}

// jobQueue returns the consumer of a region's sites for programs of a version, and its filter.
func jobQueue(region, version string) (name, filter string) {
	name = queueName(region, version)
	return name, "jobs." + name + ".>"
}

// runQueue returns the consumer of a version's runs, and its filter.
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

// jobSubject is the subject of a site's job in a jobQueue. It has only the host, without scheme and port:
// JOBS allows one message per subject, so only one worker at a time requests from a host. "www." is
// dropped, since a crawl.Client treats it as the same server.
func jobSubject(queue, host string) string {
	return "jobs." + queue + "." + hostEscapes.Replace(strings.TrimPrefix(host, "www."))
}

// resultSubject is the subject of a run's results.
func resultSubject(run string) string { return "results." + run }

// runSubject is the subject of a run that a version has submitted.
func runSubject(run, version string) string { return "runs." + lineToken(version) + "." + run }

// anyRunSubject is the subject of a run of any version.
func anyRunSubject(run string) string { return "runs.*." + run }
