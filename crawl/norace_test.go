//go:build !race

package crawl

const raced = false
