package crawl

import (
	"context"
	"errors"
	"io"
	"net/http"
)

// pacer delays a request until it may start.
type pacer struct {
	next http.RoundTripper
	pace *pace
}

func (p pacer) RoundTrip(req *http.Request) (*http.Response, error) {
	p.pace.meter.beginWait()
	defer p.pace.endWait(req.Context())
	t, err := p.pace.begin(req.Context(), req.URL)
	if err != nil {
		return nil, err
	}
	name := hostName(req.URL.Hostname())
	resp, err := p.ask(req, t)
	p.pace.answered()
	if err != nil {
		p.pace.abandoned(name, err)
		p.pace.end(name, t)
		return nil, err
	}
	resp.Body = &pacedBody{ReadCloser: resp.Body, pace: p.pace, ctx: req.Context(), name: name, turn: t}
	return resp, nil
}

// ask sends the request as soon as its address allows.
func (p pacer) ask(req *http.Request, t *turn) (*http.Response, error) {
	if t == nil {
		return p.next.RoundTrip(req)
	}
	req = req.WithContext(t.with(req.Context()))
	for n := 1; ; n++ {
		resp, err := p.next.RoundTrip(req)
		if err == nil {
			p.pace.remember(req.URL.Hostname(), t)
			return resp, nil
		}
		switch again, trouble := p.pace.again(req.Context(), t, n); {
		case trouble != nil:
			return nil, trouble
		case !again:
			return nil, err
		}
	}
}

// pacedBody holds its host while it is read.
type pacedBody struct {
	io.ReadCloser
	pace *pace
	ctx  context.Context
	name string
	turn *turn
	over bool
}

func (b *pacedBody) Read(p []byte) (int, error) {
	b.pace.meter.beginWait()
	defer b.pace.endWait(b.ctx)
	if !b.over {
		if err := b.acquireHost(); err != nil {
			return 0, err
		}
		if !b.pace.closed {
			b.turn.readOn()
		}
	}
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		if !errors.Is(err, io.EOF) && !b.over {
			b.pace.abandoned(b.name, err)
		}
		b.end()
	}
	return n, err
}

// acquireHost acquires the host again if the site has left it.
func (b *pacedBody) acquireHost() error {
	if b.pace.closed || b.pace.host != nil && b.pace.host.name == b.name {
		return nil
	}
	waiting := countdownOf(b.ctx)
	waiting.pause()
	defer waiting.resume()
	b.pace.leaveAddresses()
	if err := b.pace.acquireHost(b.ctx, b.name); err != nil {
		b.end()
		return classify(b.ctx, err, phaseBody)
	}
	return nil
}

func (b *pacedBody) Close() error {
	err := b.ReadCloser.Close()
	if !b.over {
		b.pace.abandoned(b.name, nil)
	}
	b.end()
	return err
}

func (b *pacedBody) end() {
	if !b.over && !b.pace.closed {
		b.pace.end(b.name, b.turn)
	}
	b.over = true
}
