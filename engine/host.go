package engine

import (
	"strconv"
	"strings"
)

// HostLine is a Host line as Yandex's help of 2016 defines it. It names the
// main mirror of a site, for all groups, wherever it is in the file.
type HostLine struct {
	Line
	Host    string // "www.example.com", "example.com:8080", "https://example.com"; "" = ignored
	Problem string // why it is ignored, in words; "" = it is valid
}

// Hosts returns all Host lines in the order of the file, whether or not the
// profile obeys them.
func (r *Robots) Hosts() []HostLine {
	list := make([]HostLine, len(r.hosts))
	for i, line := range r.hosts {
		host, problem := parseHost(line.Value)
		list[i] = HostLine{line, host, problem}
	}
	return list
}

// Host returns the main mirror of the first valid Host line; "" = none, or the
// profile does not obey Host.
func (r *Robots) Host() string {
	if !r.Profile.Host {
		return ""
	}
	for _, line := range r.Hosts() {
		if line.Host != "" {
			return line.Host
		}
	}
	return ""
}

// parseHost reads the value of a Host line: one name (RFC 952). "https://"
// comes first if the mirror is only reachable by HTTPS. A port follows if it is
// not 80.
func parseHost(value string) (host, problem string) {
	switch {
	case value == "":
		return "", "no host"
	case strings.ContainsAny(value, ", \t;"):
		return "", "more than one host"
	}
	name := strings.ToLower(value)
	scheme := ""
	if strings.HasPrefix(name, "https://") {
		scheme, name = "https://", name[len("https://"):]
	}
	switch {
	case strings.Contains(name, "://"):
		return "", `a scheme other than "https"`
	case strings.Contains(name, "/"):
		return "", "a path after the host"
	}
	name, port, hasPort := strings.Cut(name, ":")
	if n, err := strconv.Atoi(port); hasPort && (err != nil || n < 1 || n > 65535 || port[0] == '+') {
		return "", "a port that does not exist"
	}
	if problem := nameProblem(name); problem != "" {
		return "", problem
	}
	if hasPort && (port != "80" || scheme != "") {
		return scheme + name + ":" + port, ""
	}
	return scheme + name, ""
}

// nameProblem says why a lower-case name is not a host name; "" = it is one.
func nameProblem(name string) string {
	if strings.Trim(name, "0123456789.") == "" {
		return "an IP address"
	}
	for label := range strings.SplitSeq(name, ".") {
		switch {
		case label == "":
			return "an empty part between dots"
		case label[0] == '-' || label[len(label)-1] == '-':
			return "a part that begins or ends with a hyphen"
		case strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-") != "":
			return "a character other than letters, digits and hyphens"
		}
	}
	return ""
}
