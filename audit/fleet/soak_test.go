//go:build unix && soak

package fleet

func init() { throughputSites = 5000 }
