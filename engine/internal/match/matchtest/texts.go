package matchtest

// Texts returns all texts over letters, each letter a text, up to n letters
// long, the empty one first.
func Texts(n int, letters ...string) []string {
	all, longest := []string{""}, []string{""}
	for range n {
		var next []string
		for _, w := range longest {
			for _, letter := range letters {
				next = append(next, w+letter)
			}
		}
		all, longest = append(all, next...), next
	}
	return all
}
