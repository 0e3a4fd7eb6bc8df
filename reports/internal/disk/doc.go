// Package disk is the file system as the folder of a run needs it.
//
// It handles four dangers once for all outputs. A disk gets full, or its folder read-only, while
// hundreds of sites are in progress: all files of a site are written through FS. IsFull and
// IsReadOnly recognise its errors, and tests replace it by one that fails. The power goes off:
// WriteFile and Commit write a temporary file, wait until it is on the disk, and rename it, so that
// it is complete or missing; and Sum returns the checksum by which a later run finds damaged files.
// Another process puts something else in a file's place: Open and ReadFile accept only files, and
// do not wait for the other end of a named pipe. And a process is killed: an Unnamed file
// disappears with it.
package disk
