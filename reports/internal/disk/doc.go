// Package disk is the file system as the folder of a run needs it.
//
// Three dangers are met here once for all outputs. A disk gets full, or its
// folder read-only, while hundreds of sites are in flight: everything that is
// written for a site goes through FS, whose errors IsFull and IsReadOnly tell
// apart, and which tests replace by one that fails. The power goes: WriteFile
// and Commit write a temporary file, wait until it is on the disk, and
// rename it, so that it is there whole or not at all; and Sum gives the checksum
// by which a later run finds what was damaged after all. Somebody puts something
// else in a file's place: Open and ReadFile take nothing but a file, and do not
// wait for the other end of a named pipe. And a process is killed: an Unnamed file goes with it.
package disk
