//go:build race

package crawl

// raced: the race detector makes slow code ten times slower.
const raced = true
