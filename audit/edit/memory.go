package edit

// What a search holds, in octets, as heaps of searches show at their largest.
const (
	octetsOfPattern = 3 << 10 // a pattern that is tried, compiled, as an insertion, and as an element
	octetsOfRule    = 150     // a rule of a file that is judged
	octetsOfRead    = 60      // an octet of the file, for each of its readers
	octetsOfText    = 16      // an octet of the file, whoever reads it
	patternsOfURL   = 100     // of the set, on average
	mostRead        = 512_000 // octets: what nearly all readers read of a file
)

// searchMemory returns how many octets smallestChange may hold at once, for a file of some octets and
// lines, some URLs of a set, and some crawlers of so many profiles.
func searchMemory(octets, lines, set, crawlers, profiles int) int64 {
	patterns := min(maxPatterns, patternsOfURL*set)
	covers := min(maxCovers, patterns*set*crawlers/8)
	judged := min(maxRules, maxGroups*lines) + profiles*lines
	return int64(patterns*octetsOfPattern + covers + judged*octetsOfRule +
		min(octets, mostRead)*profiles*octetsOfRead + octets*octetsOfText)
}
