package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"robots-audit/audit/fleet/store"
)

// submission is what makes two runs the same: a second one would ask all sites again for nothing.
type submission struct {
	Region   string            `json:"region"`
	Version  string            `json:"version"` // see line
	Settings map[string]string `json:"settings"`
	Files    map[string]string `json:"files"` // checksums of the list, which is "", and of the inputs
}

// submissionKey is where the id of the run lies that was submitted last with the same list and settings.
func submissionKey(of string) string { return fleetPrefix + "submission-" + of + ".json" }

// idOf returns the id of a run that was submitted before with the same list and settings, and has not
// ended, or a new one. The id is stored before anything of the run is: whoever comes next finds it.
func (c *Conn) idOf(ctx context.Context, run *Run, list string, inputs map[string]string) (string, error) {
	s := submission{Region: run.Region, Version: line(run.Version), Settings: run.Settings, Files: map[string]string{}}
	files := map[string]string{"": list}
	for name, file := range inputs {
		files[name] = file
	}
	for name, file := range files {
		sum, err := sumOf(file)
		if err != nil {
			return "", err
		}
		s.Files[name] = sum
	}
	text, err := json.Marshal(s) // maps by their keys, in order
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	key := submissionKey(hex.EncodeToString(sum[:16]))
	id := NewID(run.Submitted)
	fresh, err := c.Bucket.PutNew(ctx, key, []byte(id))
	if fresh || err != nil {
		return id, err
	}
	before, err := c.Bucket.Get(ctx, key, maxID)
	if err != nil && !isNotFound(err) && !errors.Is(err, store.ErrTooBig) {
		return "", err
	}
	if ValidID(string(before)) {
		over, err := c.over(ctx, string(before))
		if !over || err != nil {
			return string(before), err
		}
	}
	return id, c.Bucket.PutBytes(ctx, key, []byte(id))
}

// maxID is the length of an id at most.
const maxID = 64

// over reports whether a run has ended. Of one that is merged the folder stays, whatever is removed.
func (c *Conn) over(ctx context.Context, id string) (bool, error) {
	for _, key := range []string{MergedKey(id), FailedKey(id), FolderKey(id) + "run.json"} {
		if there, err := c.Bucket.Exists(ctx, key); there || err != nil {
			return there, err
		}
	}
	return false, nil
}

// sumOf is the checksum of a file.
func sumOf(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
