package audit

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// appendRules writes a record of rules by hand, as encoding/json would, which takes ten times as
// long: of a small site with a long robots.txt it is most of what is written beside the URLs.
func appendRules(dst []byte, rec Record) []byte {
	dst = append(dst, '{')
	if rec.Domain != "" {
		dst = append(appendPlain(append(dst, `"domain":`...), rec.Domain), ',')
	}
	dst = strconv.AppendInt(append(dst, `"rules":{"origin":`...), int64(rec.Rules.Origin), 10)
	dst = append(dst, `,"crawlers":[`...)
	for i, crawler := range rec.Rules.Crawlers {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(crawler), 10)
	}
	dst = append(dst, `],"counts":[`...)
	for i := range rec.Rules.Counts {
		c := &rec.Rules.Counts[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(append(dst, `{"line":`...), int64(c.Line), 10)
		dst = appendPlain(append(dst, `,"rule":`...), c.Rule)
		dst = strconv.AppendInt(append(dst, `,"matched":`...), c.Matched, 10)
		dst = strconv.AppendInt(append(dst, `,"decided":`...), c.Decided, 10)
		dst = strconv.AppendInt(append(dst, `,"frees":`...), c.Frees, 10)
		dst = strconv.AppendInt(append(dst, `,"blocks":`...), c.Blocks, 10)
		if join := c.Join; join.Line != 0 || join.Empty {
			dst = strconv.AppendInt(append(dst, `,"join":{"line":`...), int64(join.Line), 10)
			dst = append(strconv.AppendBool(append(dst, `,"empty":`...), join.Empty), '}')
		}
		if c.Unknown != "" {
			dst = appendPlain(append(dst, `,"unknown":`...), c.Unknown)
		}
		dst = append(dst, '}')
	}
	return append(dst, "]}}\n"...)
}

// appendPlain writes a text as encoding/json does, to which it leaves one that is not of
// printable ASCII alone, or of which more than a copy is to be written.
func appendPlain(dst []byte, s string) []byte {
	at := len(dst) + 1
	dst = append(append(append(dst, '"'), s...), '"')
	for _, c := range dst[at : len(dst)-1] {
		if c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			return appendJSON(dst[:at-1], s)
		}
	}
	return dst
}

func appendJSON(dst []byte, s string) []byte {
	buf := bytes.NewBuffer(dst)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return append(dst, `""`...) // cannot happen: any string can be written
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte{'\n'})
}
