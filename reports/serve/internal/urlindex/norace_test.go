//go:build !race

package urlindex

const queries = 200
