package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"robots-audit/engine"
)

// hashID returns the stable id of a text: the first 16 hexadecimal digits of its SHA-256.
func hashID(text []byte) string {
	sum := sha256.Sum256(text)
	var digits [16]byte
	hex.Encode(digits[:], sum[:8])
	return string(digits[:])
}

// URLID returns the id of a URL: that of its origin (scheme and host in lower
// case, no default port) followed by path and query as RFC 9309 compares them.
// It is built in buf, which is returned for the next call.
func URLID(buf []byte, origin, loc string) (id string, grown []byte) {
	buf = engine.AppendPath(append(buf[:0], origin...), loc)
	return hashID(buf), buf
}

// RuleID returns the id of a rule: that of the product tokens of its group in
// lower case, sorted, joined by commas, a line feed, and the rule
// ("disallow: /a"). The line is no part of it: lines move.
func RuleID(tokens, rule string) string {
	if !strings.Contains(tokens, ",") { // most, and there may be thousands
		return hashID([]byte(strings.TrimSpace(strings.ToLower(tokens)) + "\n" + rule))
	}
	var list []string
	for token := range strings.SplitSeq(strings.ToLower(tokens), ",") {
		list = append(list, strings.TrimSpace(token))
	}
	slices.Sort(list)
	list = slices.Compact(list)
	return hashID([]byte(strings.Join(list, ",") + "\n" + rule))
}
