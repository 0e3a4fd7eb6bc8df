package audits

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/cmd/internal/cli"
	"robots-audit/reports"
)

// maxProposed limits a robots.txt that the user names: far more than crawlers read.
const maxProposed = 16 << 20

// Proposed is a robots.txt in place of the one that a host serves.
type Proposed struct {
	Host string // as in an origin: "example.com", "example.com:8080"
	File string
	Body []byte
}

// ReadProposed reads the files of -robots HOST=FILE, each for another host.
func ReadProposed(entries []string) (list []Proposed, err error) {
	for _, entry := range entries {
		name, file, ok := strings.Cut(entry, "=")
		if !ok || name == "" || file == "" {
			return nil, fmt.Errorf("-robots %s: expected HOST=FILE, as in -robots example.com=new-robots.txt", entry)
		}
		p := Proposed{File: file}
		if p.Host, err = ProposedHost(name); err != nil {
			return nil, fmt.Errorf("-robots %s: %w", entry, err)
		}
		if slices.ContainsFunc(list, func(other Proposed) bool { return other.Host == p.Host }) {
			return nil, fmt.Errorf("-robots %s: %s already has a file. Name only one", entry, p.Host)
		}
		if p.Body, err = ReadRobots(file); err != nil {
			return nil, fmt.Errorf("-robots %s: %w", entry, err)
		}
		list = append(list, p)
	}
	return list, nil
}

// ProposedHost is the host of HOST=FILE, as in an origin.
func ProposedHost(name string) (string, error) {
	d, why := audit.ParseDomain(name)
	host := audit.HostName(d.Origin("https"))
	switch {
	case why != "":
		return "", fmt.Errorf("%s: %s", name, why)
	case d.Path != "":
		return "", fmt.Errorf("%s: a robots.txt is for a whole host. Write %s=FILE", name, host)
	}
	return host, nil
}

// ReadRobots reads a robots.txt that the user names. An empty file is a robots.txt. A device or a pipe
// without a byte is none: the command before the pipe has failed.
func ReadRobots(file string) ([]byte, error) {
	body, err := cli.ReadBounded(file, maxProposed)
	if err == nil && len(body) == 0 {
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is empty. To test an empty robots.txt, name it as a file", file)
		}
	}
	return body, err
}

// tellServed records in a run which hosts were not requested for their robots.txt, since the folder
// outlives the command. It adds the checksums of the files to the setting, so that a run cannot be
// resumed with other files of those names.
func (s *Settings) tellServed(files map[string][]byte) (sentences []string) {
	for _, host := range slices.Sorted(maps.Keys(files)) {
		sum := HexSum(files[host])
		sentences = append(sentences, fmt.Sprintf("The robots.txt of %s was not fetched. Your draft of robots.txt was tested instead (SHA-256 %s).", host, sum))
		s.Used["robots"] = fmt.Sprintf("%v %s:%.16s", s.Used["robots"], host, sum)
	}
	return sentences
}

// unused are the hosts of -robots that no site of the run has requested so far. nil = they are not
// reported.
type unused map[string]bool

// newUnused begins with all hosts. If the folder already has sites, those may have used the files,
// so nothing is reported.
func newUnused(files map[string][]byte, run *reports.Run) unused {
	if earlier, _ := run.Earlier(); len(files) == 0 || len(earlier) > 0 {
		return nil
	}
	hosts := unused{}
	for host := range files {
		hosts[host] = true
	}
	return hosts
}

// add marks the hosts of a record as used.
func (u unused) add(rec audit.Record) {
	if r := rec.Robots; r != nil && r.File.Given {
		_, host, _ := strings.Cut(strings.TrimSuffix(r.File.URL, "/robots.txt"), "://")
		delete(u, host)
	}
}

// tell reports the remaining hosts in the log and in the run's reports, because the user expects
// the run to test their files.
func (u unused) tell(log *slog.Logger, run *reports.Run) {
	for _, host := range slices.Sorted(maps.Keys(u)) {
		log.Warn("-robots: no site of this run has the host " + host + ": its file was not used")
		run.Remark("No site of this run has the host " + host + ", so your draft of its robots.txt was not used.")
	}
}

// HexSum is the SHA-256 of a text, in hexadecimal digits.
func HexSum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
