//go:build race

package engine

// raced: under the race detector a sync.Pool drops some of its elements.
const raced = true
