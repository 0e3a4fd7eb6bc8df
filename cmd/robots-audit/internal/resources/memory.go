package resources

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// leastMemoryLimit is the least limit that the collector is given, and works
// harder not to exceed: with ten thousand sites waiting for their servers, what
// is in use comes near it.
const leastMemoryLimit = 370 << 20

// LimitMemory has memory collected early. What lives long is small or a table
// without pointers, so that it costs little and keeps the peak near what is really in use.
func LimitMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(60)
	}
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetMemoryLimit(leastMemoryLimit)
	go func() {
		in := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
		for limit := int64(leastMemoryLimit); ; time.Sleep(time.Second / 4) {
			metrics.Read(in)
			if next := memoryLimit(int64(in[0].Value.Uint64() + in[1].Value.Uint64())); next != limit {
				debug.SetMemoryLimit(next)
				limit = next
			}
		}
	}()
}

// CollectSeldom has memory collected less often, for commands whose memory is that of
// one file or question after the other: little of it is in use at a time, and to collect
// it early took a third of the time of lint. The limit of LimitMemory holds all the same.
func CollectSeldom() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(300)
	}
}

// memoryLimit is the limit where so many bytes are in use: the least one, or where
// more is in use than it allows, a quarter more than that. The collector must not run
// all the time for memory that it cannot free.
func memoryLimit(used int64) int64 {
	if used+used/16 <= leastMemoryLimit {
		return leastMemoryLimit
	}
	const step = 32 << 20 // setting it stops the program for a moment
	return (used+used/4)/step*step + step
}
