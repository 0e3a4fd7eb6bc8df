package assist

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// patient is a transport that finishes what it was asked. The SDK ends all calls when its input ends, so a script
// that pipes its questions would get no answers.
type patient struct {
	mcp.Transport
	in *input
}

// maxPending limits the calls of a connection that are read and not answered: each may have 16 MB.
const maxPending = 8

func (p *patient) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := p.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{Connection: c, in: p.in, places: make(chan struct{}, maxPending), pending: map[jsonrpc.ID]bool{}, gone: make(chan struct{})}, nil
}

// connection counts the calls that are not answered yet.
type connection struct {
	mcp.Connection
	in       *input
	messages int
	places   chan struct{} // one for each pending call
	once     sync.Once
	gone     chan struct{} // closed if nobody reads the answers

	mu      sync.Mutex
	pending map[jsonrpc.ID]bool
}

// Read waits while too many calls are pending. After the last message it waits until all are answered.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if err != nil {
		for range maxPending {
			c.take(ctx)
		}
		if ctx.Err() == nil {
			err = c.in.wrong(err, c.messages)
		}
		return nil, err
	}
	c.messages++
	if call, ok := m.(*jsonrpc.Request); ok && call.IsCall() && c.take(ctx) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.pending[call.ID] {
			<-c.places // the SDK does not answer a second call with the same ID
		}
		c.pending[call.ID] = true
	}
	return m, nil
}

// take takes a place; false = the connection ends.
func (c *connection) take(ctx context.Context) bool {
	select {
	case c.places <- struct{}{}:
		return true
	case <-c.gone:
	case <-ctx.Done():
	}
	return false
}

// Write frees the place of the call that it answers.
func (c *connection) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if err != nil {
		c.once.Do(func() { close(c.gone) })
	}
	if answer, ok := m.(*jsonrpc.Response); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.pending[answer.ID] {
			delete(c.pending, answer.ID)
			<-c.places
		}
	}
	return err
}
