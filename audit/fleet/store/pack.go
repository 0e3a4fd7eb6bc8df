package store

import (
	"bytes"
	"crypto/sha256"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// pack keeps objects in one file that ends with the process. Creating and removing a file for each
// object costs as much as the work for some URLs.
type pack struct {
	file *os.File

	mu      sync.Mutex
	size    int64
	objects map[[16]byte]span // by the hash of the key: some 50 bytes per object
}

// span is the place of an object in the file.
type span struct {
	at     int64
	length int32
}

// newPack makes the file in the folder of incomplete files: if the process is killed, the file is removed
// from there later.
func newPack(root string) (*pack, error) {
	dir := filepath.Join(root, incomplete)
	if err := makeFolders(root, dir, false); err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(dir, "pack-*")
	if err != nil {
		return nil, err
	}
	return &pack{file: file, objects: map[[16]byte]span{}}, nil
}

func hashOf(key string) (hash [16]byte) {
	sum := sha256.Sum256([]byte(key))
	copy(hash[:], sum[:])
	return hash
}

// add adds an object unless it exists: then stored is false.
func (p *pack) add(key string, data []byte) (stored bool, err error) {
	hash := hashOf(key)
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, there := p.objects[hash]; there {
		return false, nil
	}
	if _, err := p.file.WriteAt(data, p.size); err != nil { // the next object overwrites the part that was written
		return false, err
	}
	p.objects[hash] = span{p.size, int32(len(data))}
	p.size += int64(len(data))
	return true, nil
}

// has reports whether an object is there.
func (p *pack) has(key string) bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_, there := p.objects[hashOf(key)]
	return there
}

// open returns an object, nil if there is none.
func (p *pack) open(key string) (io.ReadCloser, error) {
	if p == nil {
		return nil, nil
	}
	p.mu.Lock()
	s, there := p.objects[hashOf(key)]
	p.mu.Unlock()
	if !there {
		return nil, nil
	}
	data := make([]byte, s.length)
	if _, err := p.file.ReadAt(data, s.at); err != nil {
		return nil, err
	}
	return &object{bytes.NewReader(data), io.NopCloser(nil), int64(s.length)}, nil
}

// remove removes an object from the index.
func (p *pack) remove(key string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.objects, hashOf(key))
}

// close removes the file.
func (p *pack) close() error {
	if p == nil {
		return nil
	}
	err := p.file.Close()
	os.Remove(p.file.Name()) // its folder may have been removed
	return err
}
