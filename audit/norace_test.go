//go:build !race

package audit

const raced = false
