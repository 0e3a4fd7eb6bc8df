package audit

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"
)

// bodyKey is the key of a robots.txt's body and the quote that opens its text,
// and stands nowhere else in a record: within a JSON string quotes are escaped.
const bodyKey = `"body":"`

// appendRobots encodes a robots.txt with a body of one byte, and puts in the
// whole one by hand: encoding/json would hold it three times, and it may be the
// largest thing that a site has.
func appendRobots(dst []byte, rec Record) []byte {
	robots := *rec.Robots
	body := robots.File.Body
	robots.File.Body = body[:1]
	rec.Robots = &robots
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(rec); err != nil {
		robots.File.Body = nil
		return Encode(dst, rec) // which says so
	}
	before, after, _ := bytes.Cut(line.Bytes(), []byte(bodyKey))
	dst = slices.Grow(dst, line.Len()+base64.StdEncoding.EncodedLen(len(body)))
	dst = append(append(dst, before...), bodyKey...)
	dst = base64.StdEncoding.AppendEncode(dst, body)
	return append(dst, after[bytes.IndexByte(after, '"'):]...)
}
