//go:build soak

package compare

// soaked: tests may take as long as they like.
const soaked = true
