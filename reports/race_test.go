//go:build race

package reports

// raced: with the race detector, long tests take ten times as long.
const raced = true
