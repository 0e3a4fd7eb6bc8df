package migrate

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"robots-audit/audit"
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

// ReadMap reads a map from a file: CSV in UTF-8 with the columns old, new and optionally clicks.
// They are in this order, or as named by a header. URLs are absolute, or paths on oldHost and
// newHost, which are origins; "" = paths are not allowed. An invalid map is a *MapError, which
// lists every faulty line.
func ReadMap(name, oldHost, newHost string) (*Map, error) {
	m := &Map{Name: name, oldHost: oldHost, newHost: newHost, seed: maphash.MakeSeed(), targets: map[uint64]int32{}}
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
	f, err := os.Open(m.Name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s: the map is read twice, so it must be a file", m.Name)
	}
	hash := sha256.New()
	in := bufio.NewReaderSize(io.TeeReader(f, hash), 64<<10)
	begin, _ := in.Peek(4)
	if problem := notText(begin); problem != "" {
		return "", &MapError{Name: m.Name, Problems: []MapProblem{{1, problem}}}
	}
	if bytes.HasPrefix(begin, []byte("\uFEFF")) {
		in.Discard(3)
	}
	rows := &rowReader{in: in}
	table := csv.NewReader(rows)
	table.FieldsPerRecord, table.ReuseRecord = -1, true
	columns := columns{old: 0, new: 1, clicks: 2}
	for first := true; ; first = false {
		rows.left, rows.first = maxRow, rows.line+1
		record, err := table.Read()
		var wrong *csv.ParseError
		switch {
		case err == io.EOF:
			return hex.EncodeToString(hash.Sum(nil)), nil
		case errors.As(err, &wrong):
			if !yield(Pair{Line: wrong.StartLine}, "no CSV: "+wrong.Err.Error()) {
				return "", nil
			}
			continue
		case errors.Is(err, errRowTooLong):
			return "", &MapError{Name: m.Name, Problems: []MapProblem{{rows.first, err.Error()}}}
		case err != nil:
			return "", fmt.Errorf("%s: %w", m.Name, err)
		}
		line, _ := table.FieldPos(0)
		if first {
			is, problem := columns.header(record)
			if problem != "" {
				return "", &MapError{Name: m.Name, Problems: []MapProblem{{line, problem}}}
			}
			m.HasClicks = columns.clicks >= 0 && columns.clicks < len(record)
			if is {
				continue
			}
		}
		if len(record) == 1 && strings.TrimSpace(record[0]) == "" {
			continue
		}
		p, problem := m.pair(record, columns)
		p.Line = line
		if !yield(p, problem) {
			return "", nil
		}
	}
}

// notText says what a file is if its first bytes are not UTF-8 text; "" = it may be text.
func notText(begin []byte) string {
	switch {
	case bytes.HasPrefix(begin, []byte("\xFF\xFE")), bytes.HasPrefix(begin, []byte("\xFE\xFF")), bytes.IndexByte(begin, 0) >= 0:
		return "the file is UTF-16 or not text. Save it as CSV in UTF-8"
	case bytes.HasPrefix(begin, []byte("PK\x03\x04")):
		return "the file is a workbook or a ZIP. Save it as CSV in UTF-8"
	}
	return ""
}

// columns are the 0-based numbers of the columns; -1 = there is none.
type columns struct{ old, new, clicks int }

// header reads the first row; false = the row is already a pair. problem says which columns are
// missing.
func (c *columns) header(record []string) (is bool, problem string) {
	var names []string
	for _, field := range record {
		names = append(names, strings.ToLower(strings.TrimSpace(field)))
	}
	if !utf8.ValidString(strings.Join(record, "")) {
		return false, "" // the error is reported as for any other row
	}
	old, target := slices.Index(names, "old"), slices.Index(names, "new")
	switch {
	case old >= 0 && target >= 0:
		*c = columns{old, target, slices.Index(names, "clicks")}
		return true, ""
	case len(record) < 2:
		separator := "a comma"
		if strings.ContainsAny(record[0], ";\t") {
			separator = "a comma, not by a semicolon or a tab"
		}
		return false, "only one column. Write old,new[,clicks], separated by " + separator
	case old >= 0:
		return false, "the column new is missing. Write old,new[,clicks]"
	case target >= 0:
		return false, "the column old is missing. Write old,new[,clicks]"
	case !looksLikeURL(names[0]) && !looksLikeURL(names[1]):
		return false, fmt.Sprintf("the columns old and new are missing. The first row has %q", escape.Cut(strings.Join(record, ","), 100))
	}
	return false, ""
}

func looksLikeURL(field string) bool {
	return strings.HasPrefix(field, "/") || strings.Contains(field, "://")
}

// pair reads a row.
func (m *Map) pair(record []string, c columns) (p Pair, problem string) {
	if !utf8.ValidString(strings.Join(record, "")) {
		return p, "this line is not UTF-8. Save the file as CSV in UTF-8"
	}
	if len(record) <= max(c.old, c.new) {
		return p, fmt.Sprintf("%s, but old and new are needed", wording.Plural(len(record), "column"))
	}
	if p.Old, problem = resolve("old", record[c.old], m.oldHost); problem != "" {
		return p, problem
	}
	if p.New, problem = resolve("new", record[c.new], m.newHost); problem != "" {
		return p, problem
	}
	if c.clicks < 0 || c.clicks >= len(record) {
		return p, ""
	}
	if text := strings.TrimSpace(record[c.clicks]); text != "" {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
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

// maxRow bounds the bytes of a row of the map.
const maxRow = 64 << 10

var errRowTooLong = errors.New("a row of more than 64 KiB. A closing quotation mark may be missing")

// rowReader returns a text line by line, at most one per Read, so that the CSV reader buffers no
// more than a row.
type rowReader struct {
	in    *bufio.Reader
	left  int    // bytes that the row may still take
	line  int    // number of the last line returned, 1-based
	first int    // number of the row's first line
	rest  []byte // of the current line
}

func (r *rowReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		if r.left < 0 {
			return 0, errRowTooLong
		}
		line, err := r.in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return 0, errRowTooLong
		}
		if r.left -= len(line); len(line) == 0 {
			return 0, err
		}
		r.rest = line
		if r.line++; len(bytes.TrimSpace(line)) == 0 && r.first == r.line {
			r.first++ // a blank line before the row
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
