package configfile

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"robots-audit/audit/watch/schedule"
	"robots-audit/engine/wording"
)

// reader collects the problems of a file.
type reader struct {
	file, folder string
	lines        Lines
	environ      func(string) (string, bool)
	problems     []problem
}

type problem struct {
	line int
	err  error
}

// err joins the problems in the order of their lines; nil = none.
func (r *reader) err() error {
	slices.SortStableFunc(r.problems, func(a, b problem) int { return cmp.Compare(a.line, b.line) })
	var errs []error
	for _, p := range r.problems {
		errs = append(errs, fmt.Errorf("%s:%d: %w", r.file, p.line, p.err))
	}
	return errors.Join(errs...)
}

// table is one table of the file. Its methods remove and return values by key. A missing key gives
// a zero value or a default; a wrong type is a problem.
type table struct {
	*reader
	where  string // "alerts.mail[1]": the second [[alerts.mail]]
	values map[string]any
	before int // number of problems when its reading began
}

func (t table) has(key string) bool { return t.values[key] != nil }

// wrong adds a problem of a key; "" is the whole table.
func (t table) wrong(key, form string, args ...any) {
	at := t.where
	if key != "" {
		at = strings.TrimPrefix(at+"."+key, ".")
	}
	t.problems = append(t.problems, problem{t.lines.Of(at), fmt.Errorf(form, args...)})
}

// needs adds a problem if a key is missing.
func (t table) needs(key string) {
	if !t.has(key) {
		t.wrong("", "%s is missing", key)
	}
}

// get removes and returns a value of one kind. ok is false if it is missing or has another kind; then an
// error names the wanted kind.
func get[T any](t table, key, want string) (v T, ok bool) {
	value, there := t.values[key]
	if v, ok = value.(T); there && !ok {
		t.wrong(key, "%s = %v: expected %s", key, short(value), want)
	}
	return v, ok
}

// short is a value for a message. Lists and tables are not quoted, since they may contain a secret
// such as the URL of a webhook.
func short(value any) string {
	switch value.(type) {
	case []any, []map[string]any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	text := strconv.Quote(fmt.Sprint(value))
	if len(text) > 60 {
		text = text[:57] + `…"`
	}
	return text
}

func (t table) text(key string) string {
	v, ok := get[string](t, key, "text in quotation marks")
	if ok && v == "" {
		t.wrong(key, "%s is empty. Remove it, or give it a value", key)
	}
	return v
}

// texts reads a list of texts; a single text is a list of one.
func (t table) texts(key string) (list []string) {
	if v, ok := t.values[key].(string); ok {
		return []string{v}
	}
	values, _ := get[[]any](t, key, `a list such as ["a", "b"]`)
	for _, v := range values {
		text, ok := v.(string)
		if !ok || strings.TrimSpace(text) == "" {
			t.wrong(key, "%s contains %v: expected texts in quotation marks", key, short(v))
			continue
		}
		list = append(list, text)
	}
	if values != nil && len(values) == 0 {
		t.wrong(key, "%s is empty. Remove it, or add a value", key)
	}
	return list
}

// one reads one of several allowed words.
func (t table) one(key, otherwise string, words ...string) string {
	v := t.text(key)
	if v == "" || slices.Contains(words, v) {
		return cmp.Or(v, otherwise)
	}
	last := len(words) - 1
	rest := fmt.Sprintf(": expected %s or %s", strings.Join(words[:last], ", "), words[last])
	if meant := wording.Nearest(v, words); meant != "" {
		rest = ". Did you mean " + meant + "?"
	}
	t.wrong(key, "%s = %q%s", key, v, rest)
	return otherwise
}

func (t table) boolean(key string, otherwise bool) bool {
	if v, ok := get[bool](t, key, "true or false"); ok {
		return v
	}
	return otherwise
}

func (t table) integer(key string, from, to, otherwise int64) int64 {
	v, ok := get[int64](t, key, "a whole number")
	if !ok {
		return otherwise
	}
	if v < from || v > to {
		t.wrong(key, "%s = %d: expected %s to %s", key, v, wording.Thousands(from), wording.Thousands(to))
	}
	return v
}

func (t table) number(key string, from, to, otherwise float64) float64 {
	v, ok := t.values[key].(float64)
	if !ok {
		if t.values[key] == nil {
			return otherwise
		}
		n, whole := get[int64](t, key, "a number")
		if !whole {
			return otherwise
		}
		v = float64(n)
	}
	if !(v >= from && v <= to) {
		t.wrong(key, "%s = %v: expected %v to %v", key, v, from, to)
	}
	return v
}

func (t table) duration(key string, from, to, otherwise time.Duration) time.Duration {
	const want = `a time in quotation marks, such as "90s", "5m" or "1h30m"`
	text, ok := get[string](t, key, want)
	if !ok {
		return otherwise
	}
	v, err := time.ParseDuration(text)
	switch {
	case err != nil:
		t.wrong(key, "%s = %q: expected %s", key, text, want)
	case v < from || v > to:
		t.wrong(key, "%s = %q: expected %v to %v", key, text, from, to)
	}
	return v
}

// nameForm is the form of names, which are used in file names, metrics and headers.
var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$`)

func (t table) name(key string) string {
	v := t.text(key)
	if v != "" && !nameForm.MatchString(v) {
		t.wrong(key, `%s = %s: expected at most 64 letters, digits, spaces and . _ -, with a letter or digit first`, key, short(v))
	}
	return v
}

// path reads the name of a file or folder, relative to the folder of the configuration.
func (t table) path(key string) string {
	v := t.text(key)
	if v == "" || filepath.IsAbs(v) {
		return v
	}
	return filepath.Join(t.folder, v)
}

// file is path for a file that must exist.
func (t table) file(key string) string {
	name := t.path(key)
	if name == "" {
		return ""
	}
	switch info, err := os.Stat(name); {
	case err != nil:
		t.wrong(key, "%s: %w", key, err)
	case info.IsDir():
		t.wrong(key, "%s: %s is a folder. Name a file", key, name)
	}
	return name
}

// address checks that a text is host and port.
func (t table) address(key, text string) {
	_, port, err := net.SplitHostPort(text)
	if n, bad := strconv.Atoi(port); err != nil || bad != nil || n < 0 || n > 65535 {
		t.wrong(key, "%s = %q: expected host and port, such as 127.0.0.1:7071", key, text)
	}
}

var (
	// baseHost is a host of a URL that no reader of a message takes for markup.
	baseHost = regexp.MustCompile(`^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?$`)
	// notBase is in the path of no folder: an empty part, a part . or .., an encoded slash, or a page.
	notBase = regexp.MustCompile(`(?i)//|/\.\.?(/|$)|%2f|%5c|\.html?/?$`)
)

