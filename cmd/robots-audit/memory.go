package main

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// modestMemory is what the collector works harder for not to exceed: with ten
// thousand sites waiting for their servers, what is in use comes near it.
const modestMemory = 370 << 20

// saveMemory has memory collected early. What lives long is small or a table
// without pointers, so that it costs little and keeps the peak near what is really in use.
func saveMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(60)
	}
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetMemoryLimit(modestMemory)
	go func() {
		in := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
		for limit := int64(modestMemory); ; time.Sleep(time.Second / 4) {
			metrics.Read(in)
			if next := memoryLimit(int64(in[0].Value.Uint64() + in[1].Value.Uint64())); next != limit {
				debug.SetMemoryLimit(next)
				limit = next
			}
		}
	}()
}

// memoryLimit is the limit where so much is in use. Where the modest one leaves
// no room, it is a quarter more: the collector must not run all the time for what cannot be had.
func memoryLimit(used int64) int64 {
	if used+used/16 <= modestMemory {
		return modestMemory
	}
	const step = 32 << 20 // setting it stops the program for a moment
	return (used+used/4)/step*step + step
}
