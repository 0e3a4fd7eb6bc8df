package audits

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/cmd/internal/cli"
	"robots-audit/reports"
)

// MaxProposed limits a robots.txt that the user names: far more than crawlers read.
const MaxProposed = 16 << 20

// readProposed reads the files of -robots HOST=FILE, by host: "example.com",
// "example.com:8080". nil = there are none.
func readProposed(entries []string) (map[string][]byte, error) {
	var files map[string][]byte
	for _, entry := range entries {
		name, file, ok := strings.Cut(entry, "=")
		if !ok || file == "" {
			return nil, fmt.Errorf("-robots %s: expected HOST=FILE, as in -robots example.com=new-robots.txt", entry)
		}
		d, why := audit.ParseDomain(name)
		if why != "" {
			return nil, fmt.Errorf("-robots %s: %s: %s", entry, name, why)
		}
		_, host, _ := strings.Cut(d.Origin("https"), "://")
		if _, twice := files[host]; twice {
			return nil, fmt.Errorf("-robots %s: %s already has a file. Name only one", entry, host)
		}
		body, err := cli.ReadBounded(file, MaxProposed)
		if err != nil {
			return nil, fmt.Errorf("-robots %s: %w", entry, err)
		}
		if files == nil {
			files = map[string][]byte{}
		}
		files[host] = body
	}
	return files, nil
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
