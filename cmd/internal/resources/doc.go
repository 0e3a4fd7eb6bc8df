// Package resources finds out the limits of the system, and sets those of the runtime: the number
// of open files and the memory, how these are divided among the sites of a run, and when memory is
// collected.
package resources
