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

// jobSubject is the subject of a site's job. It has the host alone, whatever scheme and port: JOBS
// holds one message a subject, and so one worker at a time asks a host. "www." is left away, since a
// crawl.Client takes it for the same server, too.
func jobSubject(region, host string) string {
	return "jobs." + region + "." + hostEscapes.Replace(strings.TrimPrefix(host, "www."))
}

// resultSubject is that of the results of a run.
func resultSubject(run string) string { return "results." + run }

// runSubject is that of a run.
func runSubject(run string) string { return "runs." + run }
