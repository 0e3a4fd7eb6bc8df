//go:build race

package sitemap

// raced: under the race detector a sync.Pool drops some of its elements.
const raced = true
