//go:build soak

package fleet

const killedSites int64 = 20_000

const syncAlways = true
