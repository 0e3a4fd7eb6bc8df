package serve

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
)

// askable are the requests with a body that Ask passes on. They compute, and save nothing.
var askable = []string{"try", "lint", "wish", "expect"}

// Ask asks a view for its JSON within the process: by the same views and limits as over HTTP, but without the
// guard, which is about browsers. The path is escaped, below the base path, and may have a query. A body is JSON.
// Nothing that saves can be asked. The caller reads and closes the answer's body, and its context ends all work.
func (d *Desk) Ask(ctx context.Context, path string, body []byte) (*http.Response, error) {
	method := http.MethodGet
	if body != nil {
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://localhost"+d.o.link(path), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if r.Header.Set("Accept", "application/json"); body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if _, pattern := d.mux.Handler(r); body != nil && !slices.ContainsFunc(askable, func(name string) bool {
		return pattern == "POST "+d.o.link("/runs/{run}/sites/{site}/"+name)
	}) {
		return nil, fmt.Errorf("serve: %s saves something, or does not exist", path)
	}
	from, to := io.Pipe()
	a := &passing{header: http.Header{}, to: to, begun: make(chan int, 1)}
	stop := context.AfterFunc(ctx, func() { to.CloseWithError(ctx.Err()) })
	d.jobs.Go(func() {
		defer stop()
		defer func() {
			if fault := recover(); fault != nil {
				to.CloseWithError(fmt.Errorf("an error in this program: %v", fault))
			}
			a.WriteHeader(http.StatusInternalServerError) // if the view has written nothing
			to.Close()
		}()
		d.mux.ServeHTTP(a, r)
	})
	select {
	case status := <-a.begun:
		return &http.Response{StatusCode: status, Header: a.header, Body: from}, nil
	case <-ctx.Done():
		from.Close()
		return nil, ctx.Err()
	}
}

// passing passes an answer on to the caller of Ask while it is written.
type passing struct {
	header http.Header
	to     *io.PipeWriter
	once   sync.Once
	begun  chan int // gets the status
}

func (a *passing) Header() http.Header { return a.header }

func (a *passing) WriteHeader(status int) { a.once.Do(func() { a.begun <- status }) }

func (a *passing) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.to.Write(p)
}

// Folder is the folder of a run, for work that needs all its records.
func (d *Desk) Folder(key string) (string, error) {
	r, err := d.runs.find(key)
	if err != nil {
		return "", err
	}
	return r.dir, nil
}

// Handle adds a handler at a path of the dashboard. The guard protects it like a view.
func (d *Desk) Handle(path string, h http.Handler) { d.mux.Handle(d.o.link(path), h) }

// Temp is the dashboard's own folder for temporary files. Close removes it.
func (d *Desk) Temp() string { return d.made.dir }
