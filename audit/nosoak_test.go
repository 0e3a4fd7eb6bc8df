//go:build !soak

package audit

const soaked = false
