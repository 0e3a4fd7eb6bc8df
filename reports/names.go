package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// longestBase is the longest base of a file name, in bytes. File systems allow 255, and extensions
// such as ".jsonl.zst" must fit as well.
const longestBase = 200

// reservedNames are bases that a site must not have: device names of Windows, with or without an
// extension, and names of the run's own files.
var reservedNames = map[string]bool{
	"con": true, "prn": true, "aux": true, "nul": true, "conin$": true, "conout$": true,
	"com0": true, "com1": true, "com2": true, "com3": true, "com4": true, "com5": true, "com6": true, "com7": true, "com8": true, "com9": true,
	"lpt0": true, "lpt1": true, "lpt2": true, "lpt3": true, "lpt4": true, "lpt5": true, "lpt6": true, "lpt7": true, "lpt8": true, "lpt9": true,
	"summary": true, "index": true, "run": true, // see writtenAtEnd
}

// fileBase returns the base of a site's file names, safe on every system: "example.com",
// "example.com_8080", or "example.com_http" if the list has the host under both schemes. Names that
// would be the same with these characters, or that are too long, get a part of their hash.
func fileBase(name string) string {
	scheme, host, ok := strings.Cut(name, "://")
	if !ok || strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz") != "" {
		scheme, host = "", name
	}
	exact := true
	var b strings.Builder
	for i := range len(host) {
		switch c := host[i]; {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '.', c == '-', c == '_':
			b.WriteByte(c)
		case c == '[' || c == ']': // an IPv6 address
		case c == ':':
			if strings.HasPrefix(host, "[") && i < strings.IndexByte(host, ']') {
				b.WriteByte('-')
			} else {
				b.WriteByte('_')
			}
		default:
			b.WriteByte('-')
			exact = false
		}
	}
	base := b.String()
	if scheme != "" {
		base += "_" + scheme
	}
	if trimmed := strings.TrimRight(base, "."); trimmed != base {
		base, exact = trimmed, false
	}
	if base == "" {
		base, exact = "site", false
	}
	if looksGenerated(host) {
		exact = false
	}
	first, _, _ := strings.Cut(base, ".")
	if reservedNames[first] || base[0] == '.' || base[0] == '-' {
		base = "_" + base
	}
	if len(base) > longestBase {
		base, exact = base[:longestBase-17], false
	}
	if !exact {
		base += "-" + shortHash(name)
	}
	return base
}

// looksGenerated reports whether a host looks like a file name that fileBase makes for another
// site: with a port, a scheme, an address, or a reserved name.
func looksGenerated(host string) bool {
	if !strings.Contains(host, ".") && strings.Contains(host, "--") {
		return true // 2001-db8--1
	}
	if rest, ok := strings.CutPrefix(host, "_"); ok {
		first, _, _ := strings.Cut(rest, ".")
		if reservedNames[first] || strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, ".") {
			return true // _con.example
		}
	}
	i := strings.LastIndexByte(host, '_')
	if i < 0 {
		return false
	}
	end := host[i+1:]
	return end == "http" || end == "https" || strings.Trim(end, "0123456789") == "" // host_8080
}

// shortHash distinguishes names that would have the same file name.
func shortHash(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:8])
}
