//go:build !soak

package fleet

const killedSites int64 = 300

// syncAlways says whether servers write to the disk at once what they acknowledge.
const syncAlways = false
