package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"robots-audit/audit/table"
)

// Important has the URLs that matter most to the site's owner, old or new ones.
type Important struct {
	Name string
	urls map[string]bool
}

// maxImportant bounds the URLs of the list.
const maxImportant = 1_000_000

// ReadImportant reads URLs from a list or a table. Paths are on the old host, given as an origin; "" =
// paths are not allowed. Other texts are a *MapError, by line.
func ReadImportant(name string, file []byte, oldHost string, o table.Options) (*Important, error) {
	o.Want = []table.Meaning{table.URL}
	of, err := table.Read(bytes.NewReader(file), o)
	if err != nil {
		return nil, &MapError{Name: name, Problems: []MapProblem{{1, err.Error()}}}
	}
	defer of.Close()
	list := &Important{Name: name, urls: map[string]bool{}}
	wrong := MapError{Name: name}
	t := of.Table()
	for row, err := range t.Rows() {
		if refused := (*table.RowError)(nil); errors.As(err, &refused) {
			wrong.add(refused.Line, refused.Why)
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		url, problem := resolve("old", table.CleanURL(row.Cell(max(t.Column(table.URL), 0))), oldHost)
		switch {
		case problem != "":
			wrong.add(row.Line, problem)
		case len(list.urls) >= maxImportant:
			return nil, fmt.Errorf("%s:%d: too many URLs, at most %d", name, row.Line, maxImportant)
		default:
			list.urls[url] = true
		}
	}
	if len(wrong.Problems) == 0 && len(list.urls) == 0 {
		wrong.add(1, "the file has no URL. Write one per line")
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
