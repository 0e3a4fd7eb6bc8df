//go:build race

package urlindex

// queries is the number of random queries of one world: with the race detector, each takes ten times as long.
const queries = 12
