package main

import (
	"os"

	"robots-audit/audit"
)

// countSites counts the entries of a list, so that progress knows where the
// end is; 0 where the list can be read but once, such as a pipe.
func countSites(name string) (n int64) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return 0
	}
	file, err := os.Open(name)
	if err != nil {
		return 0
	}
	defer file.Close()
	for _, err := range audit.Domains(file) {
		if err == nil {
			n++
		}
	}
	return n
}
