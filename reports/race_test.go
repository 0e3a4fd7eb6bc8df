//go:build race

package reports

// raced: the race detector makes what is long ten times as long.
const raced = true
