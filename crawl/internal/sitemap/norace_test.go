//go:build !race

package sitemap

const raced = false
