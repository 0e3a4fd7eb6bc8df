// Package resources finds out the limits of the system, and sets those of the runtime. These are
// the number of open files and the memory, divided among the sites of a run, and the times of
// garbage collection.
package resources
