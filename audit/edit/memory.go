package edit

// Memory costs of a search, in octets, from the largest heaps measured.
const (
	octetsOfPattern = 3 << 10 // a tested pattern: compiled, as an insertion and as an element
	octetsOfRule    = 150     // a rule of a file that is judged
	octetsOfRead    = 60      // an octet of the file, for each reader
	octetsOfText    = 16      // an octet of the file, independent of readers
	patternsOfURL   = 100     // of the set, on average
	mostRead        = 512_000 // octets: the limit of nearly all readers
)

// searchMemory returns the maximum memory of smallestChange, in octets. The arguments are the
// octets and lines of the file, and the numbers of URLs in the set, crawlers and profiles.
func searchMemory(octets, lines, set, crawlers, profiles int) int64 {
	patterns := min(maxPatterns, patternsOfURL*set)
	covers := min(maxCovers, patterns*set*crawlers/8)
	judged := min(maxRules, maxGroups*lines) + profiles*lines
	return int64(patterns*octetsOfPattern + covers + judged*octetsOfRule +
		min(octets, mostRead)*profiles*octetsOfRead + octets*octetsOfText)
}
