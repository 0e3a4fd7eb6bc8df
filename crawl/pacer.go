package crawl

import (
	"context"
	"errors"
	"io"
	"net/http"
)

// pacer holds a request back until its time has come.
type pacer struct {
	next http.RoundTripper
	pace *pace
}

func (p pacer) RoundTrip(req *http.Request) (*http.Response, error) {
	p.pace.patience.wait()
	defer p.pace.resume(req.Context())
	if err := p.pace.begin(req.Context(), req.URL); err != nil {
		return nil, err
	}
	name := hostName(req.URL.Hostname())
	resp, err := p.next.RoundTrip(req)
	p.pace.answered()
	if err != nil {
		p.pace.brokenOff(name, err)
		p.pace.end(name)
		return nil, err
	}
	resp.Body = &pacedBody{ReadCloser: resp.Body, pace: p.pace, ctx: req.Context(), name: name}
	return resp, nil
}

// pacedBody has the turn of its host while it is read.
type pacedBody struct {
	io.ReadCloser
	pace *pace
	ctx  context.Context
	name string
	over bool
}

func (b *pacedBody) Read(p []byte) (int, error) {
	b.pace.patience.wait()
	defer b.pace.resume(b.ctx)
	if !b.over {
		if err := b.turn(); err != nil {
			return 0, err
		}
	}
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		if !errors.Is(err, io.EOF) && !b.over {
			b.pace.brokenOff(b.name, err)
		}
		b.end()
	}
	return n, err
}

// turn takes the turn back if the site went elsewhere meanwhile.
func (b *pacedBody) turn() error {
	if b.pace.closed || b.pace.at != nil && b.pace.at.name == b.name {
		return nil
	}
	waiting := clockOf(b.ctx)
	waiting.pause()
	defer waiting.resume()
	if err := b.pace.move(b.ctx, b.name); err != nil {
		b.end()
		return classify(b.ctx, err, phaseBody)
	}
	return nil
}

func (b *pacedBody) Close() error {
	err := b.ReadCloser.Close()
	if !b.over {
		b.pace.brokenOff(b.name, nil)
	}
	b.end()
	return err
}

func (b *pacedBody) end() {
	if !b.over && !b.pace.closed {
		b.pace.end(b.name)
	}
	b.over = true
}
