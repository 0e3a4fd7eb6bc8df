//go:build !soak

package compare

const soaked = false
