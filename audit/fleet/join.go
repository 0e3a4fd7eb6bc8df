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

// submission identifies a run's content. Two runs with the same submission would request all sites twice
// for the same result.
type submission struct {
	Region   string            `json:"region"`
	Version  string            `json:"version"` // see line
	Settings map[string]string `json:"settings"`
	Files    map[string]string `json:"files"` // checksums of the list (key "") and of the inputs
}

// submissionKey is the key of the id of the last run with this list and these settings.
func submissionKey(of string) string { return fleetPrefix + "submission-" + of + ".json" }

// idOf returns the id of an unfinished run with the same list and settings, or a new id. The id is stored
// before anything of the run, so that the next submitter finds it.
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
	text, err := json.Marshal(s) // sorted by key
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

// maxID limits the length of an id.
const maxID = 64

// over reports whether a run has ended. The folder of a merged run stays, whatever else is removed.
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