// maxBase bounds a base URL, since chats bound the length of links.
const maxBase = 500

// base reads a URL to which the paths of files are added. It returns it with a final slash.
func (t table) base(key string) string {
	text := t.text(key)
	if text == "" {
		return ""
	}
	u, err := url.Parse(text)
	switch {
	case strings.Contains(text, "@"): // perhaps a password, which is not shown
		t.wrong(key, "%s has an @. Remove the user and the password: messages would show them", key)
	case strings.ContainsAny(text, "?#"):
		t.wrong(key, "%s = %s: remove everything from ? or # on, since the paths of pages are added to it", key, short(text))
	case err != nil, u.Scheme != "https" && u.Scheme != "http", !baseHost.MatchString(u.Host), notBase.MatchString(u.EscapedPath()), len(text) > maxBase:
		t.wrong(key, `%s = %s: expected the address of the dashboard or of the published folder, such as "https://audit.example/"`, key, short(text))
	default:
		return u.Scheme + "://" + u.Host + strings.TrimSuffix((&url.URL{Path: u.Path}).EscapedPath(), "/") + "/"
	}
	return ""
}

func (t table) cron() schedule.Cron {
	t.needs("cron")
	return t.cronAt("cron", t.zone())
}

// zone reads the time zone of the table's times; "" = UTC, or it is wrong.
func (t table) zone() string {
	zone := t.text("timezone")
	if _, err := schedule.ParseCron("@daily", zone); err != nil {
		t.wrong("timezone", "timezone: %v", err)
		return ""
	}
	return zone
}

// cronAt reads a cron expression; zero if it is missing.
func (t table) cronAt(key, zone string) schedule.Cron {
	expression := t.text(key)
	if expression == "" {
		return schedule.Cron{}
	}
	c, err := schedule.ParseCron(expression, zone)
	if err != nil {
		t.wrong(key, "%v", err)
	}
	return c
}

// table returns the table at a key, empty if missing, and reports unknown keys in it.
func (t table) table(key string, known ...string) table {
	values, _ := get[map[string]any](t, key, fmt.Sprintf("a table, [%s]", strings.TrimPrefix(t.where+"."+key, ".")))
	return t.sub(strings.TrimPrefix(t.where+"."+key, "."), key, values, known)
}

// tables is table for an array of tables, [[key]].
func (t table) tables(key string, known ...string) (list []table) {
	where := strings.TrimPrefix(t.where+"."+key, ".")
	var each []any
	switch v := t.values[key].(type) {
	case nil:
	case []any:
		each = v
	case []map[string]any:
		for _, m := range v {
			each = append(each, m)
		}
	default:
		t.wrong(key, "%s: write [[%s]] with two brackets, because there can be several", key, where)
	}
	for i, v := range each {
		values, ok := v.(map[string]any)
		if !ok {
			t.wrong(key, "%s contains %v: expected tables, [[%s]]", key, short(v), where)
			continue
		}
		list = append(list, t.sub(fmt.Sprintf("%s[%d]", where, i), key, values, known))
	}
	return list
}

// sub returns a table below t, and reports unknown keys in it.
func (t table) sub(where, name string, values map[string]any, known []string) table {
	s := table{t.reader, where, values, len(t.problems)}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if slices.Contains(known, key) {
			continue
		}
		if slices.Contains(known, key+"_file") {
			s.wrong(key, `%s: do not write the secret in this file. Use %[1]s_file = "…", the name of a file, or %[1]s_env = "NAME", an environment variable`, key)
			continue
		}
		rest := ". It has " + wording.And(known)
		if meant := wording.Nearest(key, known); meant != "" {
			rest = ". Did you mean " + meant + "?"
		}
		s.wrong(key, "unknown setting %s in %s%s", short(key), name, rest)
	}
	return s
}
