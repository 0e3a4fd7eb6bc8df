package fleet

import (
	"crypto/sha256"
	"encoding/hex"
)

// Keys of the bucket. runs/<id>/ is the run's folder, as in any bucket. fleet/<id>/ has the fleet's own
// objects, which may be removed when the run is merged.
const (
	runsPrefix  = "runs/"
	fleetPrefix = "fleet/"
)

// FolderKey is the prefix of the run's folder in the bucket, with a final slash.
func FolderKey(run string) string { return runsPrefix + run + "/" }

// RunKey is the key of a run's description, as JSON.
func RunKey(run string) string { return fleetPrefix + run + "/run.json" }

// ListKey is the key of a run's list of sites.
func ListKey(run string) string { return fleetPrefix + run + "/list.txt" }

// InputKey is the key of a file that a run's settings refer to.
func InputKey(run, name string) string { return fleetPrefix + run + "/input/" + name }

// SiteKey is the key of a site's result, by the site's name. It is written after all other objects of the
// site: if it exists, the site is done.
func SiteKey(run, name string) string { return siteKey(run, hashOf(name)) }

func siteKey(run string, name hash) string { return fleetPrefix + run + "/site/" + name.file() }

// tryKey is the key of the record of a site's tries that were given back.
func tryKey(run, name string) string { return fleetPrefix + run + "/try/" + hashed(name) }

func hashed(name string) string { return hashOf(name).file() }

// hash identifies a site's name in a key.
type hash [16]byte

func hashOf(name string) hash {
	sum := sha256.Sum256([]byte(name))
	return hash(sum[:16])
}

func (h hash) file() string {
	text := hex.EncodeToString(h[:])
	return text[:2] + "/" + text + ".json"
}
