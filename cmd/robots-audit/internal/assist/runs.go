package assist

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/engine"
)

// maxView limits what is read of a view's JSON, in bytes.
const maxView = 16 << 20

// ask asks a view of the dashboard. The error is the view's sentence if it refuses. The caller closes the body.
func (s *Server) ask(ctx context.Context, path string, query url.Values, body any) (io.ReadCloser, int, error) {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return nil, 0, err
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	r, err := s.o.Desk.Ask(ctx, path, text)
	if err != nil {
		return nil, 0, err
	}
	if r.StatusCode/100 == 2 {
		return r.Body, r.StatusCode, nil
	}
	defer r.Body.Close()
	var trouble struct{ Error string }
	if json.NewDecoder(io.LimitReader(r.Body, maxView)).Decode(&trouble) != nil || trouble.Error == "" {
		trouble.Error = fmt.Sprintf("the dashboard answered with status %d", r.StatusCode)
	}
	return nil, r.StatusCode, errors.New(trouble.Error)
}

// read reads a view's JSON.
func (s *Server) read(ctx context.Context, path string, query url.Values, body, into any) (status int, err error) {
	from, status, err := s.ask(ctx, path, query, body)
	if err != nil {
		return status, err
	}
	defer from.Close()
	return status, decodeView(from, into)
}

// decodeView reads the beginning of a view's JSON. Numbers keep their form.
func decodeView(from io.Reader, into any) error {
	in := json.NewDecoder(io.LimitReader(from, maxView))
	in.UseNumber()
	if err := in.Decode(into); err != nil {
		return fmt.Errorf("the dashboard's answer could not be read: %w", err)
	}
	return nil
}

// runListed is a run in the dashboard's list.
type runListed struct {
	Run      string
	Schedule string
	Started  time.Time
	Finished time.Time
	Gone     bool
	Error    string
}

// runs are the runs that can be read and are complete, newest first.
func (s *Server) runs(ctx context.Context) ([]runListed, error) {
	var list struct{ Runs []runListed }
	if _, err := s.read(ctx, "/", nil, nil, &list); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list.Runs, func(r runListed) bool { return r.Gone || r.Error != "" || r.Finished.IsZero() }), nil
}

// runOr is a run, or the newest one if none is named.
func (s *Server) runOr(ctx context.Context, name string) (string, error) {
	if name != "" {
		return name, nil
	}
	list, err := s.runs(ctx)
	if err == nil && len(list) == 0 {
		err = errors.New("no run is finished. Audit a site first, as in: robots-audit example.com")
	}
	if err != nil {
		return "", err
	}
	return list[0].Run, nil
}

// runPath is the path of a run in the dashboard.
func runPath(run string) string { return "/runs/" + segment(run) }

// sitePath is the path of a site.
func sitePath(run, base string) string { return runPath(run) + "/sites/" + segment(base) }

// segment is one part of a path. Dots alone would lead to other paths, and no run or site has such a name.
func segment(name string) string {
	if strings.Trim(name, ".") == "" {
		name = "?" + name
	}
	return url.PathEscape(name)
}

// siteFacts are the facts about a site in its first records.
type siteFacts struct {
	Site     string
	Crawlers []string
	Origins  []any
}

// site finds a site by its name, its host or a URL of it, and whether or not it begins with www.
func (s *Server) site(ctx context.Context, run, named string) (*siteFacts, error) {
	names := []string{named}
	if at, ok := engine.RobotsURL(named); ok {
		origin := strings.TrimSuffix(at, "/robots.txt")
		names = append(names, origin, audit.HostName(origin))
	} else if d, why := audit.ParseDomain(named); why == "" {
		names = append(names, d.Name, audit.HostName(d.Name))
	}
	host := names[len(names)-1]
	if bare, ok := strings.CutPrefix(host, "www."); ok {
		names = append(names, bare)
	} else {
		names = append(names, "www."+host)
	}
	var first error
	for _, name := range slices.Compact(names) {
		facts := &siteFacts{}
		status, err := s.read(ctx, sitePath(run, name), nil, nil, facts)
		if err == nil {
			return facts, nil
		}
		if first = cmp.Or(first, err); status != http.StatusNotFound {
			return nil, err
		}
	}
	var like struct{ Sites []struct{ Site string } }
	if _, err := s.read(ctx, runPath(run)+"/sites", url.Values{"q": {host}}, nil, &like); err != nil {
		return nil, err
	}
	var found []string
	for _, site := range like.Sites[:min(len(like.Sites), 5)] {
		found = append(found, site.Site)
	}
	if found != nil {
		return nil, fmt.Errorf("%w. Sites with similar names: %s", first, strings.Join(found, ", "))
	}
	return nil, first
}

// oneSite is the site that is named, or the only one of the run.
func (s *Server) oneSite(ctx context.Context, run, named string) (*siteFacts, error) {
	if named != "" {
		return s.site(ctx, run, named)
	}
	var all struct {
		Sites []struct{ Site string }
		Total int
	}
	if _, err := s.read(ctx, runPath(run)+"/sites", nil, nil, &all); err != nil {
		return nil, err
	}
	if all.Total != 1 {
		return nil, fmt.Errorf("the run %s has %d sites. Name one with site", run, all.Total)
	}
	return s.site(ctx, run, all.Sites[0].Site)
}
