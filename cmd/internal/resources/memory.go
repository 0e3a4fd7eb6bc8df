package resources

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// leastMemoryLimit is the lowest memory limit for the garbage collector, which works harder near
// it. Ten thousand sites that wait for their servers need about as much.
const leastMemoryLimit = 370 << 20

// leastHeap is the heap size below which no collection starts. growth is the growth in percent of
// the memory in use, if that allows more. Small sites leave much garbage and little live memory, a
// dozen megabytes. With growth alone the heap of 400 of them is collected 84 times, with leastHeap
// some 25 times. 20 large sites reach such a heap anyway. CPU, and the peak of the process, on two
// cores:
//
//	                    400 sites of 100 URLs    20 sites of 50,000
//	growth 60             2.35 s    75 MB          2.04 s   82 MB
//	growth 100            1.96 s    75 MB          1.93 s   91 MB
//	growth 200            1.80 s    93 MB          1.83 s  123 MB
//	growth 400            1.76 s   121 MB
//	60, least heap 36     1.96 s    85 MB          1.95 s   83 MB
//	60, least heap 42     1.89 s    88 MB          1.91 s   88 MB
//	60, least heap 48     1.75 s    92 MB          1.96 s   93 MB
//
// Later, when a site left half as much garbage, 2,000 of them and 20 large ones:
//
//	60, least heap 36     4.73 s    84 MB          1.75 s   76 MB
//	60, least heap 52     4.38 s   100 MB          1.87 s   90 MB
//	60, least heap 72     4.33 s   118 MB          1.77 s  110 MB
const (
	leastHeap = 52 << 20
	growth    = 60
)

// LimitMemory lets memory be collected early, but not all the time when little is in use.
// Long-lived data is small or has no pointers, so collections are cheap and keep the peak near the
// memory in use. GOGC and GOMEMLIMIT override it.
func LimitMemory() {
	c := &collector{in: []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}}
	c.setsGrowth, c.setsLimit = os.Getenv("GOGC") == "", os.Getenv("GOMEMLIMIT") == ""
	if c.setsGrowth || c.setsLimit {
		c.adjust()
		afterEachCollection(c.adjust)
	}
}

// collector adjusts the garbage collector to the memory in use, after each collection.
type collector struct {
	in                    []metrics.Sample
	setsGrowth, setsLimit bool
	growth                int
	limit                 int64
}

// adjust sets growth and limit. Each call to the runtime stops the program for a moment, so it
// makes only those that change much.
func (c *collector) adjust() {
	metrics.Read(c.in)
	live, stacks := int64(c.in[0].Value.Uint64()), int64(c.in[1].Value.Uint64())
	if next := heapGrowth(live, stacks); c.setsGrowth && (next < c.growth || next > c.growth+c.growth/8) {
		debug.SetGCPercent(next)
		c.growth = next
	}
	if next := memoryLimit(live + stacks); c.setsLimit && next != c.limit {
		debug.SetMemoryLimit(next)
		c.limit = next
	}
}

// afterEachCollection calls do soon after each garbage collection, one call at a time: an
// unreferenced value is finalized then. do must not block.
func afterEachCollection(do func()) {
	type collected struct{ do func() }
	runtime.SetFinalizer(&collected{do}, func(c *collected) {
		c.do()
		afterEachCollection(c.do)
	})
}

// heapGrowth is the growth of the heap until the next collection, in percent of the heap and stacks
// in use.
func heapGrowth(live, stacks int64) int {
	const least = 4 << 20 // the collector assumes at least this much in use
	return int(max(growth, (leastHeap-live)*100/max(live+stacks, least)))
}

// CollectSeldom lets memory be collected less often, for commands that handle one file or question
// after the other. Little memory is in use at a time, and early collections took a third of the
// time of lint. The limit of LimitMemory still applies.
func CollectSeldom() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(300)
	}
}

// memoryLimit is the limit for a number of bytes in use: the lowest one, or a quarter more than in
// use. The collector must not run all the time for memory that it cannot free.
func memoryLimit(used int64) int64 {
	if used+used/16 <= leastMemoryLimit {
		return leastMemoryLimit
	}
	const step = 32 << 20 // setting it stops the program for a moment
	return (used+used/4)/step*step + step
}

// Memory returns how many bytes of memory this process may use; 0 if unknown. This is the memory of
// the machine, or the limit of its control group or of GOMEMLIMIT if lower.
func Memory() int64 {
	least := int64(math.MaxInt64)
	if os.Getenv("GOMEMLIMIT") != "" {
		least = debug.SetMemoryLimit(-1)
	}
	if n := machineMemory(); n > 0 {
		least = min(least, n)
	}
	if least == math.MaxInt64 {
		return 0
	}
	return least
}
