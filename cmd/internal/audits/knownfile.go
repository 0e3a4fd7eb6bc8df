package audits

import (
	"errors"
	"fmt"
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/table"
	"robots-audit/engine/wording"
)

// ReadKnown reads the URLs of a file. Of several tables it takes the one with most URLs; if two have
// as many, one that begins with them: Search Console's list of filters, for example, has URLs only
// among its values. base is the origin of cells with paths; "" = there is none. took says what was
// taken as what.
func ReadKnown(name string, o table.Options, base string) (known *audit.Known, took string, err error) {
	o.Want = audit.KnownColumns
	file, err := table.Open(name, o)
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	var best *table.Table
	for _, t := range file.Tables {
		k, err := audit.ReadKnown(t, base)
		if err != nil {
			return nil, "", inTable(t, err)
		}
		if known == nil || k.URLs > known.URLs || k.URLs == known.URLs && k.Column == 0 && known.Column != 0 {
			known, best = k, t
		}
	}
	if known.URLs == 0 {
		if known.NoURL.Rows > 0 && strings.Contains(known.NoURL.First[0].Why, "path") {
			return nil, "", fmt.Errorf("its %s are paths without a host. Write full URLs, or audit one site only", wording.Thousands(known.NoURL.Rows))
		}
		return nil, "", errors.New("no absolute http or https URL in it")
	}
	return known, describe(best, known), nil
}

// readKnown reads the file of a flag.
func (s *Settings) readKnown(flag, name string, o table.Options) (*audit.Known, error) {
	o.IsSite = s.isSite
	known, took, err := ReadKnown(name, o, s.base)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", flag, name, err)
	}
	s.took = append(s.took, flag+" "+name+": "+took)
	return known, nil
}

// inTable adds the name of the sheet, or of the file in a ZIP.
func inTable(t *table.Table, err error) error {
	if t.Name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", t.Name, err)
}

// URLOptions are the options for the table of -urls.
func (s *Settings) URLOptions() table.Options {
	o := s.Tables.Options()
	if s.URLsColumn != "" {
		o.Columns[table.URL] = s.URLsColumn
	}
	return o
}

// describe says what was taken as what.
func describe(t *table.Table, known *audit.Known) string {
	text := wording.URLs(known.URLs)
	if t.Name != "" {
		text += " from " + t.Name
	}
	if t.Encoding != "" && t.Encoding != "UTF-8" {
		text += " in " + t.Encoding
		if t.EncodingNote != "" {
			text += ", chosen by " + t.EncodingNote
		}
	}
	taken := false
	for _, m := range []table.Meaning{table.Clicks, table.Impressions} {
		if at := t.Column(m); at >= 0 {
			text += fmt.Sprintf("; %s from %s", m, t.ColumnName(at))
			taken = true
		}
	}
	if numbers := t.Numbers(); !taken && len(numbers) > 0 {
		text += fmt.Sprintf("; no column has known titles of clicks. Numbers are in %s: name one, as in -column clicks=%s", wording.And(numbers[:min(len(numbers), 5)]), strings.Fields(numbers[0])[1])
	}
	if known.NoNumber.Rows > 0 {
		text += fmt.Sprintf("; %s not read as a number: %s", wording.Plural(known.NoNumber.Rows, "cell"), known.NoNumber)
	}
	return text
}
