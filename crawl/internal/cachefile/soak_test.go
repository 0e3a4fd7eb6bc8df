//go:build soak

package cachefile

// damageRounds is how often TestCacheRandomDamage does each damage.
const damageRounds = 20
