package fleet

import (
	"crypto/sha256"
	"encoding/hex"
)

// Keys of the bucket. runs/<id>/ is the run's folder, as any other; fleet/<id>/ is what the fleet
// needs besides, and may be removed when the run is merged.
const (
	runsPrefix  = "runs/"
	fleetPrefix = "fleet/"
)

// FolderKey is the prefix of the run's folder in the bucket, with a slash at its end.
func FolderKey(run string) string { return runsPrefix + run + "/" }

// RunKey is where a run's description lies, as JSON.
func RunKey(run string) string { return fleetPrefix + run + "/run.json" }

// ListKey is where a run's list of sites lies.
func ListKey(run string) string { return fleetPrefix + run + "/list.txt" }

// InputKey is where a file lies that a run's settings refer to.
func InputKey(run, name string) string { return fleetPrefix + run + "/input/" + name }

// SiteKey is where the result of a site lies, by the site's name. It is written last of all
// that there is of the site: where it is, the site is done.
func SiteKey(run, name string) string { return siteKey(run, hashOf(name)) }

func siteKey(run string, name hash) string { return fleetPrefix + run + "/site/" + name.file() }

// tryKey is where stands how often a site was tried, where it was given back.
func tryKey(run, name string) string { return fleetPrefix + run + "/try/" + hashed(name) }

func hashed(name string) string { return hashOf(name).file() }

// hash is what keys have of a site's name.
type hash [16]byte

func hashOf(name string) hash {
	sum := sha256.Sum256([]byte(name))
	return hash(sum[:16])
}

func (h hash) file() string {
	text := hex.EncodeToString(h[:])
	return text[:2] + "/" + text + ".json"
}
