//go:build race

package crawl

// raced: the race detector makes what is long ten times as long.
const raced = true
