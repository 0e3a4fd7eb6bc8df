package serve

import "slices"

// choice is a value of a filter.
type choice struct {
	Value, Name string
	Chosen      bool
}

// chosen marks the chosen one of some choices.
func chosen(list []choice, value string) []choice {
	list = slices.Clone(list)
	for i := range list {
		list[i].Chosen = list[i].Value == value
	}
	return list
}

// choiceName is the name of a value; "" = it is none of the choices.
func choiceName(list []choice, value string) string {
	for _, c := range list {
		if c.Value == value {
			return c.Name
		}
	}
	return ""
}
