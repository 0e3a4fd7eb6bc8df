package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// largestFile limits a file with addresses.
const largestFile = 16 << 20

// readFolder replaces lists by the files of a folder. A file has the name of the published one:
// "gptbot.json". If a list is published as several files and the folder has only some of them, their
// ranges are added to the embedded ones.
func readFolder(folder string, lists []*list) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return unread(folder, err)
	}
	found := map[*list][]*list{}
	parts := map[*list]int{}
	for _, e := range entries {
		base := baseName(e.Name())
		if e.IsDir() || base == "" || base == "license" || base == "readme" {
			continue
		}
		path := filepath.Join(folder, e.Name())
		i := slices.IndexFunc(lists, func(l *list) bool { return slices.Contains(l.parts, base) || slices.Contains(l.also, base) })
		if i < 0 {
			return fmt.Errorf("%s: no published list of address ranges has this name: expected a file named %s", path, fileNames(lists))
		}
		file, err := readRanges(path)
		if err != nil {
			return err
		}
		l := lists[i]
		found[l] = append(found[l], file)
		if parts[l]++; !slices.Contains(l.parts, base) {
			parts[l] += len(l.parts)
		}
	}
	if len(found) == 0 {
		return fmt.Errorf("%s: no file with address ranges: expected files named %s", folder, fileNames(lists))
	}
	for l, files := range found {
		if parts[l] >= len(l.parts) || l.day.IsZero() {
			l.addrs, l.day = nil, files[0].day
		}
		for _, file := range files {
			l.addrs = append(l.addrs, file.addrs...)
			if file.day.Before(l.day) { // the list is as old as its oldest part
				l.day = file.day
			}
		}
		l.addrs.join()
	}
	return nil
}

// unread is the error for a file or folder that cannot be read.
func unread(path string, err error) error {
	if cause := errors.Unwrap(err); cause != nil {
		err = cause // without the name of the call
	}
	return fmt.Errorf("%s: cannot be read: %w", path, err)
}

// fileNames are the names of files that readFolder knows.
func fileNames(lists []*list) string {
	var names []string
	for _, l := range lists {
		if len(l.parts) > 1 {
			names = append(names, l.parts...)
		} else {
			names = append(names, l.name)
		}
	}
	slices.Sort(names)
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// readRanges reads a file with ranges of addresses: JSON as operators publish it, or text with one
// range a line.
func readRanges(path string) (*list, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, unread(path, err)
	}
	if info.Size() > largestFile {
		return nil, fmt.Errorf("%s: larger than %d MiB: expected a list of address ranges", path, largestFile>>20)
	}
	body, err := os.ReadFile(path)
	if err != nil {
		return nil, unread(path, err)
	}
	l := &list{}
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\uFEFF")))
	if len(body) > 0 && (body[0] == '{' || body[0] == '[') {
		err = l.readJSON(body)
	} else {
		err = l.readText(string(body))
	}
	if err == nil && len(l.addrs) == 0 {
		err = errors.New("no address range: expected JSON as the operator publishes it, or text with one range per line")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if l.day.IsZero() { // a file without a date is as old as the file
		l.day = info.ModTime().UTC().Truncate(24 * time.Hour)
	}
	return l, nil
}

// readText reads one range a line. A comment begins with "#", and what follows a comma is ignored.
// A comment that is only a day is the day of the list: "# 2026-05-05".
func (l *list) readText(text string) error {
	n := 0
	for line := range strings.Lines(text) {
		n++
		s, comment, _ := strings.Cut(line, "#")
		if day, err := time.Parse(time.DateOnly, strings.TrimSpace(comment)); err == nil {
			l.day = day
		}
		s, _, _ = strings.Cut(s, ",")
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		if err := l.insert(s); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return nil
}

// rangeKeys are the keys of ranges in published files, creationTime that of their date. A list
// without objects has no key.
var rangeKeys = []string{"ipv4Prefix", "ipv6Prefix", "ip_prefix", "ipv6_prefix", "ip_address", "ip", ""}

const creationTime = "creationTime"

// readJSON reads the ranges of all objects, at any depth. Operators publish
// {"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}, {"ips": [{"ip_address": "192.0.2.1"}]} and similar.
func (l *list) readJSON(body []byte) error {
	var document any
	if json.Unmarshal(body, &document) != nil {
		return errors.New("not valid JSON. Download the file again")
	}
	return l.take("", document)
}

// take adds the ranges of a JSON value with this key.
func (l *list) take(key string, value any) (err error) {
	switch v := value.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if err = l.take(k, v[k]); err != nil {
				return err
			}
		}
	case []any:
		for _, element := range v {
			if err = l.take(key, element); err != nil {
				return err
			}
		}
	case string:
		if slices.Contains(rangeKeys, key) {
			return l.insert(strings.TrimSpace(v))
		}
		if key == creationTime {
			l.day, err = time.Parse(time.DateOnly, v[:min(len(v), len(time.DateOnly))])
			if err != nil {
				return fmt.Errorf("%s %.100q is not a date", creationTime, v)
			}
		}
	}
	return nil
}
