package migrate

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Important has the URLs that matter most to the site's owner, old or new ones.
type Important struct {
	Name string
	urls map[string]bool
}

// maxImportant bounds the URLs of the list.
const maxImportant = 1_000_000

// ReadImportant reads a list of URLs, one per line; text after the first comma is ignored. Paths
// are on the old host, given as an origin; "" = paths are not allowed. Blank lines, comments (#)
// and a header "url" are skipped. Other texts are a *MapError, by line.
func ReadImportant(name string, r io.Reader, oldHost string) (*Important, error) {
	list := &Important{Name: name, urls: map[string]bool{}}
	wrong := MapError{Name: name}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), maxRow)
	line := 0
	for lines.Scan() {
		line++
		text := strings.TrimPrefix(lines.Text(), "\uFEFF")
		text, _, _ = strings.Cut(text, ",")
		text = strings.Trim(strings.TrimSpace(text), `"`)
		if text == "" || strings.HasPrefix(text, "#") || line == 1 && strings.EqualFold(text, "url") {
			continue
		}
		url, problem := resolve("old", text, oldHost)
		switch {
		case problem != "":
			wrong.add(line, problem)
		case len(list.urls) >= maxImportant:
			return nil, fmt.Errorf("%s:%d: too many URLs, at most %d", name, line, maxImportant)
		default:
			list.urls[url] = true
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, line+1, err)
	}
	if len(wrong.Problems) > 0 {
		return nil, &wrong
	}
	return list, nil
}

// has reports whether one of the two URLs of a pair is on the list.
func (l *Important) has(p *Pair) bool { return l != nil && (l.urls[p.Old] || l.urls[p.New]) }

// Unmapped returns the URLs of the list that are in no pair of the map, sorted.
func (l *Important) Unmapped(m *Map) (list []string, err error) {
	if l == nil {
		return nil, nil
	}
	mapped := map[string]bool{}
	for p, err := range m.Pairs() {
		if err != nil {
			return nil, err
		}
		for _, url := range []string{p.Old, p.New} {
			if l.urls[url] {
				mapped[url] = true
			}
		}
	}
	for url := range l.urls {
		if !mapped[url] {
			list = append(list, url)
		}
	}
	slices.Sort(list)
	return list, nil
}
