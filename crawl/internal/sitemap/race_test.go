//go:build race

package sitemap

// raced: under the race detector a sync.Pool drops some of what it is given.
const raced = true
