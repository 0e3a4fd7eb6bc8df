//go:build !soak

package cachefile

const damageRounds = 3
