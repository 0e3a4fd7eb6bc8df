//go:build soak

package history

// kills is how often TestKilled kills.
const kills = 50
