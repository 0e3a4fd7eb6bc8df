//go:build soak

package audit

// soaked: tests may take as long as they like.
const soaked = true
