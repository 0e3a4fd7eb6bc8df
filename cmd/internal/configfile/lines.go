package configfile

import (
	"fmt"
	"regexp"
	"strings"
)

// Lines are the lines of a configuration file that set a key or begin a table, by path:
// "history.dir", "schedule[1].cron", "schedule[1]". The decoder does not report them.
type Lines map[string]int

// Of returns the line of a path, or else of its parent; 1 if both are unknown.
func (l Lines) Of(path string) int {
	for {
		if line := l[path]; line > 0 {
			return line
		}
		at := max(strings.LastIndexByte(path, '.'), strings.LastIndexByte(path, '['))
		if at < 0 {
			return 1
		}
		path = path[:at]
	}
}

var (
	headerForm = regexp.MustCompile(`^\s*(\[\[?)\s*([^\[\]]+?)\s*\]`)
	keyForm    = regexp.MustCompile(`^\s*([A-Za-z0-9_."'\- ]+?)\s*=`)
	bare       = strings.NewReplacer(`"`, "", `'`, "", " ", "")
)

// LinesOf reads valid TOML. It skips the content of multi-line strings. Keys of an inline table
// have the line of the table.
func LinesOf(text string) Lines {
	l := Lines{}
	counts := map[string]int{} // tables of each array so far
	here, open := "", ""
	note := func(path string, line int) {
		if l[path] == 0 {
			l[path] = line
		}
	}
	for i, line := range strings.Split(text, "\n") {
		if open != "" {
			if strings.Contains(line, open) {
				open = ""
			}
			continue
		}
		if m := headerForm.FindStringSubmatch(line); m != nil {
			here = bare.Replace(m[2])
			note(here, i+1)
			if m[1] == "[[" {
				counts[here]++
				here = fmt.Sprintf("%s[%d]", here, counts[here]-1)
				note(here, i+1)
			}
			continue
		}
		if m := keyForm.FindStringSubmatch(line); m != nil {
			note(strings.TrimPrefix(here+"."+bare.Replace(m[1]), "."), i+1)
		}
		for _, quotes := range []string{`"""`, `'''`} {
			if strings.Count(line, quotes)%2 == 1 {
				open = quotes
			}
		}
	}
	return l
}
