package history

import (
	"context"
	"database/sql"
	"sync"
)

// prepared are the statements that are asked for each site of a run: to prepare one takes about
// as long as to run it.
type prepared struct {
	mu   sync.Mutex
	list map[string]*sql.Stmt // by their text
}

// prepare returns a statement that reads, prepared once until the file is closed.
func (db *DB) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	p := &db.reads
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.list[query]; s != nil {
		return s, nil
	}
	s, err := db.read.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	if p.list == nil {
		p.list = map[string]*sql.Stmt{}
	}
	p.list[query] = s
	return s, nil
}

// forget drops the statements of a file that is closed.
func (p *prepared) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.list)
}
