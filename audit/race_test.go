//go:build race

package audit

// raced: the race detector makes what is long ten times as long.
const raced = true
