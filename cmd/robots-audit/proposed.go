package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"robots-audit/audit"
)

// maxProposed bounds a robots.txt that is named by a person: far more than anybody reads.
const maxProposed = 16 << 20

// readProposed reads the files of -robots HOST=FILE, by host: "example.com",
// "example.com:8080". nil = there are none.
func readProposed(entries []string) (map[string][]byte, error) {
	var files map[string][]byte
	for _, entry := range entries {
		name, file, ok := strings.Cut(entry, "=")
		if !ok || file == "" {
			return nil, fmt.Errorf("-robots %s: want HOST=FILE, as in -robots example.com=new-robots.txt", entry)
		}
		d, why := audit.ParseDomain(name)
		if why != "" {
			return nil, fmt.Errorf("-robots %s: %s: %s", entry, name, why)
		}
		_, host, _ := strings.Cut(d.Origin("https"), "://")
		if _, twice := files[host]; twice {
			return nil, fmt.Errorf("-robots %s: %s has a file already", entry, host)
		}
		body, err := readBounded(file, maxProposed)
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

// tellServed has a run say which hosts were not asked for their robots.txt: its folder outlives
// the command. The setting gets the checksums of the files, so that a run is not resumed with
// others of the same names.
func (s *settings) tellServed(files map[string][]byte) (sentences []string) {
	for _, host := range slices.Sorted(maps.Keys(files)) {
		sum := hexSum(files[host])
		sentences = append(sentences, fmt.Sprintf("%s was not asked for its robots.txt: the file of -robots stands in for it, as if it were served (sha256 %s).", host, sum))
		s.used["robots"] = fmt.Sprintf("%v %s:%.16s", s.used["robots"], host, sum)
	}
	return sentences
}
