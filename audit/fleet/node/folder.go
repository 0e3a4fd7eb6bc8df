package node

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"robots-audit/crawl/errno"
)

// Files of a node's folder, in addition to the server's own.
const (
	lockFile  = "node.lock"
	ownerFile = "node.json"
)

// owner describes the node that a folder belongs to.
type owner struct {
	Name    string `json:"name"`
	Cluster bool   `json:"cluster"` // the streams of a single node are not those of a cluster
}

// room is the free disk space that a node needs to start. With less it would soon stop.
const room = 4 << 20

// claim makes the folder, and locks it against other processes.
func claim(o Options) (*flock.Flock, error) {
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("node %s cannot create its folder: %w", o.Name, err)
	}
	lock := flock.New(filepath.Join(o.Dir, lockFile))
	locked, err := lock.TryLock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("node %s cannot use the folder %s: %w", o.Name, o.Dir, reason(err))
	case !locked:
		return nil, fmt.Errorf("node %s cannot use the folder %s: another node runs there", o.Name, o.Dir)
	}
	if err := errors.Join(o.own(), o.hasRoom()); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return lock, nil
}

// own checks that the folder belongs to this node or to none.
func (o *Options) own() error {
	file := filepath.Join(o.Dir, ownerFile)
	mine := owner{Name: o.Name, Cluster: o.Cluster != ""}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return o.take(file, mine)
	}
	var there owner
	if err == nil {
		err = json.Unmarshal(data, &there)
	}
	switch {
	case err != nil:
		return fmt.Errorf("node %s cannot read the owner of the folder: %s: %w", o.Name, file, reason(err))
	case there.Name != o.Name:
		return fmt.Errorf("node %s: the folder %s belongs to node %q. Each node needs its own", o.Name, o.Dir, there.Name)
	case there.Cluster && !mine.Cluster:
		return fmt.Errorf("node %s: the folder %s belongs to a node of a cluster. Start it with the other nodes' addresses, or use another folder", o.Name, o.Dir)
	case !there.Cluster && mine.Cluster:
		return fmt.Errorf("node %s: the folder %s belongs to a single node. A cluster cannot use its queue. Use another folder, and submit unfinished runs again", o.Name, o.Dir)
	}
	return nil
}

// take records this node as the folder's owner. The folder must be empty.
func (o *Options) take(file string, mine owner) error {
	entries, err := os.ReadDir(o.Dir)
	if err != nil {
		return fmt.Errorf("node %s: %w", o.Name, err)
	}
	for _, e := range entries {
		if e.Name() != lockFile {
			return fmt.Errorf("node %s: the folder %s has other files, such as %s. Use a folder of its own", o.Name, o.Dir, e.Name())
		}
	}
	data, err := json.Marshal(mine)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".part", data, 0o600); err != nil {
		return o.noRoom(err)
	}
	return os.Rename(file+".part", file)
}

// hasRoom checks that files can be written.
func (o *Options) hasRoom() error {
	f, err := os.CreateTemp(o.Dir, "room-*.part")
	if err != nil {
		return o.noRoom(err)
	}
	_, err = f.Write(make([]byte, room))
	err = errors.Join(err, f.Sync(), f.Close())
	if err := errors.Join(err, os.Remove(f.Name())); err != nil {
		return o.noRoom(err)
	}
	return nil
}

// noRoom says that the folder cannot be written to.
func (o *Options) noRoom(err error) error {
	if errno.DiskFull(err) {
		return fmt.Errorf("node %s: the disk of %s is full. It needs at least %d MB", o.Name, o.Dir, room>>20)
	}
	return fmt.Errorf("node %s cannot write to %s: %w", o.Name, o.Dir, err)
}
