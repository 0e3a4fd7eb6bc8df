package edit

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"robots-audit/audit/table"
	"robots-audit/crawl"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// Bounds of a list.
const (
	MaxFile = 64 << 20 // bytes of a file
	MaxURLs = 200_000
	maxTold = 10  // faulty lines of a file that are listed
	maxText = 200 // bytes of a URL, or of a line of a file, in a message
)

// IsURL reports whether text is a URL or a path rather than the name of a file.
func IsURL(text string) bool {
	lower := strings.ToLower(text[:min(len(text), 8)])
	return strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://") || strings.HasPrefix(text, "/")
}

// ReadList reads URLs and paths from a list or a table. The error lists up to maxTold invalid lines.
func ReadList(name string, file []byte, o table.Options) (list []string, err error) {
	o.Want = []table.Meaning{table.URL}
	of, err := table.Read(bytes.NewReader(file), o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer of.Close()
	t := of.Table()
	var wrong []string
	for row, err := range t.Rows() {
		why := ""
		if refused := (*table.RowError)(nil); errors.As(err, &refused) {
			row, why = table.Row{Line: refused.Line, Cells: []string{refused.Text}}, "is skipped: "+refused.Why
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		url := table.CleanURL(row.Cell(max(t.Column(table.URL), 0)))
		if why == "" {
			why = problem(url)
		}
		if why != "" {
			wrong = append(wrong, fmt.Sprintf("%s:%d: %s %s", name, row.Line, quote(url), why))
			if len(wrong) == maxTold {
				break
			}
			continue
		}
		if list = append(list, url); len(list) > MaxURLs {
			return nil, fmt.Errorf("%s: more than %s URLs", name, wording.Thousands(MaxURLs))
		}
	}
	switch {
	case wrong != nil:
		return nil, fmt.Errorf("%s", strings.Join(wrong, "\n"))
	case list == nil:
		return nil, fmt.Errorf("%s: it has no URL. Expected one URL or path per line", name)
	}
	return list, nil
}

// Check returns an error if text, a URL or a path by IsURL, cannot be used.
func Check(text string) error {
	if why := problem(text); why != "" {
		return fmt.Errorf("%s %s", quote(text), why)
	}
	return nil
}

// problem describes the problem of a URL or path, as the end of a sentence; "" = none.
func problem(text string) string {
	switch {
	case !IsURL(text):
		return `is neither a full URL nor a path that begins with "/"`
	case strings.ContainsAny(text, "*") || strings.HasSuffix(text, "$"):
		return `is a pattern, not a URL. In a URL write %2A for "*" and %24 for a "$" at the end`
	}
	if text[0] == '/' {
		text = "http://a.example" + text
	}
	if _, err := crawl.ResolveURL(text); err != nil {
		return "is not a URL: " + err.Error()
	}
	return ""
}

// quote makes a URL, or a line of a file, safe for a message.
func quote(text string) string { return escape.Cut(escape.Printable(text), maxText) }
