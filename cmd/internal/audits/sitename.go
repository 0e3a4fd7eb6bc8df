package audits

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"robots-audit/audit"
	"robots-audit/cmd/internal/cli"
	"robots-audit/engine/wording"
)

// fileEndings are usual extensions of lists. None of them is a top-level domain, so a name with one
// is a missing file.
var fileEndings = []string{".txt", ".csv", ".tsv", ".xlsx", ".xls", ".ods", ".list", ".lst", ".json", ".jsonl", ".xml", ".html", ".gz", ".toml", ".log", ".yaml"}

// LooksLikeSite reports whether an argument names a site, and neither a command nor a file. Sites
// are hosts with a dot, addresses, localhost, and names with a scheme or port.
func LooksLikeSite(arg string) bool {
	d, why := audit.ParseDomain(arg)
	if why != "" || strings.HasPrefix(arg, "-") {
		return false
	}
	if d.Scheme != "" || d.Port != "" || strings.HasPrefix(d.Host, "[") || d.Host == "localhost" {
		return true
	}
	if info, err := os.Stat(arg); err == nil && !info.IsDir() {
		return false
	}
	return strings.Contains(d.Host, ".") && !slices.Contains(fileEndings, path.Ext(strings.TrimRight(arg, "/")))
}

// TellPath says that the path of a site that a flag or an argument names is not used.
func TellPath(w io.Writer, name, flag, doing string) {
	if d, _ := audit.ParseDomain(name); d.Path != "" {
		cli.Complain(w, "%s%s: %s the whole site %s, not only this path", flag, cli.Named(name), doing, d.Name)
	}
}

// SiteArgument explains why an argument names no site, and what to do.
func SiteArgument(arg string) error {
	if info, err := os.Stat(arg); err == nil && !info.IsDir() {
		return fmt.Errorf("%q is a file, not a command. To audit the sites in it: robots-audit -domains %[1]q", arg)
	}
	d, why := audit.ParseDomain(arg)
	switch {
	case why != "":
		return fmt.Errorf("%q is not a site: %s", arg, why)
	case slices.Contains(fileEndings, path.Ext(d.Host)):
		return fmt.Errorf("%q: no such file. Name a list of sites with -domains, and a host of this name as https://%s", arg, d.Host)
	}
	return fmt.Errorf("%q is not a command, a flag or a site. A host of a single word needs its scheme: https://%s", arg, d.Host)
}

// ListError explains why a list of sites cannot be opened, and what to do if a site was intended.
func ListError(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) && LooksLikeSite(name) {
		return fmt.Errorf("-domains %s: no such file. To audit the site of this name: robots-audit %[1]s", name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("-domains %s: no such file. Expected a text file with one host per line", name)
	}
	return fmt.Errorf("-domains: the list of sites: %w", err)
}

// notLists are the first bytes of files that users mistake for a list of sites.
var notLists = []struct{ begin, what string }{
	{"\xff\xfe", "this file is in UTF-16. Save it as UTF-8"},
	{"\xfe\xff", "this file is in UTF-16. Save it as UTF-8"},
	{"PK\x03\x04", "this is a workbook or a ZIP archive. Save the column of sites as text, with one host per line"},
	{"\xd0\xcf\x11\xe0", "this is an old workbook or document. Save the column of sites as text, with one host per line"},
	{"\x1f\x8b", "this file is compressed. Unpack it first: gunzip -c FILE | robots-audit -domains -"},
	{"%PDF", "this is a PDF file. Expected a text file with one host per line"},
}

// listRead counts what was read of a list of sites.
type listRead struct {
	in    io.Reader
	bytes atomic.Int64
	lines atomic.Int64 // complete lines; NewStoppable reads ahead of add
	table bool         // its lines are the rows of a table

	sites, bad int64
	why        error        // the first error of bad
	paths      int64        // sites with a path
	path       audit.Domain // the first of them
}

// Read reads and counts.
func (l *listRead) Read(p []byte) (int, error) {
	n, err := l.in.Read(p)
	l.bytes.Add(int64(n))
	l.lines.Add(int64(bytes.Count(p[:n], []byte("\n"))))
	return n, err
}

// has reports whether a line is in the list, and not after it.
func (l *listRead) has(line int) bool { return int64(line) <= l.lines.Load()+1 }

// add counts an entry of the list.
func (l *listRead) add(d audit.Domain, err error) {
	var bad *audit.ListError
	switch {
	case errors.As(err, &bad) && !l.has(bad.Line), err == nil && !l.has(d.Line):
	case err != nil:
		l.bad++
		l.why = cmp.Or(l.why, err)
	default:
		if l.sites++; d.Path != "" {
			if l.paths++; l.paths == 1 {
				l.path = d
			}
		}
	}
}

// noSite explains why a list names no site; nil = it names one.
func (l *listRead) noSite(name string) error {
	why := wording.Verb(max(l.lines.Load(), 1), "its only line is", "its "+wording.Thousands(l.lines.Load())+" lines are") + " blank or a comment, which begins with #"
	switch {
	case l.sites > 0:
		return nil
	case l.bad > 0:
		why = l.why.Error()
		why = wording.Verb(l.bad, "its only entry is not one", "none of its "+wording.Thousands(l.bad)+" entries is one") + ". " + strings.ToUpper(why[:1]) + why[1:]
	case l.bytes.Load() == 0 && l.table:
		why = "no row of its table has a site"
	case l.bytes.Load() == 0:
		why = emptyList
	}
	return fmt.Errorf("-domains %s: the list names no site: %s", name, why)
}

// emptyList explains why a list without a line names no site.
const emptyList = "it is empty. Write one host per line"

// tellPaths says that paths of sites are not used, once for the list.
func (l *listRead) tellPaths(w io.Writer, name string) {
	if l.paths > 0 {
		cli.Complain(w, "-domains %s: %s %s a path, such as %s. The whole %s audited, not only the path", name, wording.Plural(l.paths, "site"),
			wording.Verb(l.paths, "has", "have"), cli.Named(l.path.Name+"/"+l.path.Path), wording.Verb(l.paths, "site is", "sites are"))
	}
}

// OpenList opens a list of sites; if it is none, what describes the file.
func OpenList(in io.Reader) (list *bufio.Reader, what string) {
	list = bufio.NewReader(in)
	_, err := list.Peek(4) // reading the first line returns the error again
	begin, _ := list.Peek(list.Buffered())
	if err == io.EOF && len(begin) == 0 {
		return nil, "the list names no site: " + emptyList
	}
	for _, n := range notLists {
		if bytes.HasPrefix(begin, []byte(n.begin)) {
			return nil, n.what
		}
	}
	if file, ok := in.(*os.File); ok && bytes.IndexByte(begin, 0) >= 0 {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			return nil, "this is not a text file. Expected one host per line"
		}
	}
	return list, ""
}
