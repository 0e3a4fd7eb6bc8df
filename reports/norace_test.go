//go:build !race

package reports

const raced = false
