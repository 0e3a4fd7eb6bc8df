package cli

import "strings"

// List is a flag that may be given more than once.
type List []string

func (l *List) String() string     { return strings.Join(*l, " ") }
func (l *List) Set(s string) error { *l = append(*l, s); return nil }

// Values are the values given, in order.
func (l *List) Values() []string { return *l }
