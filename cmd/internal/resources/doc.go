// Package resources is what the program asks of the system that it runs on, and tells the
// runtime about: how many files it may have open, and how much memory, how these are
// divided among the sites of a run, and when memory is to be collected.
package resources
