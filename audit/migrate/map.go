package migrate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"os"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/table"
	"robots-audit/crawl"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// Pair is a line of the map.
type Pair struct {
	Line     int    // 1-based line of the file
	Old, New string // absolute, as a crawler requests them
	Clicks   int64  // of the old URL; 0 = not given
}

// Map is a valid map of old URLs to new ones. Pairs reads the file again, so that the pairs
// themselves take no memory.
type Map struct {
	Name      string
	SHA256    string // of the file, hexadecimal
	Len       int64  // pairs
	HasClicks bool   // it has a column clicks
	Took      string // what was taken as what

	options          table.Options
	oldHost, newHost string // origins for URLs that are only paths
	oldOrigins       []string
	newOrigins       []string // of the new URLs, in their order
	seed             maphash.Seed
	targets          map[uint64]int32 // number of old URLs for a new one; only new URLs with several
	busiest          string           // the host with the most URLs
	most             int64            // its URLs
}

// maxOrigins bounds the hosts of one map.
const maxOrigins = 1024

// Origin reads a host, or an origin, from a flag: "shop.example" is "https://shop.example". The
// error says why it is invalid.
func Origin(host string) (string, error) {
	d, why := audit.ParseDomain(host)
	switch {
	case why != "":
		return "", errors.New(why)
	case d.Scheme == "ftp":
		return "", errors.New("only http and https URLs can be tested")
	case d.Credentials != nil:
		return "", errors.New("remove the user name and password")
	case d.Scheme == "":
		d.Scheme = "https"
	}
	return d.Origin(d.Scheme), nil
}

// ReadMap reads a map from a table with the columns old, new and optionally clicks. They are in this
// order, or as their titles say: those of usual redirect plugins are known. URLs are absolute, or paths on oldHost and
// newHost, which are origins; "" = paths are not allowed. An invalid map is a *MapError, which
// lists every faulty line.
func ReadMap(name, oldHost, newHost string, o table.Options) (*Map, error) {
	o.Table, o.Want = true, []table.Meaning{table.Old, table.New, table.Clicks}
	m := &Map{Name: name, options: o, oldHost: oldHost, newHost: newHost, seed: maphash.MakeSeed(), targets: map[uint64]int32{}}
	check := newMapCheck(m)
	sum, err := m.read(func(p Pair, problem string) bool {
		if problem != "" {
			check.wrong.add(p.Line, problem)
			return true
		}
		check.add(&p)
		return true
	})
	if err != nil {
		return nil, err
	}
	m.SHA256 = sum
	return m, check.end()
}

// Pairs reads the map again and yields its pairs, in their order. An error means that it cannot be
// read, or that the file has changed.
func (m *Map) Pairs() iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		left := false
		sum, err := m.read(func(p Pair, problem string) bool {
			if problem != "" {
				return true // the checksum will differ
			}
			left = !yield(p, nil)
			return !left
		})
		switch {
		case left:
		case err != nil:
			yield(Pair{}, err)
		case sum != m.SHA256:
			yield(Pair{}, fmt.Errorf("%s: the file was changed while it was read", m.Name))
		}
	}
}

// NewOrigins returns the origins of the new URLs, in the order of the map.
func (m *Map) NewOrigins() []string { return m.newOrigins }

// Busiest returns the host with the most URLs of the map, old and new, and their number. A host
// gets one request at a time, so these determine the duration of a check.
func (m *Map) Busiest() (host string, urls int64) { return m.busiest, m.most }

// Sources returns the number of old URLs that lead to a new one.
func (m *Map) Sources(url string) int {
	return max(1, int(m.targets[maphash.String(m.seed, url)]))
}

// read reads the file, pair by pair, and returns its checksum if it reached the end.
func (m *Map) read(yield func(p Pair, problem string) bool) (sum string, err error) {
	if info, err := os.Stat(m.Name); err != nil {
		return "", err
	} else if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s: the map is read twice, so it must be a file", m.Name)
	}
	file, err := table.Open(m.Name, m.options)
	if err != nil {
		return "", &MapError{Name: m.Name, Problems: []MapProblem{{1, err.Error()}}}
	}
	defer file.Close()
	t := file.Table()
	columns, problem := columnsOf(t)
	if problem != "" {
		return "", &MapError{Name: m.Name, Problems: []MapProblem{{max(t.TitleLine, 1), problem}}}
	}
	m.HasClicks, m.Took = columns.clicks >= 0, columns.took(t)
	for row, err := range t.Rows() {
		p, problem := Pair{}, ""
		if refused := (*table.RowError)(nil); errors.As(err, &refused) {
			row.Line, problem = refused.Line, refused.Why
		} else if err != nil {
			return "", fmt.Errorf("%s: %w", m.Name, err)
		} else {
			p, problem = m.pair(row, columns)
		}
		p.Line = row.Line
		if !yield(p, problem) {
			return "", nil
		}
	}
	return checksum(m.Name)
}

