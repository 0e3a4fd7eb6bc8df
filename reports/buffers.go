package reports

import (
	"bufio"
	"io"
	"sync"

	"robots-audit/reports/internal/xlsx"
)

// buffers are the working memory for writing the files of a site: one goroutine
// at a time uses them, for as many sites as it likes.
type buffers struct {
	workbook xlsx.Scratch
	record   []byte        // a record being encoded
	packing  []byte        // a chunk of records being compressed
	page     *bufio.Writer // of a page being made
}

func newBuffers() *buffers {
	return &buffers{page: bufio.NewWriterSize(io.Discard, 64<<10)}
}

// bufferPool has the buffers that nobody uses.
type bufferPool struct {
	mu   sync.Mutex
	free []*buffers
}

// get returns buffers, new ones where none are free: there are as many as
// reports were ever finished at once.
func (p *bufferPool) get() *buffers {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		b := p.free[n-1]
		p.free = p.free[:n-1]
		return b
	}
	return newBuffers()
}

func (p *bufferPool) put(b *buffers) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, b)
}
