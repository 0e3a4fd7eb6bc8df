// Package weburl reads URLs and hosts as the web writes them, and brings each
// into one form: that in which it is asked for, and that by which two are the
// same. It asks nobody: a name is not looked up.
package weburl