// checksum returns the SHA-256 of a file, hexadecimal.
func checksum(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, f)
	return hex.EncodeToString(hash.Sum(nil)), err
}

// columns are the 0-based numbers of the columns; -1 = there is none.
type columns struct{ old, new, clicks, regex int }

// columnsOf finds the columns by their titles. Without titles they are the first ones. problem says
// which are missing.
func columnsOf(t *table.Table) (c columns, problem string) {
	c = columns{t.Column(table.Old), t.Column(table.New), t.Column(table.Clicks), t.Column(table.Regex)}
	if c.old < 0 && c.new >= 0 {
		c.old = t.Column(table.URL)
	}
	switch {
	case c.old >= 0 && c.new >= 0 && c.old != c.new:
		return c, ""
	case t.Width() < 2:
		if t.Width() == 0 {
			return columns{0, 1, -1, -1}, "" // the error is that there are no pairs
		}
		return c, "only one column. Write old,new[,clicks] on each line"
	case t.Titles == nil:
		if c.clicks < 0 && t.Width() > 2 && t.IsNumber(2) {
			c.clicks = 2
		}
		return columns{0, 1, c.clicks, -1}, ""
	case c.old >= 0:
		return c, "the column new is missing. Write old,new[,clicks]" + nameColumn("new")
	case c.new >= 0:
		return c, "the column old is missing. Write old,new[,clicks]" + nameColumn("old")
	}
	return c, fmt.Sprintf("the columns old and new are missing. The titles are %q%s", escape.Cut(strings.Join(t.Titles, ","), 100), nameColumn("old"))
}

func nameColumn(name string) string { return ", or name the column, as in -column " + name + "=A" }

// took says which columns were taken.
func (c columns) took(t *table.Table) string {
	text := "old URLs from " + t.ColumnName(c.old) + ", new ones from " + t.ColumnName(c.new)
	if c.clicks >= 0 {
		text += ", clicks from " + t.ColumnName(c.clicks)
	}
	if t.Encoding != "" && t.Encoding != "UTF-8" {
		text += "; in " + t.Encoding
	}
	return text
}

// pair reads a row.
func (m *Map) pair(row table.Row, c columns) (p Pair, problem string) {
	if len(row.Cells) <= max(c.old, c.new) {
		return p, fmt.Sprintf("%s, but old and new are needed", wording.Plural(len(row.Cells), "column"))
	}
	if is := strings.ToLower(row.Cell(c.regex)); is != "" && !slices.Contains([]string{"0", "false", "no", "plain", "exact", "url"}, is) {
		return p, fmt.Sprintf("%q is a pattern, not a URL. Remove the row, or write the URLs that it stands for", escape.Cut(row.Cell(c.old), 100))
	}
	if p.Old, problem = resolve("old", table.CleanURL(row.Cell(c.old)), m.oldHost); problem != "" {
		return p, problem
	}
	if p.New, problem = resolve("new", table.CleanURL(row.Cell(c.new)), m.newHost); problem != "" {
		return p, problem
	}
	if text := row.Cell(c.clicks); text != "" {
		n, ok := table.Number(text)
		if !ok {
			return p, fmt.Sprintf("clicks: %q is not a whole number", escape.Cut(text, 40))
		}
		p.Clicks = n
	}
	return p, ""
}

// resolve reads a URL of the map, or resolves a path on an origin.
func resolve(column, text, origin string) (url, problem string) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return "", column + ": the cell is empty"
	case strings.HasPrefix(text, "/"):
		if origin == "" {
			return "", fmt.Sprintf("%s: %q is a path. Name its host with -%s-host", column, escape.Cut(text, 100), column)
		}
		text = origin + text
	}
	url, err := crawl.ResolveURL(text)
	if err != nil {
		return "", fmt.Sprintf("%s: %q: %v", column, escape.Cut(audit.HideCredentials(text), 100), err)
	}
	return url, ""
}
