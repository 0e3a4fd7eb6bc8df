package resources

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// leastMemoryLimit is the least limit that the collector is given, and works
// harder not to exceed: with ten thousand sites waiting for their servers, what
// is in use comes near it.
const leastMemoryLimit = 370 << 20

// leastHeap is what the heap may grow to before it is collected, however little of it
// is in use, and growth what it may grow by where that is more, in percent of what is in use.
// Small sites leave much garbage and little that lives, a dozen megabytes: with growth alone
// the heap of 400 of them is collected 84 times, with leastHeap some 25 times. 20 large ones
// come to such a heap by themselves. CPU, and the peak of the process, on two cores:
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

// LimitMemory has memory collected early, but not all the time for a little of it. What lives
// long is small or a table without pointers, so that collecting costs little and keeps the
// peak near what is really in use. GOGC and GOMEMLIMIT say otherwise where they are set.
func LimitMemory() {
	c := &collector{in: []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}}
	c.setsGrowth, c.setsLimit = os.Getenv("GOGC") == "", os.Getenv("GOMEMLIMIT") == ""
	if c.setsGrowth || c.setsLimit {
		c.adjust()
		afterEachCollection(c.adjust)
	}
}

// collector adjusts the garbage collector to what is in use, after each collection.
type collector struct {
	in                    []metrics.Sample
	setsGrowth, setsLimit bool
	growth                int
	limit                 int64
}

// adjust sets growth and limit, each of which stops the program for a moment.
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

// afterEachCollection has do called soon after each garbage collection, one call after the
// other: a value that nobody has is finalized then. do must not wait for anything.
func afterEachCollection(do func()) {
	type collected struct{ do func() }
	runtime.SetFinalizer(&collected{do}, func(c *collected) {
		c.do()
		afterEachCollection(c.do)
	})
}

// heapGrowth is the growth of the heap, in percent of what is in use of it and of the stacks, after
// which it is collected.
func heapGrowth(live, stacks int64) int {
	const least = 4 << 20 // the collector takes no less for what is in use
	return int(max(growth, (leastHeap-live)*100/max(live+stacks, least)))
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

// Memory returns how many bytes of memory this process may use: those of the machine, or the
// limit of its control group or of GOMEMLIMIT where that is less; 0 where nobody knows.
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
