package engine

// Rule is one allow or disallow line that belongs to a group.
type Rule struct {
	Allow bool   // an allow line; else a disallow line
	Value string // the path pattern as written, comment and surrounding white space removed
	Line  int    // 1-based line of the file
}

// String returns the rule as reports show it: the field in lower case, a
// colon, a space and the value as written, such as "disallow: /a".
func (r Rule) String() string {
	if r.Allow {
		return "allow: " + r.Value
	}
	return "disallow: " + r.Value
}
