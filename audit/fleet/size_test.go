//go:build !soak

package fleet

const killedSites int64 = 600
